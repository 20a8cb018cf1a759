"""The kind ``timeline``: segments from a start to an end, on lanes below each other, by category."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log10

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from benchbook.drawing import bar, limits, scale
from benchbook.drawing.chart import Chart
from benchbook.drawing.ink import fill, halo
from benchbook.drawing.lettering import LEADING, SMALL, wrap
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import interval, sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel, Series

LANE = 34.0  # points: a name, and segments below it
SEGMENT = 16.0
NAME = 2 + SMALL * LEADING
LEAST = 3.0  # points that the shortest segment is wide
LEFT = 30.0  # beside the axes there is one text only


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of a lane.

    Attributes:
        lane: Its number, from 0 at the top.
        start: Along x.
        end: Not before ``start``.
        category: The number of its series.
    """

    lane: int
    start: float
    end: float
    category: int


def segments(chart: Chart) -> list[Segment]:
    """From the first lane to the last, and in each by their start."""
    found = [
        Segment(int(lane), start, end, category)
        for category, marks in enumerate(chart.series)
        for lane, start, end in zip(marks.values, marks.low, marks.high, strict=True)
    ]
    return sorted(found, key=lambda one: (one.lane, one.start, one.end, one.category))


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    labels = panel.labels or []
    if not labels:
        raise BenchbookError("a timeline has no labels", mend="name each lane in 'labels', from the top")
    for label in labels:
        wrap(label, room, size=SMALL, lines=1)
    for series in panel.series:
        _check_series(series, len(labels), log=panel.xscale == "log")


def tall(panel: Panel) -> float:
    """The height of the axes, in points."""
    return LANE * len(panel.labels or [])


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws lanes and segments into axes that are ``room`` points wide."""
    found = segments(chart)
    names = chart.panel.labels or []
    ends = limits.along(chart, [x for one in found for x in (one.start, one.end)])
    scale.lying(axes, chart.panel, ends, palette, room)
    axes.set_ylim(len(names) * LANE, 0)
    axes.set_yticks([])
    for lane, name in enumerate(names):
        _name(axes, wrap(name, room, size=SMALL, lines=1), lane * LANE, palette)
    along = _place(ends, log=chart.panel.xscale == "log")
    for one in sorted(found, key=lambda one: one.start - one.end):  # what lies within another is seen upon it
        left, right = along(one.start), along(one.end)
        style = fill(palette, one.category) | {"edgecolor": palette.background, "linewidth": 0.8}
        corner = (left, one.lane * LANE + NAME)
        wide = max(right - left, LEAST / room)
        axes.add_patch(
            Rectangle(corner, wide, SEGMENT, transform=axes.get_yaxis_transform(), zorder=3, **style)
        )


legend = bar.legend


def _check_series(series: Series, lanes: int, *, log: bool) -> None:
    what = f"series {series.label!r}"
    if series.y is None:
        raise BenchbookError(
            f"{what} names a measurement, which has no start and no end",
            mend="give 'y', 'low' and 'high': lane, start and end of each segment",
        )
    if series.x is not None or series.low is None or series.high is None:
        raise BenchbookError(
            f"{what} has {'x' if series.x is not None else 'no low and high'}",
            mend="give 'y', 'low' and 'high' only: lane, start and end of each segment",
        )
    sound(series.y, f"y of {what}")
    for lane in map(float, series.y):
        if lane != int(lane) or not 0 <= lane < lanes:
            raise BenchbookError(
                f"{what} has a segment on lane {lane:g}", mend=f"choose a whole number from 0 to {lanes - 1}"
            )
    interval(series, log=log)


def _name(axes: Axes, name: str, top: float, palette: Palette) -> None:
    if top:
        axes.axhline(top, color=palette.grid, linewidth=0.8, zorder=1)
    axes.annotate(
        name,
        (0, top),
        xycoords=axes.get_yaxis_transform(),
        xytext=(3, -2),
        textcoords="offset points",
        ha="left",
        va="top",
        size=SMALL,
        color=palette.text,
        path_effects=halo(palette, 2.5),
        zorder=5,
        parse_math=False,
    )


def _place(ends: limits.Ends, *, log: bool) -> Callable[[float], float]:
    """Where a number stands along x, from 0 at the left to 1."""
    spread = log10 if log else float
    first, last = map(spread, ends)
    return lambda number: (spread(number) - first) / (last - first)
