"""The kind ``line``: a line through points of numbers along x, with its intervals as a band around it."""

from math import dist, isfinite

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchbook.drawing import limits, points, scale, whisker
from benchbook.drawing.chart import Chart
from benchbook.drawing.ink import Sample, stroke
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import different
from benchbook.run import Panel

APART = 12.0  # points between two markers; those of many points would hide the line
SHADE = 0.22  # opacity; two bands that overlap are both seen


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    del room  # numbers fit into any
    points.unnamed(panel)
    for series in panel.series:
        points.check(panel, series)
        different(series.x or [], f"x of series {series.label!r}")


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series into axes that are ``room`` points wide."""
    bottom, top = limits.floating(chart)
    scale.upright(axes, chart.panel, (bottom, top))
    scale.lying(axes, chart.panel, points.ends(chart), palette, room)
    for index, marks in enumerate(chart.series):
        kept = sorted(zip(marks.x, marks.values, marks.low, marks.high, strict=True))
        _intervals(axes, kept, palette, index, lowest=bottom)
        places = [row[:2] for row in kept]
        marked = _marked(axes.transData.transform(places).tolist(), room)
        axes.plot(*zip(*places, strict=True), **stroke(palette, index), markevery=marked, zorder=4.2)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each series, in order."""
    del room  # they fit into any
    return [
        (Line2D([], [], **stroke(palette, index)), marks.label) for index, marks in enumerate(chart.series)
    ]


def _marked(places: list[list[float]], room: float) -> list[int]:
    """The points that have a marker: the ends, and between them those that are apart from each other.

    Points that are more than their markers have room for are apart along x, else in any direction.
    """
    if len(places) * APART > room:
        places = [[x, 0.0] for x, _ in places]
    kept = sorted({0, len(places) - 1})
    for index, place in enumerate(places):
        if all(dist(place, places[other]) >= APART for other in kept):
            kept.append(index)
    return sorted(kept)


Row = tuple[float, float, float, float]


def _intervals(axes: Axes, rows: list[Row], palette: Palette, index: int, *, lowest: float) -> None:
    """A band through the intervals, or whiskers where there is one point."""
    if len(rows) == 1:
        whisker.draw(axes, ((x, low, high) for x, _, low, high in rows), palette, lowest=lowest)
        return
    colour = palette.marks[index]
    axes.fill_between(
        [x for x, *_ in rows],
        [max(low, lowest) for *_, low, _ in rows],
        [high for *_, high in rows],
        where=[isfinite(low + high) for *_, low, high in rows],
        facecolor=(colour, SHADE),
        edgecolor=(colour, 1.0),
        linewidth=0.7,
        zorder=2,
    )
