"""The kind ``line``: a line through points of numbers along x, with its intervals as a band around it."""

from math import isfinite

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchbook.drawing import limits, scale, whisker
from benchbook.drawing.chart import Chart, count, drawable
from benchbook.drawing.ink import Sample, stroke
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import different, interval, sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel

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


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series into axes that are ``room`` points wide."""
    bottom, top = limits.floating(chart)
    scale.upright(axes, chart.panel, (bottom, top))
    ends = limits.along(chart, [x for marks in chart.series for x in marks.x])
    scale.lying(axes, chart.panel, ends, palette, room)
    for index, marks in enumerate(chart.series):
        shown = drawable(chart, marks.values)
        rows = zip(marks.x, marks.values, marks.low, marks.high, shown, strict=True)
        kept = sorted(row[:-1] for row in rows if row[-1])
        _intervals(axes, kept, palette, index, lowest=bottom)
        axes.plot([row[0] for row in kept], [row[1] for row in kept], **stroke(palette, index), zorder=4.2)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each series, in order; none for a single one, which the axis names."""
    del room  # they fit into any
    if len(chart.series) == 1:
        return []
    return [
        (Line2D([], [], **stroke(palette, index)), marks.label) for index, marks in enumerate(chart.series)
    ]


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
