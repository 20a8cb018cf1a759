"""The kind ``stack``: one bar a label, its series upon each other, the interval of each at its own end."""

from collections.abc import Sequence
from itertools import accumulate
from math import isfinite

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from benchbook import reading
from benchbook.drawing import bar, cases, limits, scale, tag, whisker
from benchbook.drawing.chart import Chart, Marks
from benchbook.drawing.ink import fill
from benchbook.drawing.lettering import LEADING, SMALL, width
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import interval, sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel

GROUP = 0.8
WIDEST = 96.0
VALUES = 0.6  # of a bar is for its values where the rest is for whiskers
CAP = 2.0


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    cases.check(panel, room)
    if panel.yscale == "log":
        raise BenchbookError("a log axis shows no sum", mend="leave out 'yscale', or choose kind 'interval'")
    for series in panel.series:
        sound(series.y or [], f"y of series {series.label!r}")
        interval(series)
        if any(float(y) < 0 for y in series.y or []):
            raise BenchbookError(
                f"series {series.label!r} has a negative value, and no bar can stack it",
                mend="choose kind 'bar'",
            )


def sums(chart: Chart) -> list[list[float]]:
    """The upper edges of each series, label by label; the last are the sums."""
    rows = (marks.values for marks in chart.series)
    nothing = [0.0] * len(chart.series[0].values)
    return [
        *accumulate(
            rows, lambda below, row: [a + b for a, b in zip(below, row, strict=True)], initial=nothing
        )
    ]


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series and their texts into axes that are ``room`` points wide."""
    edges = sums(chart)
    layers = [*zip(chart.series, edges, strict=False)]  # each with what it stands on
    highest = [foot + high for marks, feet in layers for foot, high in zip(feet, marks.high, strict=True)]
    scale.upright(axes, chart.panel, limits.standing(chart, *edges[-1], *highest))
    slot = cases.dress(axes, chart.panel, room)
    thickness = min(GROUP, WIDEST / slot)
    measured = any(isfinite(high) for high in highest)
    left = (VALUES - 1) / 2 * thickness if measured else 0.0
    for index, (marks, feet) in enumerate(layers):
        style = fill(palette, index) | {"edgecolor": palette.background, "linewidth": 0.8}
        axes.bar(range(len(feet)), marks.values, thickness, bottom=feet, zorder=3, **style)
        right = (VALUES - 0.5 + (1 - VALUES) * (index + 0.5) / len(layers)) * thickness
        _whiskers(axes, marks, feet, shift=right, palette=palette)
        _values(
            axes,
            marks,
            feet,
            shift=left,
            room=slot * thickness * (VALUES if measured else 1),
            palette=palette,
        )


def _whiskers(axes: Axes, marks: Marks, feet: Sequence[float], *, shift: float, palette: Palette) -> None:
    rows = enumerate(zip(feet, marks.low, marks.high, strict=True))
    ends = ((place + shift, foot + low, foot + high) for place, (foot, low, high) in rows)
    whisker.draw(axes, ends, palette, cap=CAP)


def _values(
    axes: Axes, marks: Marks, feet: Sequence[float], *, shift: float, room: float, palette: Palette
) -> None:
    """Writes each value upon its segment where it is tall and wide enough."""
    low, high = axes.get_ylim()
    tall = axes.get_window_extent().height / (high - low)  # points of one unit: a sheet has 72 dots an inch
    for place, (foot, value) in enumerate(zip(feet, marks.values, strict=True)):
        text = reading.text(value)
        if value * tall >= SMALL * LEADING and width(text, SMALL) <= room:
            tag.write(axes, text, (place + shift, foot + value / 2), palette, inside=True)


def legend(chart: Chart, palette: Palette) -> list[tuple[Artist, str]]:
    """A sample and a label for each series, from the top as they are stacked."""
    return bar.legend(chart, palette)[::-1]
