"""The proof: what a frame must be before anything of it is used. Who wrote it may be a stranger."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from benchbook.run import first_problem
from benchbook.run.field import CellName, Count, Digest, Name, Positive, Slug, Text, Version
from benchbook.worker.wire import PROTOCOL, Frame, Job, Kind, Plan

MOST_JOBS = 10_000


class ProofError(ValueError):
    """A frame that no worker writes; ``mend`` says what to do."""

    def __init__(self, message: str, mend: str = "give what the packed program printed, unchanged") -> None:
        super().__init__(message)
        self.mend = mend


class _Told(BaseModel):
    """Strict in what is used; what else a worker sends is left alone."""

    model_config = ConfigDict(strict=True, extra="ignore")


class _Job(_Told):
    slug: Slug
    text: str
    sha256: Digest
    cells: list[CellName]
    processes: Annotated[int, Field(ge=1, le=10_000)]
    inspect: bool


class _Expected(_Told):
    backend: Name
    jax: Version | None


class _Plan(_Told):
    protocol: int
    program: Digest
    expected: _Expected
    jobs: Annotated[list[_Job], Field(max_length=MOST_JOBS)]
    compile_cache: str | None


class _Machine(_Told):
    jax: Version


class _Session(_Told):
    machine: dict[str, Any]
    refusal: Text | None


class _Cell(_Told):
    stdout: str = ""
    stderr: str = ""


class _Answer(_Told):
    job: Count
    process: Count
    kind: Kind
    detail: str = ""
    cell: str | None = None
    line: Positive | None = None
    cells: list[_Cell] = []


class _End(_Told):
    count: Count


SESSION, MACHINE, ANSWER, END, PLAN = (
    TypeAdapter[Any](model) for model in (_Session, _Machine, _Answer, _End, _Plan)
)


def plan(frame: Frame) -> Plan:
    """The plan that a carried session repeats.

    Raises:
        ProofError: It is none of ours.
    """
    found: Any = frame.get("plan")
    version = found.get("protocol") if isinstance(found, dict) else None
    if type(version) is int and version != PROTOCOL:
        raise ProofError(f"its protocol is {version}, not {PROTOCOL}", "use the benchbook that packed it")
    _validate(PLAN, found, "plan")
    slugs = [job["slug"] for job in found["jobs"]]
    if len(set(slugs)) != len(slugs):
        raise ProofError("its plan names a snippet twice")
    asked: Plan = found
    return asked


class Course:
    """The course of a session: one head, answers of its jobs, each once, and an end.

    Attributes:
        whole: Whether the end came, and nothing before it is missing.
    """

    def __init__(self, asked: Plan) -> None:
        self.whole = False
        self._jobs: Sequence[Job] = asked["jobs"]
        self._jax = asked["expected"]["jax"]
        self._head: Frame | None = None
        self._ended = False
        self._came: set[tuple[str, int, int]] = set()
        self._count = 0

    def check(self, frame: Frame) -> None:
        """Proves the next frame.

        Raises:
            ProofError: No worker writes it here.
        """
        kind = frame.get("type")
        if self._ended:
            raise ProofError("something follows the end", "give the results of one session")
        if (kind == "session") != (self._head is None):
            what = (
                "a second session begins" if self._head else "its frames are not in order: no session began"
            )
            raise ProofError(what, "give the results of one session")
        if kind == "session":
            self._begin(frame)
        elif kind in ("process", "inspection"):
            self._answer(frame)
        elif kind == "end":
            _validate(END, frame, "end")
            self._ended, self.whole = True, frame["count"] == self._count
        else:
            raise ProofError("it is neither session, process, inspection nor end")
        self._count += 1

    def _begin(self, frame: Frame) -> None:
        _validate(SESSION, frame, "session")
        self._head = frame
        if frame["refusal"] is None:
            _validate(MACHINE, frame["machine"], "machine")
            if self._jax not in (None, frame["machine"]["jax"]):
                raise ProofError(f"it has JAX {frame['machine']['jax']}, not {self._jax}")

    def _answer(self, frame: Frame) -> None:
        _validate(ANSWER, frame, str(frame["type"]))
        place = (frame["type"], frame["job"], frame["process"])
        if self._head is not None and self._head["refusal"] is not None:
            raise ProofError("a process answers although the backend was refused")
        if frame["job"] >= len(self._jobs):
            raise ProofError(f"job {frame['job']} is not in its plan")
        job = self._jobs[frame["job"]]
        most = job["processes"] if frame["type"] == "process" else job["inspect"]
        if frame["process"] >= most:
            raise ProofError(f"{frame['type']} {frame['process']} of job {frame['job']} was not asked for")
        if place in self._came:
            raise ProofError(f"{frame['type']} {frame['process']} of job {frame['job']} answers twice")
        self._came.add(place)


def _validate(model: TypeAdapter[Any], value: object, where: str) -> None:
    if not isinstance(value, dict):
        raise ProofError(f"{where} is no object")
    try:
        model.validate_python(value)
    except ValidationError as error:
        raise ProofError(f"{where}: {first_problem(error)}") from None
