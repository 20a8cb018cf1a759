"""The site that is being built: what was read, and what its makers have derived so far."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from benchbook.archive import Stored
from benchbook.building.sources import Lesson, Sources, Trial
from benchbook.drawing.fitness import charts_or_none
from benchbook.errors import BenchbookError
from benchbook.pages.page import Page
from benchbook.project import Project
from benchbook.run import Panel

Files = dict[str, bytes | None]


class BuildError(BenchbookError):
    """Everything that keeps the site from being built.

    Args:
        problems: One or more, in the order of their files.
    """

    def __init__(self, problems: Sequence[BenchbookError]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class Site:
    """What every maker of derived files is given.

    Attributes:
        project: The checkout.
        sources: Lessons and pages, as read.
        url: The site's address with a slash at its end, or "".
        retracted: Reasons by run id.
        local: Whether runs of this machine that were not accepted are shown.
        kept: Files that are right as they lie, and need not be made again.
        trial: Is given what is wrong.
        fragments: By slug, once they are made: what the Markdown blocks of a lesson need.
        made: What the makers before this one derived.
    """

    project: Project
    sources: Sources
    _: KW_ONLY
    url: str
    retracted: Mapping[str, str]
    local: bool
    kept: Collection[str]
    trial: Trial
    fragments: dict[str, dict[str, Any]] = field(default_factory=dict)
    made: Files = field(default_factory=dict)

    @property
    def lessons(self) -> Sequence[Lesson]:
        """Every slug whose files are right."""
        return self.sources.lessons

    def figures(self) -> Iterator[tuple[Stored, str, Sequence[Panel]]]:
        """Every figure of every run: the run, the cell, the panels.

        One of a retracted run that cannot be drawn is left out, so that it never stops a build.
        """
        for lesson in self.lessons:
            for stored in lesson.runs:
                for cell, panels in stored.run.figures.items():
                    if stored.id not in self.retracted or _can_be_drawn(stored, panels):
                        yield stored, cell, panels

    @property
    def pages(self) -> Sequence[Page]:
        """The hand-written pages that can be scanned."""
        return self.sources.pages


def _can_be_drawn(stored: Stored, panels: Sequence[Panel]) -> bool:
    return bool(charts_or_none(panels, stored.run.measurements, seed=stored.digest))
