"""The sources of a build: lessons, runs and pages, read, with everything that is wrong in them."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchbook.archive import Stored
from benchbook.errors import BenchbookError
from benchbook.lesson import snippet
from benchbook.lesson.cell import Cell
from benchbook.lesson.snippet import Snippet
from benchbook.pages import page
from benchbook.pages.page import Page
from benchbook.project import Project


@dataclass(frozen=True, slots=True)
class Trial:
    """Goes on after an error, so that all of them can be told.

    Attributes:
        problems: What went wrong so far.
    """

    problems: list[BenchbookError] = field(default_factory=list)

    def attempt[T](self, action: Callable[[], T]) -> T | None:
        """The outcome, or ``None`` with one more problem noted."""
        try:
            return action()
        except BenchbookError as error:
            self.problems.append(error)
            return None


@dataclass(frozen=True, slots=True)
class Lesson:
    """One slug.

    Attributes:
        slug: Its name.
        snippet: Its code now; ``None`` where runs are all that is left of the lesson.
        runs: Its runs; a run that is both here and accepted is listed once.
        local: Ids of those that were not accepted.
    """

    slug: str
    snippet: Snippet | None
    runs: Sequence[Stored]
    local: Collection[str]

    @property
    def cells(self) -> Sequence[Cell] | None:
        """The snippet's cells, where there is a snippet."""
        return self.snippet.cells if self.snippet else None


@dataclass(frozen=True, slots=True)
class Sources:
    """What a build starts from.

    Attributes:
        lessons: Those whose files are right, by slug.
        broken: The slugs of the others.
        pages: The hand-written pages that can be scanned.
    """

    lessons: list[Lesson]
    broken: frozenset[str]
    pages: list[Page]


def read(project: Project, *, local: bool, trial: Trial) -> Sources:
    """Reads everything.

    Args:
        project: The checkout.
        local: Whether runs of this machine that were not accepted take part.
        trial: Is given what is wrong.
    """
    folders = [project.runs, *([project.local_runs] if local else [])]
    recorded = {file.parent for folder in folders for file in folder.glob("*/*/*.json")}
    slugs = sorted({*project.slugs(), *(f"{folder.parent.name}/{folder.name}" for folder in recorded)})
    lessons = [found for slug in slugs if (found := _lesson(project, slug, folders, trial))]
    pages = [
        scanned for file in project.pages() if (scanned := trial.attempt(partial(page.load, project, file)))
    ]
    return Sources(lessons, frozenset(slugs) - {lesson.slug for lesson in lessons}, pages)


def _lesson(project: Project, slug: str, folders: Sequence[Path], trial: Trial) -> Lesson | None:
    before = len(trial.problems)
    code = _snippet(project, slug, trial)
    accepted, *own = ([*_runs(project, folder / slug, trial)] for folder in folders)
    runs = {stored.id: stored for stored in [*(own[0] if own else []), *accepted]}
    local = set(runs) - {stored.id for stored in accepted}
    return Lesson(slug, code, list(runs.values()), local) if len(trial.problems) == before else None


def _snippet(project: Project, slug: str, trial: Trial) -> Snippet | None:
    path = project.snippet_path(slug)
    if not path.exists():
        return None
    return trial.attempt(partial(snippet.load, path, slug=slug, shown=project.relative(path)))


def _runs(project: Project, folder: Path, trial: Trial) -> Iterator[Stored]:
    for path in sorted(folder.glob("*.json")):
        stored = trial.attempt(partial(Stored.load, path, shown=project.relative(path)))
        if stored:
            yield stored
