"""A parcel: a program that is carried to another machine, and the results that come back."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchbook.errors import RunError, UsageError
from benchbook.lesson.snippet import Snippet
from benchbook.project import Backend, Project
from benchbook.recording import plan, program
from benchbook.recording.gathering import backend_name
from benchbook.recording.harvest import Harvest, Listener
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options
from benchbook.worker import identity
from benchbook.worker.wire import PROTOCOL, Frame, Plan, decode


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

    Args:
        project: Where runs are written.
        path: What the program printed.
        options: Only ``accept`` counts.
        listener: Is told how it goes.

    Raises:
        RunError: It is no such file, or was cut short.
    """
    frames = _frames(path)
    asked: Plan = frames[0]["plan"]  # type: ignore[assignment]  # what is used of it was just looked at
    if frames[-1].get("type") != "end" or frames[-1].get("count") != len(frames) - 1:
        yield Outcome("", backend_name(asked), None, "failed", (f"{path}: cut short: whole runs are kept",))
    yield from Harvest(project, options.accept, listener).follow(asked, frames)


def _prove(tree: object, path: str, what: str, mend: str) -> None:
    told = identity.told(tree)
    if told is not None:
        raise UsageError(f"{what}holds {told}, and what is packed is carried away", path=path, mend=mend)


def _frames(path: Path) -> list[Frame]:
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RunError(
            f"cannot be read: {error.strerror}", path=path, mend="name the results file"
        ) from error
    frames = [frame for frame in map(decode, lines) if frame is not None]
    if not frames or frames[0].get("type") != "session":
        raise RunError(
            "holds no results of a packed program, or was cut short in its first line",
            path=path,
            mend="give all that the program printed",
        )
    if not _sound(frames):
        raise RunError(
            "its frames are not what a worker writes", path=path, mend="give what the program printed"
        )
    return frames


def _sound(frames: Sequence[Frame]) -> bool:
    """Whether frames from a file have what `Harvest` takes for granted; the run model proves the rest."""
    try:
        asked, head = frames[0]["plan"], frames[0]
        jobs = asked["jobs"]
        words = [asked["expected"]["backend"], *(job[key] for job in jobs for key in ("slug", "text"))]
        counts = [job[key] for job in jobs for key in ("processes", "inspect")]
        owners = [frame["job"] for frame in frames if frame["type"] in ("process", "inspection")]
        known = head["refusal"] is not None or isinstance(head["machine"]["jax"], str)
        return (
            known
            and asked["protocol"] == PROTOCOL
            and "compile_cache" in asked
            and all(isinstance(word, str) for word in words)
            and all(isinstance(number, int) for number in counts)
            and all(type(owner) is int and owner in range(len(jobs)) for owner in owners)
        )
    except (LookupError, TypeError):
        return False
