"""The kind ``line``: a line through points of numbers along x, with its intervals as a band around it."""

from math import dist, isfinite

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchbook.drawing import limits, scale, whisker
from benchbook.drawing.chart import Chart, count
from benchbook.drawing.ink import Sample, stroke
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import different, interval, sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel

APART = 12.0  # points between two markers; those of many points would hide the line
SHADE = 0.22  # opacity; two bands that overlap are both seen


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    del room  # numbers fit into any
    if panel.labels is not None:
        raise BenchbookError(
            "a line has numbers along x, no names", mend="leave out 'labels', or choose kind 'bar'"
        )
    for series in panel.series:
        if series.x is None:
            raise BenchbookError(
                f"series {series.label!r} has no x", mend="give one x for each of its values"
            )
        if len(series.x) != count(series) or not series.x:
            raise BenchbookError(
                f"series {series.label!r} has {count(series)} values for {len(series.x)} x",
                mend="give one x for each of its values",
            )
        sound(series.x, f"x of series {series.label!r}", log=panel.xscale == "log")
        different(series.x, f"x of series {series.label!r}")
        sound(series.y or [], f"y of series {series.label!r}", log=panel.yscale == "log")
        interval(series, log=panel.yscale == "log")


def prove(chart: Chart, room: float) -> None:
    """Proves that each point of a chart has a place, on axes that are ``room`` points wide.

    Raises:
        BenchbookError: With the mend.
    """
    for marks in chart.series if chart.panel.yscale == "log" else ():
        if min(marks.values) <= 0:
            raise BenchbookError(
                f"series {marks.label!r} has a value {min(marks.values):g}, which a log axis cannot show",
                mend="leave that point out, or make the axis linear",
            )
    scale.prove(chart.panel, _ends(chart), room)


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series into axes that are ``room`` points wide."""
    bottom, top = limits.floating(chart)
    scale.upright(axes, chart.panel, (bottom, top))
    scale.lying(axes, chart.panel, _ends(chart), palette, room)
    for index, marks in enumerate(chart.series):
        kept = sorted(zip(marks.x, marks.values, marks.low, marks.high, strict=True))
        _intervals(axes, kept, palette, index, lowest=bottom)
        points = [row[:2] for row in kept]
        marked = _marked(axes.transData.transform(points).tolist(), room)
        axes.plot(*zip(*points, strict=True), **stroke(palette, index), markevery=marked, zorder=4.2)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each series, in order; none for a single one, which the axis names."""
    del room  # they fit into any
    if len(chart.series) == 1:
        return []
    return [
        (Line2D([], [], **stroke(palette, index)), marks.label) for index, marks in enumerate(chart.series)
    ]


def _ends(chart: Chart) -> limits.Ends:
    return limits.along(chart, [x for marks in chart.series for x in marks.x])


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
