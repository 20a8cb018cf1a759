"""Segments: the pieces of a timeline's lanes."""

from dataclasses import dataclass

from benchbook.drawing.chart import Chart
from benchbook.drawing.soundness import interval, sound
from benchbook.errors import BenchbookError
from benchbook.run import Series


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
    sound(series.y, f"y of {what}")
    for lane in map(float, series.y):
        if lane != int(lane) or not 0 <= lane < lanes:
            raise BenchbookError(
                f"{what} has a segment on lane {lane:g}", mend=f"choose a whole number from 0 to {lanes - 1}"
            )
    interval(series, log=log)
