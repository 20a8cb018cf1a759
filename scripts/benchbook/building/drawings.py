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
    backend = stored.run.backend
    light, dark = (
        f"docs/{figure.path(stored.run.slug, stored.id, backend, cell, dark=dark)}" for dark in (False, True)
    )
    if light in site.kept and dark in site.kept:
        return {light: None, dark: None}
    try:
        drawn = figure.draw(panels, stored.run.measurements, dark=False, seed=stored.digest, backend=backend)
        return {light: drawn, dark: figure.darkened(drawn, backend)}
    except BenchbookError as error:
        message = f"the figure of cell {cell!r}: {error.message}"
        raise BenchbookError(message, path=site.project.relative(stored.path), mend=error.mend) from error
