"""The harvest: from the frames of a session to runs on disk, each as soon as its job is whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from benchbook import archive, system
from benchbook.errors import RunError, SnippetError, UsageError
from benchbook.lesson.snippet import Snippet, parse
from benchbook.project import Project
from benchbook.recording.assembly import WRONG, assemble, wrong
from benchbook.recording.failure import Failure
from benchbook.recording.gathering import Gathered, Gathering
from benchbook.recording.outcome import Outcome, judge
from benchbook.recording.plan import runs_on
from benchbook.recording.proof import Course, ProofError
from benchbook.run import Run
from benchbook.worker import identity, machine
from benchbook.worker.wire import Frame, Job, Plan


class Listener(Protocol):
    """Somebody who is told how it goes; sessions of several hosts speak at once, each on its thread."""

    def begin(self, session: str, processes: int) -> None:
        """A session begins, of so many processes; its name holds the backend and the JAX."""

    def advance(self, session: str, what: str) -> None:
        """One process of it has ended."""

    def end(self, session: str) -> None:
        """It is over, whole or not."""

    def say(self, line: str) -> None:
        """Something else that takes time."""


@dataclass(frozen=True, slots=True)
class Harvest:
    """Where runs go, and who is told.

    Attributes:
        project: Where runs are written.
        accept: Whether they become reference runs.
        listener: Is told how it goes.
    """

    project: Project
    accept: bool
    listener: Listener

    def follow(self, asked: Plan, frames: Iterable[Frame]) -> Iterator[Outcome]:
        """Turns frames into outcomes, each as soon as its job is whole.

        Raises:
            RunError: The frames are not what a worker writes, or not all of them.
        """
        gathering = Gathering(asked)
        try:
            yield from self._outcomes(gathering, frames)
        finally:
            if gathering.session:
                self.listener.end(gathering.session)

    def _outcomes(self, gathering: Gathering, frames: Iterable[Frame]) -> Iterator[Outcome]:
        course = Course(gathering.asked)
        for frame in frames:
            _prove(course, frame)
            if frame["type"] == "session":
                gathering.head = frame.copy()
                gathering.head["plan"] = dict(gathering.asked)  # what was asked, not what somebody repeats
                if frame["refusal"] is not None:
                    left = f"snippets not executed: {len(gathering.asked['jobs'])}"
                    why = f"backend {gathering.backend} is not here: {frame['refusal']}; {left}"
                    yield Outcome("", gathering.backend, None, "failed", (why,))
                    return
                gathering.session = f"{gathering.backend}, JAX {gathering.jax}"
                self.listener.begin(gathering.session, gathering.total)
            elif frame["type"] in ("process", "inspection"):
                job = gathering.job(frame)
                self.listener.advance(gathering.session, job["slug"])
                gathered = gathering.take(frame)
                if gathered is not None:
                    yield self._outcome(gathering, job, gathered)
        for slug in gathering.missing():
            why = f"snippets/{slug}.py: not every process answered"
            yield Outcome(slug, gathering.backend, gathering.jax, "failed", (why,))

    def _outcome(self, gathering: Gathering, job: Job, gathered: Gathered) -> Outcome:
        """Assembles, compares and writes one job's run."""
        head = gathering.head
        assert head is not None  # noqa: S101  # a course begins with it
        made = self._made(job, gathered, head, compile_cache=gathering.asked["compile_cache"] is not None)
        if isinstance(made, Failure):
            detail = (made.message,)
            return Outcome(
                job["slug"], gathering.backend, gathering.jax, "failed", detail, output=made.output
            )
        return made

    def _made(self, job: Job, gathered: Gathered, head: Frame, *, compile_cache: bool) -> Outcome | Failure:
        """One run, or why there is none: whatever is wrong with it is no reason to lose the others."""
        path = f"snippets/{job['slug']}.py"
        if not self.project.snippet_path(job["slug"]).is_file():
            return Failure("invalid", f"{path} is not in this project (bring it here, then its results)")
        try:
            return self._run(job, gathered, head, compile_cache)
        except (RunError, UsageError) as error:
            return Failure("invalid", f"{path}: {error}")
        except OSError as error:
            told = system.refused(error, what="written") or error
            return Failure("invalid", f"{path}: its run has no place: {told}")
        except WRONG as error:
            return wrong(path, error)

    def _run(self, job: Job, gathered: Gathered, head: Frame, compile_cache: bool) -> Outcome | Failure:
        snippet = _snippet(job, head)
        if isinstance(snippet, Failure):
            return snippet
        made = assemble(snippet, gathered, head, compile_cache=compile_cache)
        if isinstance(made, Failure):
            return made
        return self._refused(snippet, made[0]) or self._written(snippet, *made)

    def _refused(self, snippet: Snippet, run: Run) -> Failure | None:
        """Why a whole run is not written: it is of another backend, or tells who this is."""
        device = run.hardware.device
        misfit = self.project.backend(run.backend).misfit(device.platform, device.kind, device.count)
        if misfit is not None:
            return Failure("refused", f"{snippet.path}: {misfit}")
        strange = [name for name in run.environment.flags if not machine.RECORDED.fullmatch(name)]
        if strange:
            return Failure("invalid", f"{snippet.path}: no worker records the variable {strange[0]!r}")
        told = identity.told(run.model_dump(mode="json"))
        if told is not None:
            mend = "write the snippet without it" if identity.told(snippet.text) else "print less"
            return Failure("invalid", f"{snippet.path}: the run would hold {told} ({mend})")
        return None

    def _written(self, snippet: Snippet, run: Run, artefacts: dict[str, bytes]) -> Outcome:
        kind, detail = judge(self.project, snippet, run)
        folder = self.project.runs if self.accept else self.project.local_runs
        place = folder / run.slug
        if place.resolve() != folder.resolve() / run.slug:
            shown = self.project.relative(place)
            raise RunError("leads elsewhere by a link", path=shown, mend="put a folder in its place")
        stored = archive.save(run, folder, artefacts)
        return Outcome(run.slug, run.backend, run.environment.jax, kind, detail, stored.path)


def _prove(course: Course, frame: Frame) -> None:
    """Of a file all was proven before: this is for a command that starts something else than one worker."""
    try:
        course.check(frame)
    except ProofError as error:
        raise RunError(
            f"an answer is not what a worker writes: {error}",
            mend="look at what its command starts: one worker, once",
        ) from error


def _snippet(job: Job, head: Frame) -> Snippet | Failure:
    """What ran, as the results say; a worker elsewhere has the JAX that it has."""
    try:
        snippet = parse(job["text"], slug=job["slug"], path=f"snippets/{job['slug']}.py")
    except SnippetError as error:
        return Failure("invalid", str(error))
    if snippet.sha256 != job["sha256"]:
        return Failure("invalid", f"{snippet.path}: its text is not what its sha256 says")
    if not runs_on(snippet, head["machine"]["jax"]):
        return Failure("refused", f"{snippet.path}: needs JAX {snippet.header.minimum_jax} or newer")
    return snippet
