"""The kind ``stack``: one bar a label, its series upon each other, the interval of each at its own end."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite

from matplotlib.axes import Axes

from benchbook import reading
from benchbook.drawing import bar, cases, limits, scale, tag, whisker
from benchbook.drawing.chart import Chart, Marks
from benchbook.drawing.ink import Sample, fill
from benchbook.drawing.lettering import LEADING, SMALL, width
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import interval, sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel

GROUP = 0.9  # of a slot
WIDEST, NARROWEST = 64.0, 18.0  # bars
STEP, MOST = 5.0, 0.4  # between two whiskers; of a group for all of them
CAP = 2.0
GAP = 4.0


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


def prove(chart: Chart, room: float) -> None:
    """Proves that no number of a chart is negative; ``room`` does not matter.

    Raises:
        BenchbookError: With the mend.
    """
    del room
    for marks in chart.series:
        if min(marks.values) < 0:
            raise BenchbookError(
                f"series {marks.label!r} has a negative value, and no bar can stack it",
                mend="choose kind 'bar'",
            )


def sums(chart: Chart) -> list[list[float]]:
    """The upper edges of each series, label by label; the last are the sums."""
    rows = (marks.values for marks in chart.series)
    nothing = [0.0] * len(chart.series[0].values)
    return [*accumulate(rows, lambda *two: [*map(sum, zip(*two, strict=True))], initial=nothing)]


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series and their texts into axes that are ``room`` points wide."""
    edges = sums(chart)
    layers = [*zip(chart.series, edges, strict=False)]  # each with what it stands on
    highest = [foot + high for marks, feet in layers for foot, high in zip(feet, marks.high, strict=True)]
    scale.upright(axes, chart.panel, limits.standing(chart, *edges[-1], *highest))
    slot = cases.dress(axes, chart.panel, room)
    group = _grouped(chart, slot, measured=any(map(isfinite, highest)))
    places = [place + group.bar / slot for place in range(len(edges[-1]))]
    for index, (marks, feet) in enumerate(layers):
        style = fill(palette, index) | {"edgecolor": palette.background, "linewidth": 0.8}
        axes.bar(places, marks.values, group.thick / slot, bottom=feet, zorder=3, **style)
        _whiskers(axes, marks, feet, (group.whiskers + group.step * (index + 0.5)) / slot, palette)
        if group.values is not None:
            _values(axes, marks, feet, group.values / slot, palette)
    for place, total in zip(places, edges[-1], strict=True):
        text = reading.text(total)
        if width(text, SMALL) <= group.thick:
            tag.write(axes, text, (place, total), palette)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each series, from the top as they are stacked."""
    return bar.legend(chart, palette, room)[::-1]


@dataclass(frozen=True, slots=True)
class _Group:
    """What stands in a slot from left to right, in points from its middle: bar, whiskers, values.

    Attributes:
        thick: How wide the bar is.
        bar: Its middle.
        whiskers: Where they begin.
        step: From one to the next.
        values: Their middle; ``None`` where they do not fit.
    """

    thick: float
    bar: float
    whiskers: float
    step: float
    values: float | None


def _grouped(chart: Chart, slot: float, *, measured: bool) -> _Group:
    room = slot * GROUP
    step = min(STEP, room * MOST / len(chart.series)) if measured else 0.0
    room -= step * len(chart.series)
    texts = (reading.text(value) for marks in chart.series for value in marks.values)
    written = GAP + max(width(text, SMALL) for text in texts)
    fits = room - written >= NARROWEST
    thick = min(WIDEST, room - written if fits else room)
    left = -(thick + step * len(chart.series) + (written if fits else 0)) / 2
    end = left + thick + step * len(chart.series)
    return _Group(thick, left + thick / 2, left + thick, step, end + (GAP + written) / 2 if fits else None)


def _whiskers(axes: Axes, marks: Marks, feet: Sequence[float], shift: float, palette: Palette) -> None:
    rows = enumerate(zip(feet, marks.low, marks.high, strict=True))
    ends = ((place + shift, foot + low, foot + high) for place, (foot, low, high) in rows)
    whisker.draw(axes, ends, palette, cap=CAP, over=False)


def _values(axes: Axes, marks: Marks, feet: Sequence[float], shift: float, palette: Palette) -> None:
    """Writes each value beside its segment, where that is tall enough."""
    low, high = axes.get_ylim()
    unit = axes.get_window_extent().height / (high - low)  # in points: a sheet has 72 dots an inch
    for place, (foot, value) in enumerate(zip(feet, marks.values, strict=True)):
        if value * unit >= SMALL * LEADING:
            tag.write(axes, reading.text(value), (place + shift, foot + value / 2), palette, inside=True)
