"""Samples: every one of a measurement, where a median would hide how they lie."""

from bisect import bisect_right
from collections.abc import Sequence
from math import nan

from benchbook.drawing.chart import Marks
from benchbook.run import Measurement

WHOLE = 100  # percent


def calls(label: str, measurement: Measurement, factor: float) -> Marks:
    """Each sample over the number of its call, from 1 in each process.

    Args:
        label: Of the series.
        measurement: All of its processes.
        factor: Each sample is divided by it.
    """
    rows = [
        (f"process {process}", float(call), sample / factor)
        for process, samples in enumerate(measurement.samples, 1)
        for call, sample in enumerate(samples, 1)
    ]
    labels, x, values = zip(*rows, strict=True)
    return Marks(label, x, values, *_without(values), labels)


def steps(label: str, values: Sequence[float]) -> Marks:
    """Each value along x, from the smallest, over the fraction of all that lie at or below it."""
    x = tuple(sorted(values))
    fractions = tuple(bisect_right(x, value) / len(x) for value in x)
    return Marks(label, x, fractions, *_without(fractions))


def quantiles(values: Sequence[float], percents: Sequence[int]) -> list[float | None]:
    """For each the smallest value at or below which so many percent lie; ``None`` where they are too few.

    Args:
        values: One or more, in any order.
        percents: From 1 to 99. 99 takes a hundred values, since of fewer it is the largest.
    """
    x = sorted(values)
    return [
        x[-(-percent * len(x) // WHOLE) - 1] if len(x) * min(percent, WHOLE - percent) >= WHOLE else None
        for percent in percents
    ]


def _without(values: Sequence[float]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return (nan,) * len(values), (nan,) * len(values)
