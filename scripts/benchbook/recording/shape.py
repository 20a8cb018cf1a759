"""The shape of frames: which fields are used of each kind, and what they may be."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchbook.run import first_problem
from benchbook.run.field import CellName, Count, Digest, Name, Slug, Text, Version
from benchbook.worker.wire import Kind

MOST_JOBS = 10_000


class ProofError(ValueError):
    """A frame that no worker writes; ``mend`` says what to do."""

    def __init__(self, message: str, mend: str = "give what the packed program printed, unchanged") -> None:
        super().__init__(message)
        self.mend = mend


class Told(BaseModel):
    """Strict in what is used; what else a worker sends is left alone, or proven as part of a run."""

    model_config = ConfigDict(strict=True, extra="ignore")


class Job(Told):
    """One snippet, in so many processes."""

    slug: Slug
    text: str
    sha256: Digest
    cells: list[CellName]
    processes: Annotated[int, Field(ge=1, le=10_000)]
    inspect: bool


class Expected(Told):
    """The backend that was asked for."""

    backend: Name
    jax: Version | None


class Plan(Told):
    """What was asked, as a session repeats it."""

    protocol: int
    program: Digest
    expected: Expected
    jobs: Annotated[list[Job], Field(max_length=MOST_JOBS)]
    compile_cache: str | None


class Machine(Told):
    """Where it ran: what is used before there is a run."""

    jax: Version


class Session(Told):
    """The first frame."""

    machine: dict[str, Any]
    refusal: Text | None


class Cell(Told):
    """What one cell printed."""

    stdout: str = ""
    stderr: str = ""


class Answer(Told):
    """A process or an inspection."""

    job: Count
    process: Count
    kind: Kind
    detail: str = ""
    cell: str | None = None
    line: int | None = None
    cells: list[Cell] = []


class Note(Told):
    """One line for a person, of which nothing comes."""

    detail: str


class End(Told):
    """The last frame."""

    count: Count


def prove(model: type[Told], value: object, where: str) -> None:
    """Holds a value to a shape.

    Raises:
        ProofError: It has another; the message begins with ``where``.
    """
    if not isinstance(value, dict):
        raise ProofError(f"{where} is no object")
    try:
        model.model_validate(value)
    except ValidationError as error:
        raise ProofError(f"{where}: {first_problem(error)}") from None
