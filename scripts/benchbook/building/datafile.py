"""Data files: what each figure of a run shows, one row a mark, segment, line or band."""

from collections.abc import Iterator, Sequence
from math import isfinite

from benchbook.archive import Stored
from benchbook.building import spreadsheet
from benchbook.building.site import Files, Site
from benchbook.building.spreadsheet import Value
from benchbook.drawing import figure
from benchbook.drawing.chart import Chart
from benchbook.drawing.entry import of_guides
from benchbook.drawing.fitness import charts_or_none
from benchbook.drawing.kind import KINDS

X = ("x", "x low", "x high", "x label")
Y = ("value", "low", "high", "y label", "unit")
HEADER = ("number", "panel", "label", "series", *X, *Y)  # the number is the panel's
DIGITS = 15  # few enough that a change of unit leaves no trace; where there is none, numbers are exact


def path(stored: Stored, cell: str) -> str:
    """Where it lies below ``docs/``: beside the drawings of the figure."""
    drawing = figure.path(stored.run.slug, stored.id, stored.run.backend, cell, dark=False)
    return drawing.removesuffix(".light.svg") + ".csv"


def files(site: Site) -> Files:
    """One for each figure that can be drawn; one that is right as it lies is not made again."""
    made: Files = {}
    for stored, cell, panels in site.figures():
        name = f"docs/{path(stored, cell)}"
        if name in site.kept:
            made[name] = None
        elif drawn := charts_or_none(panels, stored.run.measurements, seed=stored.digest):
            made[name] = _spelled(drawn)
    return made


def _spelled(drawn: Sequence[Chart]) -> bytes:
    return spreadsheet.spell(
        HEADER, (row for number, chart in enumerate(drawn, 1) for row in rows(chart, number))
    )


def rows(chart: Chart, number: int) -> Iterator[list[Value]]:
    """What a chart shows; what an entry has not is empty.

    Args:
        chart: One of a figure.
        number: Its place in the figure, from 1.
    """
    panel = chart.panel
    for one in (*KINDS[panel.kind].entries(chart), *of_guides(chart)):
        x = (_number(value, scaled=bool(chart.xunit)) for value in (one.x, one.x_low, one.x_high))
        y = (_number(value, scaled=bool(chart.unit)) for value in (one.value, one.low, one.high))
        names = (panel.title or panel.ylabel, one.label, one.series)
        what = panel.ylabel if one.what is None else one.what
        unit = chart.unit if one.unit is None else one.unit
        yield [number, *names, *x, chart.xlabel, *y, what, unit]


def _number(value: float | None, *, scaled: bool = False) -> Value:
    if value is None:
        return None
    exact = float(f"{value:.{DIGITS}g}") if scaled else value
    return exact if isfinite(value) else str(value)
