"""Data files: what each figure of a run shows, one row a mark, segment, line or band."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import isfinite, isnan

from benchbook.archive import Stored
from benchbook.building import spreadsheet
from benchbook.building.site import Files, Site
from benchbook.building.spreadsheet import Value
from benchbook.drawing import figure
from benchbook.drawing.chart import Chart, resolve
from benchbook.drawing.entry import of_guides
from benchbook.drawing.fitness import fits
from benchbook.drawing.kind import KINDS
from benchbook.errors import BenchbookError
from benchbook.run import Panel

HEADER = ("panel", "label", "series", "x", "x low", "x high", "value", "low", "high", "unit")
DIGITS = 12  # more than any clock resolves, and few enough that a change of unit leaves no trace


def path(stored: Stored, cell: str) -> str:
    """Where it lies below ``docs/``: beside the drawings of the figure."""
    drawing = figure.path(stored.run.slug, stored.id, stored.run.backend, cell, dark=False)
    return drawing.removesuffix(".light.svg") + ".csv"


def files(site: Site) -> Files:
    """One for each figure that can be drawn; one that is right as it lies is not made again."""
    made: Files = {}
    for stored, cell, panels in site.figures():
        if not fits(panels):
            continue
        name = f"docs/{path(stored, cell)}"
        spell = partial(_spelled, site, stored, panels)
        made[name] = None if name in site.kept else site.trial.attempt(spell)
    return made


def _spelled(site: Site, stored: Stored, panels: Sequence[Panel]) -> bytes:
    try:
        charts = [resolve(panel, stored.run.measurements, seed=stored.digest) for panel in panels]
    except BenchbookError as error:
        raise BenchbookError(
            error.message, path=site.project.relative(stored.path), mend=error.mend
        ) from error
    return spreadsheet.spell(HEADER, (row for chart in charts for row in rows(chart)))


def rows(chart: Chart) -> Iterator[list[Value]]:
    """What a chart shows; what an entry has not is empty."""
    name = chart.panel.title or chart.panel.ylabel
    for one in (*KINDS[chart.panel.kind].entries(chart), *of_guides(chart)):
        numbers = (one.x, one.x_low, one.x_high, one.value, one.low, one.high)
        yield [name, one.label, one.series, *map(_number, numbers), chart.unit]


def _number(value: float) -> Value:
    if isnan(value):
        return None
    return float(f"{value:.{DIGITS}g}") if isfinite(value) else str(value)
