"""Grids: the numbers of a chart in rows and columns, as a kind is read without its picture."""

from dataclasses import dataclass
from math import isfinite, isnan

from benchbook.drawing import stack
from benchbook.drawing.chart import Chart, Marks
from benchbook.drawing.segment import segments

DIGITS = 6
EXACT = 10**9  # beyond it, counting digits is harder than reading a power of ten


@dataclass(frozen=True, slots=True)
class Grid:
    """Texts; each row is as long as ``header``."""

    header: list[str]
    rows: list[list[str]]


def of_cases(chart: Chart) -> Grid:
    """A row a label, a column a series."""
    header = [chart.panel.xlabel or "case", *(_heading(marks, chart.unit) for marks in chart.series)]
    labels = chart.panel.labels or []
    return Grid(
        header, [[label, *(_value(marks, i) for marks in chart.series)] for i, label in enumerate(labels)]
    )


def of_stacks(chart: Chart) -> Grid:
    """The same, and the sum of each row."""
    cases = of_cases(chart)
    sums = stack.sums(chart)[-1]
    rows = [[*row, digits(total)] for row, total in zip(cases.rows, sums, strict=True)]
    return Grid([*cases.header, f"sum ({chart.unit})" if chart.unit else "sum"], rows)


def of_points(chart: Chart) -> Grid:
    """A row for each x, a column a series: empty where it has no point there."""
    header = [chart.panel.xlabel or "x", *(_heading(marks, chart.unit) for marks in chart.series)]
    places = sorted({x for marks in chart.series for x in marks.x})
    rows = [
        [digits(x), *(_value(marks, marks.x.index(x)) if x in marks.x else "" for marks in chart.series)]
        for x in places
    ]
    return Grid(header, rows)


def of_segments(chart: Chart) -> Grid:
    """A row a segment, lane by lane, in order of time."""
    lanes = chart.panel.labels or []
    rows = [
        [lanes[one.lane], chart.series[one.category].label, digits(one.start), digits(one.end)]
        for one in segments(chart)
    ]
    return Grid([chart.panel.ylabel, "category", "start", "end"], rows)


def digits(value: float) -> str:
    """A number with as many digits as a reader may want, such as ``3e-7``; whole ones exact."""
    if abs(value) < EXACT and value == int(value):
        return str(int(value))
    mantissa, separator, exponent = f"{value:.{DIGITS}g}".partition("e")
    return mantissa + (f"e{int(exponent)}" if separator else "")


def span(low: float, high: float) -> str:
    """A range, such as ``1e-8 to 6e-8``."""
    return f"{digits(low)} to {digits(high)}"


def _heading(marks: Marks, unit: str) -> str:
    interval = ", with interval" if any(isfinite(low) for low in marks.low) else ""
    return marks.label + (f" ({unit}{interval})" if unit else "")


def _value(marks: Marks, index: int) -> str:
    value, low, high = (ends[index] for ends in (marks.values, marks.low, marks.high))
    return digits(value) + ("" if isnan(low) or isnan(high) else f" ({span(low, high)})")
