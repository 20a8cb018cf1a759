"""Segments: the pieces of a timeline's lanes."""

from dataclasses import dataclass
from itertools import groupby

from benchbook.drawing.chart import Chart
from benchbook.drawing.soundness import ends, sound
from benchbook.errors import BenchbookError
from benchbook.run import Series

FEW = 60  # of a panel; of more, no reader looks at each, and a page has no room for a row each
NOISE = 1e-9  # of what a panel spans; ends that were added up may differ by a rounding


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


def crowded(chart: Chart) -> bool:
    """Whether there are more than a reader looks at one by one."""
    return sum(len(marks.values) for marks in chart.series) > FEW


def check(series: Series, lanes: int, *, log: bool) -> None:
    """Proves that a category's segments lie on so many lanes, and end where they may.

    Raises:
        BenchbookError: With the mend.
    """
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
    if not series.y:
        raise BenchbookError(f"{what} has no segments", mend="leave the series out")
    sound(series.y, f"y of {what}")
    for lane in map(float, series.y):
        if lane != int(lane) or not 0 <= lane < lanes:
            raise BenchbookError(
                f"{what} has a segment on lane {lane:g}", mend=f"choose a whole number from 0 to {lanes - 1}"
            )
    ends(series, log=log)


def prove(chart: Chart) -> None:
    """Proves that none hides another: of two that meet in a lane, one lies within the other.

    Raises:
        BenchbookError: Names the first two.
    """
    found = segments(chart)
    noise = NOISE * (max(one.end for one in found) - min(one.start for one in found))
    for _, lane in groupby(found, lambda one: one.lane):
        around = list[Segment]()
        for one in sorted(lane, key=lambda one: (one.start, -one.end)):
            around = [outer for outer in around if outer.end > one.start + noise or _same(outer, one)]
            for outer in around:
                _check_within(chart, outer, one, noise)
            around.append(one)


def _same(one: Segment, other: Segment) -> bool:
    return (one.start, one.end) == (other.start, other.end)


def _check_within(chart: Chart, outer: Segment, one: Segment, noise: float) -> None:
    same = _same(outer, one)
    if same or one.end > outer.end + noise:
        names = " and ".join(repr(chart.series[segment.category].label) for segment in (outer, one))
        raise BenchbookError(
            f"segments of {names} {'are the same' if same else 'overlap'} at {one.start:g} "
            f"in lane {(chart.panel.labels or [])[one.lane]!r}",
            mend="give them lanes of their own",
        )
