"""The proof: that frames are those of one session, before anything of them is used.

Who wrote them may be a stranger.
"""

from collections.abc import Sequence
from typing import Any

from benchbook.recording import shape
from benchbook.recording.shape import ProofError
from benchbook.worker.wire import PROTOCOL, Frame, Job, Plan

__all__ = ["Course", "ProofError", "plan"]


def plan(frame: Frame) -> Plan:
    """The plan that a carried session repeats.

    Raises:
        ProofError: It is none of ours.
    """
    found: Any = frame.get("plan")
    version = found.get("protocol") if isinstance(found, dict) else None
    if type(version) is int and version != PROTOCOL:
        raise ProofError(f"its protocol is {version}, not {PROTOCOL}", "use the benchbook that packed it")
    shape.prove(shape.Plan, found, "plan")
    slugs = [job["slug"] for job in found["jobs"]]
    if len(set(slugs)) != len(slugs):
        raise ProofError("its plan names a snippet twice")
    asked: Plan = found
    return asked


class Course:
    """The course of a session: one head, answers of its jobs, each once, an end, and notes before it.

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
        if kind != "note" and (kind == "session") != (self._head is None):
            what = (
                "a second session begins" if self._head else "its frames are not in order: no session began"
            )
            raise ProofError(what, "give the results of one session")
        if kind == "session":
            self._begin(frame)
        elif kind in ("process", "inspection"):
            self._answer(frame)
        elif kind == "note":
            shape.prove(shape.Note, frame, "note")
        elif kind == "end":
            shape.prove(shape.End, frame, "end")
            self._ended, self.whole = True, frame["count"] == self._count
        else:
            raise ProofError("it is neither session, process, inspection, note nor end")
        self._count += 1

    def _begin(self, frame: Frame) -> None:
        shape.prove(shape.Session, frame, "session")
        self._head = frame
        if frame["refusal"] is None:
            shape.prove(shape.Machine, frame["machine"], "machine")
            if self._jax not in (None, frame["machine"]["jax"]):
                raise ProofError(f"it has JAX {frame['machine']['jax']}, not {self._jax}")

    def _answer(self, frame: Frame) -> None:
        shape.prove(shape.Answer, frame, str(frame["type"]))
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
