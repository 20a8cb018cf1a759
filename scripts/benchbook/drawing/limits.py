"""The ends of an axis, with room around the marks, and above them for the texts of their values."""

from collections.abc import Iterable, Iterator
from math import ceil, floor, isfinite, log10
from typing import Literal

from benchbook.drawing.chart import Chart

Ends = tuple[float, float]
HEADROOM = 0.14
MARGIN = 0.05
ZERO = 0.25  # the part of an axis that 0 may take
PLAIN = (1e-3, 1e5)  # what a log axis names between powers of ten, and without them
SHORTEST = 0.02  # decades of a log axis, so that its numbers have few digits


def standing(chart: Chart, *more: float) -> Ends:
    """Of a y axis with bars: a linear one holds 0, a log one two or more powers of ten.

    Args:
        chart: Its marks, lines and band.
        more: What else the axis shows.
    """
    numbers = _kept([*_values(chart), *guides(chart, "y"), *more])
    if chart.panel.yscale == "log":
        exponents = _exponents(numbers)
        low = float(floor(min(exponents) - 0.3))  # the shortest bar is a third of a decade or more
        high = max(exponents) + HEADROOM * (max(exponents) - low)
        return 10.0**low, 10.0 ** max(low + 1, high)
    low, high = min(0.0, *numbers, 0.0), max(0.0, *numbers, 0.0)
    margin = HEADROOM * ((high - low) or 1.0)
    return low - (margin if low < 0 else 0.0), high + (margin if high > 0 or low == 0 else 0.0)


def floating(chart: Chart, *more: float, below: float = MARGIN, above: float = MARGIN) -> Ends:
    """Of a y axis with points, which needs no 0; it is there where it takes little of the axis.

    Args:
        chart: Its marks, lines and band.
        more: What else the axis shows.
        below: The room below them, as a part of what they span.
        above: The room above them.
    """
    numbers = _kept([*_values(chart), *guides(chart, "y"), *more])
    if chart.panel.yscale == "log":
        return _decades(_exponents(numbers), below, above)
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    if 0 < low < ZERO * high:
        return 0.0, high * (1 + above)
    return _around(low, high, below, above)


def along(chart: Chart, numbers: Iterable[float]) -> Ends:
    """Of an x axis that shows these numbers, the lines and the band; a log one holds two powers of ten."""
    kept = _kept([*numbers, *guides(chart, "x")])
    if chart.panel.xscale == "log":
        return _decades(_exponents(kept), MARGIN, MARGIN)
    return _around(min(kept), max(kept), MARGIN, MARGIN)


def _around(low: float, high: float, below: float, above: float) -> Ends:
    span = (high - low) or abs(high) or 1.0
    return low - below * span, high + above * span


def _decades(exponents: list[float], below: float, above: float) -> Ends:
    low, high = min(exponents), max(exponents)
    lacking = max(SHORTEST - (high - low), 0.0) / 2 if low < high else 0.5
    low, high = _around(low - lacking, high + lacking, below, above)
    if floor(high) - ceil(low) < 1 and not PLAIN[0] <= 10.0**low < 10.0**high <= PLAIN[1]:
        low, high = _around(floor(low), ceil(high), MARGIN, MARGIN)  # else it had fewer than two ticks
    if floor(high) > low:
        high = max(high, floor(high) + MARGIN * (high - low))  # half of that power's text is beyond it
    return 10.0**low, 10.0**high


def _kept(numbers: Iterable[float]) -> list[float]:
    return [number for number in numbers if isfinite(number)]


def _exponents(numbers: Iterable[float]) -> list[float]:
    return [log10(number) for number in numbers if number > 0] or [0.0]


def _values(chart: Chart) -> Iterator[float]:
    for marks in chart.series:
        yield from (*marks.values, *marks.low, *marks.high)


def guides(chart: Chart, axis: Literal["x", "y"]) -> Iterator[float]:
    """Where the lines and the band of an axis are."""
    yield from (line.place for line in chart.references if line.axis == axis)
    for band in chart.bands:
        if band.axis == axis:
            yield from (float(band.low), float(band.high))
