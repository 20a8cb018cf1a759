"""Soundness: whether numbers can be marks on an axis."""

from collections.abc import Iterable
from itertools import pairwise
from math import isfinite

from benchbook.errors import BenchbookError
from benchbook.run import Number, Series


def sound(numbers: Iterable[Number], what: str, *, log: bool = False) -> None:
    """Proves that each is finite, and more than 0 for a log axis.

    Raises:
        BenchbookError: Names the first that is not.
    """
    for number in map(float, numbers):
        if not isfinite(number):
            raise BenchbookError(f"{what} holds {number}", mend="leave that mark out, and print the value")
        if log and number <= 0:
            raise BenchbookError(
                f"{what} holds {number:g}, which a log axis cannot show",
                mend="leave that mark out, or make the axis linear",
            )


def interval(series: Series, *, log: bool = False) -> None:
    """Proves that a series has both ends of its intervals or none, and that no end is before its start.

    Raises:
        BenchbookError: With the mend.
    """
    what = f"series {series.label!r}"
    if (series.low is None) != (series.high is None):
        raise BenchbookError(f"{what} has one of low and high", mend="give both, or leave both out")
    low, high = series.low or [], series.high or []
    sound(low, f"low of {what}", log=log)
    sound(high, f"high of {what}", log=log)
    for start, end in zip(map(float, low), map(float, high), strict=True):
        if end < start:
            raise BenchbookError(f"{what} has an end {end:g} before its start {start:g}", mend="swap them")


def different(numbers: Iterable[Number], what: str) -> None:
    """Proves that no number comes twice.

    Raises:
        BenchbookError: Names the first that does.
    """
    for one, other in pairwise(sorted(map(float, numbers))):
        if one == other:
            raise BenchbookError(f"{what} holds {one:g} twice", mend="give each x one point, or two series")
