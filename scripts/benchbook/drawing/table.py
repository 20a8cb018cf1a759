"""A table: the data of a panel, for those who do not see it and those who want the numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchbook.drawing.chart import Chart
from benchbook.drawing.fitness import charts_or_none
from benchbook.drawing.grid import digits, span
from benchbook.drawing.kind import KINDS
from benchbook.drawing.segment import crowded
from benchbook.run import Measurement, Panel


@dataclass(frozen=True, slots=True)
class Table:
    """A panel's data.

    Attributes:
        header: One text a column.
        rows: As long as ``header`` each.
        caption: What the panel shows, with its axes, lines and bands.
    """

    header: list[str]
    rows: list[list[str]]
    caption: str


def tables(panels: Sequence[Panel], measurements: Mapping[str, Measurement], *, seed: str) -> list[Table]:
    """The data of each panel; none of a figure that cannot be drawn, as that of a newer engine.

    Args:
        panels: The recorded panels.
        measurements: Those of the run.
        seed: The run's digest.
    """
    return [_table(chart) for chart in charts_or_none(panels, measurements, seed=seed)]


def _table(chart: Chart) -> Table:
    kind = KINDS[chart.panel.kind]
    grid = kind.grid(chart)
    return Table(grid.header, grid.rows, "; ".join(_caption(chart, kind.numbers)))


def _caption(chart: Chart, numbers: str) -> Iterator[str]:
    """Title and axes, then lines and bands, each with what its axis shows."""
    panel = chart.panel
    if panel.title:
        yield panel.title
    if "y" in numbers or not panel.title:
        yield chart.ylabel
    if chart.xunit:
        yield chart.xlabel
    if numbers == "x":
        yield f"start and end: {panel.xlabel}"
        if crowded(chart):
            yield "what is too short to see is drawn wider, where there is room"
    for line in chart.references:
        yield _guide(chart, line.label, digits(line.place), along=line.axis == "x")
    for band in chart.bands:
        place = span(float(band.low), float(band.high))
        yield _guide(chart, band.label, place, along=band.axis == "x")


def _guide(chart: Chart, label: str, place: str, *, along: bool) -> str:
    unit = chart.xunit if along else chart.unit
    note = f"({chart.panel.xlabel})" if along and not unit else unit
    return f"{label}: {place} {note}".rstrip()
