"""A chart: a panel with its numbers resolved, in the unit that it is drawn in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan

from benchbook import reading
from benchbook.errors import BenchbookError
from benchbook.run import Band, Measurement, Number, Panel, Reference, Series
from benchbook.statistics import Summary, summarise

SECOND = 1e9  # in the unit that time is stored in


@dataclass(frozen=True, slots=True)
class Marks:
    """One series: its values, and an interval where there is one.

    Attributes:
        label: Its name in the legend.
        x: Where each value stands along x; empty where the panel's labels say it.
        values: NaN and infinities are gaps.
        low: The lower ends of the intervals, NaN where there is none.
        high: The upper ends.
    """

    label: str
    x: tuple[float, ...]
    values: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What a kind draws.

    Attributes:
        panel: The recorded panel; its kind, labels, scales and texts.
        unit: The unit of measurements, with its prefix; empty when the panel shows none.
        series: The numbers, in ``unit``.
        references: Lines, in ``unit``.
        bands: Shaded ranges, in ``unit``.
    """

    panel: Panel
    unit: str
    series: tuple[Marks, ...]
    references: tuple[Reference, ...]
    bands: tuple[Band, ...]

    @property
    def ylabel(self) -> str:
        """The panel's label of the y axis, with the unit."""
        return f"{self.panel.ylabel} ({self.unit})" if self.unit else self.panel.ylabel


def names(series: Series) -> list[str]:
    """The measurements that a series shows."""
    return [series.measurement] if isinstance(series.measurement, str) else list(series.measurement or [])


def count(series: Series) -> int:
    """How many values a series has."""
    return len(names(series)) if series.y is None else len(series.y)


def drawable(chart: Chart, values: Iterable[float]) -> list[bool]:
    """Whether the y axis can show each value."""
    log = chart.panel.yscale == "log"
    return [isfinite(value) and not (log and value <= 0) for value in values]


def resolve(panel: Panel, measurements: Mapping[str, Measurement], *, seed: str) -> Chart:
    """Puts medians and their 95% intervals in the place of measurements' names.

    In a panel that shows measurements of time, its own numbers, lines and bands are in seconds, as a
    snippet's samples are.

    Args:
        panel: The recorded panel.
        measurements: Those of its run.
        seed: The run's digest, which seeds the bootstrap.

    Raises:
        BenchbookError: The panel shows measurements of different units.
    """
    shown = {name: measurements[name] for series in panel.series for name in names(series)}
    units = sorted({measurement.unit for measurement in shown.values()})
    if len(units) > 1:
        raise BenchbookError(
            f"one panel shows {' and '.join(units)}", mend="give each unit a panel of its own"
        )
    summaries = {name: summarise(measurement, seed=seed) for name, measurement in shown.items()}
    own = SECOND if units == ["ns"] else 1.0
    largest = max(_finite(panel, summaries, own), default=0.0)
    factor, name = reading.scale(largest, units[0]) if units else (1.0, "")
    scale = own / factor
    return Chart(
        panel=panel,
        unit=name,
        series=tuple(_marks(series, summaries, factor, scale) for series in panel.series),
        references=tuple(line.model_copy(update=_scaled(line.y, "y", scale)) for line in panel.references),
        bands=tuple(_band(band, scale) for band in panel.bands),
    )


def _finite(panel: Panel, summaries: Mapping[str, Summary], own: float) -> Iterator[float]:
    yield from (summary.median for summary in summaries.values())
    for series in panel.series:
        yield from (float(y) * own for y in series.y or [] if isfinite(float(y)))


def _marks(series: Series, summaries: Mapping[str, Summary], factor: float, scale: float) -> Marks:
    x = tuple(map(float, series.x or []))
    if series.y is None:
        found = [summaries[name] for name in names(series)]
        values = tuple(summary.median / factor for summary in found)
        low, high = ([s.low for s in found], [s.high for s in found])
        return Marks(series.label, x, values, _ends(low, 1 / factor), _ends(high, 1 / factor))
    values = tuple(float(y) * scale for y in series.y)
    without = [None] * len(values)
    low_ends, high_ends = (_ends(ends or without, scale) for ends in (series.low, series.high))
    return Marks(series.label, x, values, low_ends, high_ends)


def _ends(ends: Sequence[Number | None], scale: float) -> tuple[float, ...]:
    return tuple(nan if end is None else float(end) * scale for end in ends)


def _scaled(value: Number | None, field: str, scale: float) -> dict[str, float]:
    return {} if value is None else {field: float(value) * scale}


def _band(band: Band, scale: float) -> Band:
    if band.axis == "x":
        return band
    return band.model_copy(update=_scaled(band.low, "low", scale) | _scaled(band.high, "high", scale))
