"""Grids: the numbers of a chart in rows and columns, as a kind is read without its picture."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from math import isfinite, isnan

from benchbook import reading
from benchbook.drawing import roof, samples, scatter, stack
from benchbook.drawing.chart import Chart, Marks, per
from benchbook.drawing.roofline import amounts
from benchbook.drawing.segment import Segment, crowded, segments

DIGITS, MOST = 6, 17  # with 17 every two floats differ
QUARTILES = (25, 50, 75)
QUANTILES = (25, 50, 75, 95, 99)
EXACT = 10**9  # beyond it, counting digits is harder than reading a power of ten


@dataclass(frozen=True, slots=True)
class Grid:
    """Texts; each row is as long as ``header``."""

    header: list[str]
    rows: list[list[str]]


def of_cases(chart: Chart) -> Grid:
    """A row a label, a column a series."""
    header = [chart.panel.xlabel or "case", *(_heading(marks, chart.unit) for marks in chart.series)]
    columns = map(_cells, chart.series)
    return Grid(header, [[*row] for row in zip(chart.panel.labels or [], *columns, strict=True)])


def of_stacks(chart: Chart) -> Grid:
    """The same, and the sum of each row."""
    cases = of_cases(chart)
    rows = [[*row, total] for row, total in zip(cases.rows, apart(stack.sums(chart)[-1]), strict=True)]
    return Grid([*cases.header, f"sum ({chart.unit})" if chart.unit else "sum"], rows)


def of_points(chart: Chart) -> Grid:
    """A row for each x, a column a series: empty where it has no point there. Two at one x take two."""
    header = [chart.panel.xlabel or "x", *(_heading(marks, chart.unit) for marks in chart.series)]
    columns = [dict(zip(_counted(marks.x), _cells(marks), strict=True)) for marks in chart.series]
    places = sorted({place for column in columns for place in column})
    rows = zip(places, apart([x for x, _ in places]), strict=True)
    return Grid(header, [[text, *(column.get(place, "") for column in columns)] for place, text in rows])


def of_dots(chart: Chart) -> Grid:
    """The same of a few; of many a row a series that says how its values lie."""
    if not scatter.fine(chart):
        return of_points(chart)
    return _spread([(marks.label, marks.values) for marks in chart.series], QUARTILES)


def of_steps(chart: Chart) -> Grid:
    """A row a series: its smallest value, quantiles, and its largest."""
    return _spread([(marks.label, marks.x) for marks in chart.series], QUANTILES)


def of_roof(chart: Chart) -> Grid:
    """A row a dot, then the ceilings and the ridge of their roof."""
    header = ["dot or ceiling", "FLOP per call", "bytes per call", "FLOP/byte", "GFLOP/s", "part of the roof"]
    rows = list[list[str]]()
    for marks, series in zip(chart.series, chart.panel.series, strict=True):
        work = zip(amounts(series.flops), amounts(series.bytes), marks.x, strict=True)
        for name, one, value, cell in zip(marks.labels, work, marks.values, _cells(marks), strict=True):
            label = f"{marks.label}: {name}" if len(marks.x) > 1 else marks.label
            part = value / roof.at(chart.ceilings, one[-1])
            rows.append([label, *map(digits, one), cell, f"{reading.text(100 * part)}%"])
    for bound in chart.ceilings:
        (cell,) = _cells(Marks(bound.label, (), (bound.value,), (bound.low,), (bound.high,)))
        amount = digits(bound.amount)
        if bound.slanted:
            rows.append([bound.label, "", amount, "", f"bandwidth, GB/s: {cell}", ""])
        else:
            rows.append([bound.label, amount, "", "", cell, ""])
    rate = roof.best(chart.ceilings)[1]
    rows.append(["ridge", "", "", digits(roof.ridge(chart.ceilings)), digits(rate.value), "100%"])
    return Grid(header, rows)


def of_segments(chart: Chart) -> Grid:
    """A row a segment, lane by lane, in order of time; of many a row a lane and category."""
    lanes = chart.panel.labels or []
    found = segments(chart)
    if crowded(chart):
        return _together(chart, found)
    ends = apart([*(one.start for one in found), *(one.end for one in found)])
    rows = [
        [lanes[one.lane], chart.series[one.category].label, start, end]
        for one, start, end in zip(found, ends[: len(found)], ends[len(found) :], strict=True)
    ]
    return Grid([chart.panel.ylabel, "category", "start", "end"], rows)


def _together(chart: Chart, found: Sequence[Segment]) -> Grid:
    """How many segments each category has in each lane, where they lie, and how long they are."""
    rows, lanes = list[list[str]](), chart.panel.labels or []
    keys = sorted({(one.lane, one.category) for one in found})
    groups = {key: [one for one in found if (one.lane, one.category) == key] for key in keys}
    firsts = [own[0].start for own in groups.values()]
    ends = apart([*firsts, *(max(one.end for one in own) for own in groups.values())])
    places = zip(ends[: len(firsts)], ends[len(firsts) :], strict=True)
    for ((lane, category), own), (start, end) in zip(groups.items(), places, strict=True):
        lengths = [one.end - one.start for one in own]
        lasting = map(digits, (min(lengths), max(lengths), sum(lengths)))
        rows.append([lanes[lane], chart.series[category].label, str(len(own)), start, end, *lasting])
    header = ("category", "segments", "first start", "last end", "shortest", "longest", "sum of lengths")
    return Grid([chart.panel.ylabel, *header], rows)


def apart(values: Sequence[float]) -> list[str]:
    """Numbers of a column, with as many digits as tell them apart."""
    different = {value for value in values if isfinite(value)}

    def tells(count: int) -> bool:
        return len({float(digits(value, count)) for value in different}) == len(different)

    count = next(filter(tells, range(DIGITS, MOST)), MOST)
    return [digits(value, count) for value in values]


def digits(value: float, count: int = DIGITS) -> str:
    """A number with as many digits as a reader may want, such as ``3e-7``; whole ones exact."""
    if abs(value) < EXACT and value == int(value):
        return str(int(value))
    mantissa, separator, exponent = f"{value:.{count}g}".partition("e")
    return mantissa + (f"e{int(exponent)}" if separator else "")


def span(low: float, high: float) -> str:
    """A range, such as ``1e-8 to 6e-8``."""
    return f"{digits(low)} to {digits(high)}"


def _counted(places: Sequence[float]) -> Iterator[tuple[float, int]]:
    """Each with how often it came before."""
    seen = Counter[float]()
    for place in places:
        yield place, seen[place]
        seen[place] += 1


def _spread(rows: Sequence[tuple[str, Sequence[float]]], percents: Sequence[int]) -> Grid:
    found = [samples.quantiles(values, percents) for _, values in rows]
    kept = [any(row[column] is not None for row in found) for column in range(len(percents))]
    header = ["series", "samples", "smallest", *(f"{p}%" for p in compress(percents, kept)), "largest"]
    columns = [
        [min(values) for _, values in rows],
        *compress(zip(*found, strict=True), kept),
        [max(values) for _, values in rows],
    ]
    texts = [_filled(column) for column in columns]
    counts = [str(len(values)) for _, values in rows]
    return Grid(header, [[*row] for row in zip([label for label, _ in rows], counts, *texts, strict=True)])


def _filled(column: Sequence[float | None]) -> list[str]:
    """As `apart`; what is not there is empty."""
    texts = iter(apart([value for value in column if value is not None]))
    return ["" if value is None else next(texts) for value in column]


def _heading(marks: Marks, unit: str) -> str:
    interval = "with interval" if any(isfinite(low) for low in marks.low) else ""
    notes = ", ".join(note for note in (per(marks), unit, interval) if note)
    return marks.label + (f" ({notes})" if notes else "")


def _cells(marks: Marks) -> list[str]:
    """Each value, and its interval where it has one."""
    texts = apart([*marks.values, *marks.low, *marks.high])
    count = len(marks.values)
    rows = zip(texts[:count], texts[count : 2 * count], texts[2 * count :], strict=True)
    ends = zip(marks.low, marks.high, strict=True)
    has = [not isnan(low) and not isnan(high) for low, high in ends]
    return [
        f"{value} ({low} to {high})" if both else value
        for (value, low, high), both in zip(rows, has, strict=True)
    ]
