"""Entries: what a chart shows, one mark, segment, line or band at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan

from benchbook.drawing import roof
from benchbook.drawing.chart import Chart, per
from benchbook.drawing.roofline import amounts
from benchbook.drawing.segment import segments

FLOPS, BYTES = ("FLOP per call", "FLOP"), ("bytes per call", "B")


@dataclass(frozen=True, slots=True)
class Entry:
    """One of them; what it has not is empty or ``None``. A value of NaN is a gap.

    Attributes:
        label: Of its case or lane.
        series: Of its series, line or band.
        x: Where it stands along x.
        x_low: The start of what spans a part of x.
        x_high: The end of it.
        value: Its y.
        low: The lower end of its interval, or of what spans a part of y.
        high: The upper end of it.
        what: The label of these three, where it is not the chart's.
        unit: Theirs, likewise.
    """

    label: str = ""
    series: str = ""
    x: float | None = None
    x_low: float | None = None
    x_high: float | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    what: str | None = None
    unit: str | None = None


def of_marks(chart: Chart) -> Iterator[Entry]:
    """Series by series, as they were recorded."""
    for marks in chart.series:
        labels = marks.labels or chart.panel.labels or [""] * len(marks.values)
        x = marks.x or [None] * len(marks.values)
        ends = ([None if isnan(end) else end for end in row] for row in (marks.low, marks.high))
        for label, at, value, low, high in zip(labels, x, marks.values, *ends, strict=True):
            yield Entry(label, marks.label, at, value=value, low=low, high=high, unit=per(marks) or None)


def of_steps(chart: Chart) -> Iterator[Entry]:
    """Series by series, from the smallest value; values that are the same are one step."""
    for marks in chart.series:
        for x, fraction in dict(zip(marks.x, marks.values, strict=True)).items():
            yield Entry(series=marks.label, x=x, value=fraction)


def of_segments(chart: Chart) -> Iterator[Entry]:
    """Lane by lane, in order of time."""
    labels = chart.panel.labels or []
    for one in segments(chart):
        series = chart.series[one.category].label
        yield Entry(labels[one.lane], series, x_low=one.start, x_high=one.end)


def of_roof(chart: Chart) -> Iterator[Entry]:
    """Dot by dot its rate, what a call computes and moves, and the part of the roof; then the roof."""
    for marks, one in zip(of_marks(chart), _work(chart), strict=True):
        yield marks
        for what, (value, unit) in one.items():
            yield Entry(marks.label, marks.series, marks.x, value=value, what=what, unit=unit)
    for bound in chart.ceilings:
        low, high = (None if isnan(end) else end for end in (bound.low, bound.high))
        rate, amount = ("bandwidth", BYTES) if bound.slanted else ("rate", FLOPS)
        yield Entry(series=bound.label, value=bound.value, low=low, high=high, what=rate, unit=bound.unit)
        yield Entry(series=bound.label, value=bound.amount, what=amount[0], unit=amount[1])
    yield Entry(series="ridge", x=roof.ridge(chart.ceilings), value=roof.best(chart.ceilings)[1].value)


def _work(chart: Chart) -> Iterator[dict[str, tuple[float, str]]]:
    """Of each dot, with its unit."""
    for marks, series in zip(chart.series, chart.panel.series, strict=True):
        rows = zip(amounts(series.flops), amounts(series.bytes), marks.x, marks.values, strict=True)
        for flops, moved, x, rate in rows:
            part = rate / roof.at(chart.ceilings, x)
            yield {FLOPS[0]: (flops, FLOPS[1]), BYTES[0]: (moved, BYTES[1]), "part of the roof": (part, "")}


def of_guides(chart: Chart) -> Iterator[Entry]:
    """The lines, then the band."""
    for line in chart.references:
        at = line.place
        yield Entry(series=line.label, x=at) if line.axis == "x" else Entry(series=line.label, value=at)
    for band in chart.bands:
        low, high = float(band.low), float(band.high)
        if band.axis == "x":
            yield Entry(series=band.label, x_low=low, x_high=high)
        else:
            yield Entry(series=band.label, low=low, high=high)
