"""A parcel: a program that is carried to another machine, and the results that come back."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from benchbook.errors import RunError, UsageError
from benchbook.lesson.snippet import Snippet
from benchbook.project import Backend, Project
from benchbook.recording import delivery, plan, program, proof
from benchbook.recording.harvest import Harvest, Listener
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options
from benchbook.recording.proof import Course, ProofError
from benchbook.worker import identity
from benchbook.worker.wire import Frame, Plan


def pack(snippets: Sequence[Snippet], backend: Backend, jax: str | None, options: Options) -> str:
    """The text program that does on another machine what `record` does here.

    Raises:
        UsageError: It would tell who this machine is.
    """
    asked = plan.make(snippets, backend, jax, options, inspect=True, cache="~/.cache/benchbook/compiled")
    for snippet in snippets:
        _prove(snippet.text, snippet.path, "", "write the snippet without it")
    _prove(asked["env"], "pyproject.toml", f"env of {backend.name} ", "give what is right on every machine")
    return program.text(asked)


def ingest(project: Project, path: Path, options: Options, listener: Listener) -> Iterator[Outcome]:
    """Takes the answers of a packed program that ran elsewhere.

    The file is read twice, one frame at a time: before anything is written, all of it is proven.

    Args:
        project: Where runs are written.
        path: What the program printed.
        options: Only ``accept`` counts.
        listener: Is told how it goes.

    Raises:
        RunError: It is no such file, or holds what no worker writes.
    """
    with delivery.opened(path) as file:
        asked, whole = _proven(file, path, project)
        if not whole:
            why = f"{path}: cut short: whole runs are kept"
            yield Outcome("", asked["expected"]["backend"], None, "failed", (why,))
        reading = _Reading(file, path)
        for outcome in Harvest(project, options.accept, listener).follow(asked, reading):
            yield reading.placed(outcome)


def _prove(tree: object, path: str, what: str, mend: str) -> None:
    told = identity.told(tree)
    if told is not None:
        raise UsageError(f"{what}holds {told}, and what is packed is carried away", path=path, mend=mend)


class _Reading:
    """The second reading of a file, which knows where it is."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.file = file
        self.path = path
        self.line = 0

    def __iter__(self) -> Iterator[Frame]:
        for line, frame in delivery.frames(self.file, self.path):
            self.line = line
            yield frame

    def placed(self, outcome: Outcome) -> Outcome:
        """The outcome; of a snippet that failed, with the place of its last answer."""
        if outcome.kind != "failed" or not outcome.slug:
            return outcome
        *lines, last = outcome.detail
        return replace(outcome, detail=(*lines, f"{last}, at {self.path}:{self.line}"))


def _proven(file: BinaryIO, path: Path, project: Project) -> tuple[Plan, bool]:
    """What was asked, and whether all of it was answered."""
    asked = _asked(file, path, project)
    course = Course(asked)
    for number, frame in delivery.frames(file, path):
        with _placed(path, number):
            course.check(frame)
    return asked, course.whole


def _asked(file: BinaryIO, path: Path, project: Project) -> Plan:
    """What the session's frame repeats; before it there may be notes."""
    for number, frame in delivery.frames(file, path):
        if frame.get("type") == "note":
            continue
        if frame.get("type") != "session":
            break
        with _placed(path, number):
            return _fitting(proof.plan(frame), project)
    raise _empty(path)


@contextmanager
def _placed(path: Path, line: int) -> Iterator[None]:
    try:
        yield
    except ProofError as error:
        raise RunError(str(error), path=path, line=line, mend=error.mend) from None


def _fitting(asked: Plan, project: Project) -> Plan:
    name = asked["expected"]["backend"]
    if name not in project.backends:
        mend = f"write [tool.benchbook.backends.{name}] into pyproject.toml"
        raise ProofError(f"its backend {name!r} is none of this project", mend)
    return asked


def _empty(path: Path) -> RunError:
    return RunError(
        "holds no results of a packed program, or was cut short in its first line",
        path=path,
        mend="give all that the program printed",
    )
