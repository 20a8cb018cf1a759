"""The ends of a y axis, with room above and below the marks for the texts of their values."""

from collections.abc import Iterator
from math import floor, isfinite, log10

from benchbook.drawing.chart import Chart

HEADROOM = 0.14
DECADES = 100  # Matplotlib's ticks overflow near the largest float; bars that reach further are cut


def limits(chart: Chart) -> tuple[float, float]:
    """The lower and upper end; a linear axis holds 0, a log axis two or more powers of ten."""
    most = 10.0**DECADES
    numbers = [min(max(number, -most), most) for number in _numbers(chart) if isfinite(number)]
    return _log(numbers) if chart.panel.yscale == "log" else _linear(numbers)


def _linear(numbers: list[float]) -> tuple[float, float]:
    low, high = min(0.0, *numbers, 0.0), max(0.0, *numbers, 0.0)
    margin = HEADROOM * ((high - low) or 1.0)
    return low - (margin if low < 0 else 0.0), high + (margin if high > 0 or low == 0 else 0.0)


def _log(numbers: list[float]) -> tuple[float, float]:
    exponents = [max(log10(number), -DECADES) for number in numbers if number > 0] or [0.0]
    low = floor(min(exponents) - 0.3)  # the shortest bar is a third of a decade or more
    high = max(exponents) + HEADROOM * (max(exponents) - low)
    return 10.0**low, 10.0 ** max(low + 1, min(high, DECADES))


def _numbers(chart: Chart) -> Iterator[float]:
    for marks in chart.series:
        yield from (*marks.values, *marks.low, *marks.high)
    yield from (float(line.y) for line in chart.references if line.y is not None)
    for band in chart.bands:
        yield from (float(band.low), float(band.high))
