"""Drawings: the figures of every run, for light and for dark pages."""

from collections.abc import Sequence
from functools import partial

from benchbook.archive import Stored
from benchbook.building.site import Files, Site
from benchbook.drawing import figure
from benchbook.errors import BenchbookError
from benchbook.run import Panel


def files(site: Site) -> Files:
    """Two SVGs for each figure; one that is right as it lies is not drawn again."""
    made: Files = {}
    for lesson in site.lessons:
        for stored in lesson.runs:
            for cell, panels in stored.run.figures.items():
                made |= site.trial.attempt(partial(_figure, site, stored, cell, panels)) or {}
    return made


def _figure(site: Site, stored: Stored, cell: str, panels: Sequence[Panel]) -> Files:
    names = {
        dark: f"docs/{figure.path(stored.run.slug, stored.id, stored.run.backend, cell, dark=dark)}"
        for dark in (False, True)
    }
    draw = partial(
        figure.draw, panels, stored.run.measurements, seed=stored.digest, backend=stored.run.backend
    )
    try:
        return {name: None if name in site.kept else draw(dark=dark) for dark, name in names.items()}
    except BenchbookError as error:
        message = f"the figure of cell {cell!r}: {error.message}"
        raise BenchbookError(message, path=site.project.relative(stored.path), mend=error.mend) from error
