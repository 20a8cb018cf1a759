"""The inventory: everything of a project that rules look at, read once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchbook import archive
from benchbook.archive import Stored
from benchbook.errors import BenchbookError
from benchbook.freshness import fresh_cells, stands_for
from benchbook.lesson import snippet
from benchbook.lesson.snippet import Snippet
from benchbook.pages import page
from benchbook.pages.page import Page
from benchbook.project import Project
from benchbook.rules.problem import Problem


@dataclass(frozen=True, slots=True)
class Inventory:
    """What was found, and what could not be read.

    Attributes:
        project: The project.
        snippets: Parsed snippets by slug.
        pages: Scanned pages by path, hand-written ones only.
        runs: Reference runs by slug, in the order of their file names.
        retracted: Reasons by twelve-digit id.
        unreadable: One problem for each file that is not what it should be.
        built: The folder of a built site, where there is one to look at.
    """

    project: Project
    snippets: Mapping[str, Snippet]
    pages: Mapping[str, Page]
    runs: Mapping[str, tuple[Stored, ...]]
    retracted: Mapping[str, str]
    unreadable: tuple[Problem, ...]
    built: Path | None = None

    def page(self, slug: str) -> Page | None:
        """The page of a lesson."""
        return self.pages.get(self.project.relative(self.project.page_path(slug)))

    def standing(self, slug: str) -> list[Stored]:
        """The reference runs of a lesson that are not retracted."""
        return [stored for stored in self.runs.get(slug, ()) if stored.id not in self.retracted]


def gather(project: Project, *, built: Path | None = None) -> Inventory:
    """Reads the project; what cannot be read becomes a problem, and never hides the rest."""
    unreadable: list[Problem] = []

    def read[T](paths: Iterable[Path], load: Callable[[Path], T]) -> list[T]:
        found = []
        for path in paths:
            try:
                found.append(load(path))
            except BenchbookError as error:
                unreadable.append(Problem.of(error, path=project.relative(path)))
        return found

    slugs = {project.snippet_path(slug): slug for slug in project.slugs()}
    snippets = read(slugs, lambda path: snippet.load(path, slug=slugs[path], shown=project.relative(path)))
    pages = read(project.pages(), lambda path: page.load(project, path))
    runs = read(
        sorted(project.runs.glob("*/*/*.json")),
        lambda path: Stored.load(path, shown=project.relative(path)),
    )
    retracted = read([project.runs / "retracted.toml"], lambda _: archive.retracted(project))
    return Inventory(
        project=project,
        snippets={found.slug: found for found in snippets},
        pages={found.path: found for found in pages},
        runs={
            slug: tuple(r for r in runs if r.run.slug == slug) for slug in sorted({r.run.slug for r in runs})
        },
        retracted=retracted[0] if retracted else {},
        unreadable=tuple(unreadable),
        built=built,
    )


def stale_cells(stored: Stored, lesson: Snippet) -> list[str]:
    """Names of the snippet's cells that the run no longer shows, in file order."""
    fresh = fresh_cells(stored.run.source.text, lesson.cells)
    return [cell.name for cell in lesson.cells if cell.name not in fresh]


def is_fresh(stored: Stored, lesson: Snippet) -> bool:
    """Whether the run shows the lesson's cells, all of them and no others; exercises do not count."""
    return stands_for(stored.run.source.text, lesson.cells)
