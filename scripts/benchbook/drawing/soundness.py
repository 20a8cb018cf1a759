"""Soundness: whether numbers can be marks on an axis."""

from collections.abc import Iterable
from itertools import pairwise
from math import isfinite

from benchbook.errors import BenchbookError
from benchbook.run import Number, Series

MOST = 1e100  # Matplotlib's ticks overflow near the largest float


def sound(numbers: Iterable[Number], what: str, *, log: bool = False) -> None:
    """Proves that each is finite and has a place on an axis, and is more than 0 for a log one.

    Raises:
        BenchbookError: Names the first that is not.
    """
    found = [*map(float, numbers)]
    bounded(found, what, log=log)
    for number in found:
        if not isfinite(number):
            raise BenchbookError(f"{what} holds {number}", mend="leave that mark out, and print the value")
        if log and number <= 0:
            raise BenchbookError(
                f"{what} holds {number:g}, which a log axis cannot show",
                mend="leave that mark out, or make the axis linear",
            )


def bounded(numbers: Iterable[float], what: str, *, log: bool = False) -> None:
    """Proves that no number is too large for an axis, or too small for a log one; a gap is neither.

    Raises:
        BenchbookError: Names the first that is.
    """
    for number in numbers:
        if isfinite(number) and (abs(number) > MOST or (log and 0 < number < 1 / MOST)):
            raise BenchbookError(
                f"{what} holds {number:g}, which no axis can show",
                mend="leave that mark out, and print the value",
            )


def ends(series: Series, *, log: bool = False) -> None:
    """Proves that a series has both low and high or neither, and that no end is before its start.

    Raises:
        BenchbookError: With the mend.
    """
    what = f"series {series.label!r}"
    if (series.low is None) != (series.high is None):
        raise BenchbookError(f"{what} has one of low and high", mend="give both, or leave both out")
    rows = [*zip(map(float, series.y or []), series.low or [], series.high or [], strict=False)]
    kept = [(float(low), float(high)) for y, low, high in rows if isfinite(y)]  # a gap has no interval
    sound([low for low, _ in kept], f"low of {what}", log=log)
    sound([high for _, high in kept], f"high of {what}", log=log)
    for start, end in kept:
        if end < start:
            raise BenchbookError(f"{what} has an end {end:g} before its start {start:g}", mend="swap them")


def interval(series: Series, *, log: bool = False) -> None:
    """Proves that the intervals of a series are right, and that each holds its value.

    Raises:
        BenchbookError: With the mend.
    """
    ends(series, log=log)
    rows = zip(series.y or [], series.low or [], series.high or [], strict=False)
    for value, low, high in (map(float, row) for row in rows):
        if value < low or value > high:
            raise BenchbookError(
                f"series {series.label!r} has a value {value:g} outside its interval {low:g} to {high:g}",
                mend="give low and high as they are on the axis, not as distances",
            )


def different(numbers: Iterable[Number], what: str) -> None:
    """Proves that no number comes twice.

    Raises:
        BenchbookError: Names the first that does.
    """
    for one, other in pairwise(sorted(map(float, numbers))):
        if one == other:
            raise BenchbookError(f"{what} holds {one:g} twice", mend="give each x one point, or two series")
