"""The resolution of a panel: medians and their intervals in the place of measurements' names, in one unit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from typing import Any

import numpy as np

from benchbook import reading
from benchbook.drawing import ratio
from benchbook.drawing.chart import Chart, Marks, Measured
from benchbook.errors import BenchbookError
from benchbook.run import Band, Number, Panel, Reference, Series
from benchbook.statistics import process_medians, summarise

SECOND = 1e9  # in the unit that time is stored in


@dataclass(frozen=True, slots=True)
class Scaling:
    """The unit in which a panel is drawn.

    Attributes:
        unit: With its prefix; empty when the panel shows no measurements.
        factor: A sample is divided by it.
        own: A number of the panel is multiplied by it.
    """

    unit: str
    factor: float
    own: float


def resolve(panel: Panel, measurements: Measured, *, seed: str) -> Chart:
    """Puts medians and their 95% intervals in the place of measurements' names.

    In a panel that shows measurements of time, its own numbers, lines and bands are in seconds, as a
    snippet's samples are. In one of ratios they have no unit.

    Args:
        panel: The recorded panel.
        measurements: Those of its run.
        seed: The run's digest, which seeds the bootstrap.

    Raises:
        BenchbookError: The panel shows measurements of different units, or a ratio to nothing.
    """
    scaling = scale(panel, measurements)
    return assemble(panel, scaling, [marks(series, measurements, scaling, seed) for series in panel.series])


def scale(panel: Panel, measurements: Measured) -> Scaling:
    """The unit in which the largest median, and the largest of the panel's own numbers, is read well.

    Raises:
        BenchbookError: The panel shows measurements of different units.
    """
    if ratio.shown(panel):
        return Scaling("", 1.0, 1.0)
    shown = {name: measurements[name] for series in panel.series for name in series.names}
    units = sorted({measurement.unit for measurement in shown.values()})
    if len(units) > 1:
        raise BenchbookError(
            f"one panel shows {' and '.join(units)}", mend="give each unit a panel of its own"
        )
    own = SECOND if units == ["ns"] else 1.0
    largest = max(_finite(panel, shown, own), default=0.0)
    factor, name = reading.scale(largest, units[0]) if units else (1.0, "")
    return Scaling(name, factor, own / factor)


def assemble(panel: Panel, scaling: Scaling, series: Sequence[Marks], *, along: bool = False) -> Chart:
    """The chart of series that are in its unit; lines and bands are brought into it.

    Args:
        panel: The recorded panel.
        scaling: From `scale`.
        series: One a series of the panel.
        along: Whether the unit is that of x, and not of y.
    """
    axis = "x" if along else "y"
    return Chart(
        panel=panel,
        unit="" if along else scaling.unit,
        series=tuple(series),
        references=tuple(_line(line, axis, scaling.own) for line in panel.references),
        bands=tuple(_band(band, axis, scaling.own) for band in panel.bands),
        xunit=scaling.unit if along else "",
    )


def marks(series: Series, measurements: Measured, scaling: Scaling, seed: str) -> Marks:
    """Of one series: its own numbers, or medians with their intervals, or ratios with theirs."""
    x = tuple(map(float, series.x or []))
    if series.over is not None:
        ratios = ratio.of(series, series.over, measurements, seed)
        values = tuple(one.estimate for one in ratios)
        low, high = _ends([one.low for one in ratios], 1.0), _ends([one.high for one in ratios], 1.0)
        return Marks(series.label, x, values, low, high, over=series.over)
    if series.y is None:
        found = [summarise(measurements[name], seed=seed) for name in series.names]
        factor = 1 / scaling.factor
        values = tuple(summary.median / scaling.factor for summary in found)
        low, high = _ends([one.low for one in found], factor), _ends([one.high for one in found], factor)
        return Marks(series.label, x, values, low, high)
    values = tuple(float(y) * scaling.own for y in series.y)
    without = [None] * len(values)
    low, high = (_ends(ends or without, scaling.own) for ends in (series.low, series.high))
    return Marks(series.label, x, values, low, high)


def _finite(panel: Panel, shown: Measured, own: float) -> Iterator[float]:
    yield from (float(np.median(process_medians(measurement))) for measurement in shown.values())
    for series in panel.series:
        yield from (float(y) * own for y in series.y or [] if isfinite(float(y)))


def _ends(ends: Sequence[Number | None], scale: float) -> tuple[float, ...]:
    return tuple(nan if end is None else float(end) * scale for end in ends)


def _line(line: Reference, axis: str, scale: float) -> Reference:
    return _scaled(line, scale, axis) if line.axis == axis else line


def _band(band: Band, axis: str, scale: float) -> Band:
    return _scaled(band, scale, "low", "high") if band.axis == axis else band


def _scaled[T: (Reference, Band)](entry: T, scale: float, *fields: str) -> T:
    update: dict[str, Any] = {field: float(getattr(entry, field)) * scale for field in fields}
    return entry.model_copy(update=update)
