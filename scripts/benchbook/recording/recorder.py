"""The recorder: sends plans to backends, gathers what came back, and writes runs whole or not at all."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from benchbook import archive
from benchbook.archive import Stored
from benchbook.errors import BenchbookError, RunError, SnippetError
from benchbook.lesson.snippet import Snippet, parse
from benchbook.project import SLUG, Backend, Project
from benchbook.recording import comparison, environment, plan, program, session
from benchbook.recording.assembly import Failure, Gathered, assemble
from benchbook.recording.plan import Options
from benchbook.run import Run, dump
from benchbook.worker import identity
from benchbook.worker.wire import Frame, Plan, decode

OutcomeKind = Literal["new", "reproduced", "changed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one snippet on one backend with one JAX.

    Attributes:
        slug: The snippet, or ``""`` where a whole session failed.
        backend: Its name.
        jax: The version, where it is known.
        kind: Against the current run; ``failed`` and ``skipped`` wrote nothing.
        detail: What changed, or why it failed, one line each.
        stored: The run that was written.
        output: What a cell that failed had printed.
    """

    slug: str
    backend: str
    jax: str | None
    kind: OutcomeKind
    detail: tuple[str, ...] = ()
    stored: Stored | None = None
    output: str = ""


class Listener(Protocol):
    """Somebody who is told how it goes."""

    def begin(self, what: str, processes: int) -> None:
        """A session begins, of so many processes."""

    def advance(self, what: str) -> None:
        """One process has ended."""

    def say(self, line: str) -> None:
        """Something else that takes time."""


def record(
    project: Project, snippets: Sequence[Snippet], options: Options, listener: Listener
) -> Iterator[Outcome]:
    """Executes the snippets on every backend and JAX that was asked for.

    Args:
        project: Where runs are written.
        snippets: From `plan.choose`.
        options: What was asked for.
        listener: Is told how it goes.

    Yields:
        An outcome as soon as it is known; one session after another.
    """
    for name in options.backends:
        backend = project.backend(name)
        for jax in options.versions:
            fitting = [snippet for snippet in snippets if plan.runs_on(snippet, jax)]
            for snippet in snippets:
                if snippet not in fitting:
                    why = f"needs JAX {snippet.header.minimum_jax} or newer"
                    yield Outcome(snippet.slug, name, jax, "skipped", (why,))
            if fitting:
                yield from _session(project, fitting, backend, jax, options=options, listener=listener)


def _session(
    project: Project,
    snippets: Sequence[Snippet],
    backend: Backend,
    jax: str | None,
    *,
    options: Options,
    listener: Listener,
) -> Iterator[Outcome]:
    cache = "~/.cache/benchbook/compiled" if backend.command else str(project.state / "compiled")
    asked = plan.make(snippets, backend, jax, options, inspect=options.accept, cache=cache)
    try:
        command = environment.command(project, backend, jax, say=listener.say)
        frames = session.frames(command, program.text(asked), name=backend.name)
        yield from _follow(project, asked, frames, options, listener)
    except BenchbookError as error:
        yield Outcome("", backend.name, jax, "failed", (str(error),))


def pack(snippets: Sequence[Snippet], backend: Backend, jax: str | None, options: Options) -> str:
    """The text program that does on another machine what `record` does here."""
    asked = plan.make(snippets, backend, jax, options, inspect=True, cache="~/.cache/benchbook/compiled")
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
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RunError(
            f"cannot be read: {error.strerror}", path=path, mend="name the results file"
        ) from error
    frames = [frame for frame in map(decode, lines) if frame is not None]
    if not frames or frames[0].get("type") != "session":
        raise RunError(
            "holds no results of a packed program", path=path, mend="give what the program printed"
        )
    if not _sound(frames):
        raise RunError(
            "its frames are not what a worker writes", path=path, mend="give what the program printed"
        )
    asked: Plan = frames[0]["plan"]  # type: ignore[assignment]  # what is used of it was just looked at
    if frames[-1].get("type") != "end" or frames[-1].get("count") != len(frames) - 1:
        yield Outcome("", _backend_name(asked), None, "failed", (f"{path}: cut short: whole runs are kept",))
    yield from _follow(project, asked, frames, options, listener)


def _sound(frames: Sequence[Frame]) -> bool:
    """Whether frames from a file have what `_follow` takes for granted; the run model proves the rest."""
    try:
        asked, head = frames[0]["plan"], frames[0]
        jobs = asked["jobs"]
        words = [asked["expected"]["backend"], *(job[key] for job in jobs for key in ("slug", "text"))]
        counts = [job[key] for job in jobs for key in ("processes", "inspect")]
        owners = [frame["job"] for frame in frames if frame["type"] in ("process", "inspection")]
        known = head["refusal"] is not None or isinstance(head["machine"]["jax"], str)
        return (
            known
            and "compile_cache" in asked
            and all(isinstance(word, str) for word in words)
            and all(isinstance(number, int) for number in counts)
            and all(type(owner) is int and owner in range(len(jobs)) for owner in owners)
        )
    except (LookupError, TypeError):
        return False


def _backend_name(asked: Plan) -> str:
    return str(asked.get("expected", {}).get("backend", "?"))


@dataclass(slots=True)
class _Following:
    """One session as it is gathered."""

    project: Project
    asked: Plan
    options: Options
    head: Frame | None = None
    gathered: dict[int, Gathered] = field(default_factory=dict)

    def take(self, frame: Frame) -> int | None:
        """Files a frame; the number of the job that it completes, if it does."""
        number = frame["job"]
        job = self.asked["jobs"][number]
        gathered = self.gathered.setdefault(number, Gathered())
        if frame["type"] == "inspection":
            gathered.inspection = frame
        else:
            gathered.processes.append(frame)
        failed = any(f.get("kind") != "completed" for f in gathered.processes)
        whole = len(gathered.processes) == job["processes"]
        return number if whole and (failed or not job["inspect"] or gathered.inspection is not None) else None


def _follow(
    project: Project, asked: Plan, frames: Iterable[Frame], options: Options, listener: Listener
) -> Iterator[Outcome]:
    """Turns frames into outcomes, each as soon as its job is whole."""
    following = _Following(project, asked, options)
    backend = _backend_name(asked)
    total = sum(job["processes"] + job["inspect"] for job in asked["jobs"])
    for frame in frames:
        if frame["type"] == "session":
            following.head = frame
            if frame["refusal"] is not None:
                yield Outcome(
                    "", backend, None, "failed", (f"backend {backend} is not here: {frame['refusal']}",)
                )
                return
            listener.begin(f"{backend}, JAX {frame['machine']['jax']}", total)
        elif frame["type"] in ("process", "inspection"):
            listener.advance(asked["jobs"][frame["job"]]["slug"])
            number = following.take(frame)
            if number is not None:
                yield _outcome(following, number)


def _outcome(following: _Following, number: int) -> Outcome:
    """Assembles, compares and writes one job's run."""
    head = following.head
    job = following.asked["jobs"][number]
    if head is None or not SLUG.fullmatch(job["slug"]):
        raise RunError("its frames are not in order", mend="give what the packed program printed")
    backend, jax = _backend_name(following.asked), head["machine"]["jax"]

    def failed(failure: Failure) -> Outcome:
        return Outcome(job["slug"], backend, jax, "failed", (failure.message,), output=failure.output)

    try:
        snippet = parse(job["text"], slug=job["slug"], path=f"snippets/{job['slug']}.py")
    except SnippetError as error:
        return failed(Failure("invalid", str(error)))
    cache = following.asked["compile_cache"] is not None
    made = assemble(snippet, following.gathered.pop(number), head, compile_cache=cache)
    if isinstance(made, Failure):
        return failed(made)
    run, artefacts = made
    try:
        data = dump(run)
        told = identity.told(data.decode())
        if told is None:
            return _write(following, snippet, run, artefacts)
        return failed(Failure("invalid", f"{snippet.path}: the run would hold {told} (print less)"))
    except RunError as error:
        return failed(Failure("invalid", f"{snippet.path}: {error}"))
    except OSError as error:
        return failed(Failure("invalid", f"the run cannot be written: {error}"))


def _write(following: _Following, snippet: Snippet, run: Run, artefacts: dict[str, bytes]) -> Outcome:
    project, accept = following.project, following.options.accept
    kind, detail = _compare(project, snippet, run)
    stored = archive.save(run, project.runs if accept else project.local_runs, artefacts)
    return Outcome(run.slug, run.backend, run.environment.jax, kind, detail, stored)


def _compare(project: Project, snippet: Snippet, run: Run) -> tuple[OutcomeKind, tuple[str, ...]]:
    """The outcome against the current run of the same JAX, or else of any."""
    runs = archive.load_all(project, project.runs, run.slug)
    without = archive.retracted(project)
    alike = [stored for stored in runs if stored.run.environment.jax == run.environment.jax]
    for candidates in (alike, runs):
        current = archive.current(candidates, snippet.cells, without=without).get(run.backend)
        if current is not None:
            break
    else:
        return "new", ()
    changes = comparison.differences(current.run, run, tolerance=snippet.header.tolerance)
    if not changes:
        return "reproduced", (f"run {current.id}",)
    if hashlib.sha256(snippet.text.encode()).hexdigest() != current.run.source.sha256:
        changes.append("the snippet has changed since")
    moved = comparison.moved_programs(current.run, run)
    return "changed", (f"against run {current.id}", *changes, *([moved] if moved else []))
