"""A chart: a panel with its numbers resolved, in the unit that it is drawn in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

from benchbook.run import Band, Measurement, Panel, Reference, Series

Measured = Mapping[str, Measurement]  # those of a run, by name


@dataclass(frozen=True, slots=True)
class Marks:
    """One series: its values, and an interval where there is one.

    Attributes:
        label: Its name in the legend.
        x: Where each value stands along x; empty where the panel's labels say it.
        values: NaN and infinities are gaps.
        low: The lower ends of the intervals, NaN where there is none.
        high: The upper ends.
        labels: What each is of, such as its process; empty where the panel's labels say it.
        over: The measurement to which the values are ratios; empty where they are none.
    """

    label: str
    x: tuple[float, ...]
    values: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    labels: tuple[str, ...] = ()
    over: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """One ceiling of a roofline.

    Attributes:
        label: What it is the bound of.
        slanted: Whether it is a bandwidth, in GB/s, and no rate, in GFLOP/s.
        amount: The bytes or the FLOPs of a call.
        value: From the median.
        low: The lower end of its interval, NaN where there is none.
        high: The upper end.
    """

    label: str
    slanted: bool
    amount: float
    value: float
    low: float
    high: float

    @property
    def unit(self) -> str:
        """Of value, low and high."""
        return "GB/s" if self.slanted else "GFLOP/s"

    def at(self, intensity: float) -> float:
        """The most that it allows, in GFLOP/s, at so many FLOP a byte."""
        return self.value * intensity if self.slanted else self.value


@dataclass(frozen=True, slots=True)
class Chart:
    """What a kind draws.

    Attributes:
        panel: The recorded panel; its kind, labels, scales and texts.
        unit: Of the numbers along y, with its prefix; empty when they are the panel's own.
        series: The numbers, in ``unit`` and ``xunit``.
        references: Lines, likewise.
        bands: Shaded ranges, likewise.
        xunit: Of the numbers along x, likewise.
        ceilings: Of a roofline.
    """

    panel: Panel
    unit: str
    series: tuple[Marks, ...]
    references: tuple[Reference, ...]
    bands: tuple[Band, ...]
    xunit: str = ""
    ceilings: tuple[Bound, ...] = ()

    @property
    def xlabel(self) -> str:
        """The panel's label of the x axis, with the unit; empty where it has none."""
        return _with(self.panel.xlabel or "", self.xunit)

    @property
    def ylabel(self) -> str:
        """The panel's label of the y axis, with the unit."""
        return _with(self.panel.ylabel, self.unit)


def count(series: Series) -> int:
    """How many values a series has."""
    return len(series.names) if series.y is None else len(series.y)


def per(marks: Marks) -> str:
    """What the values are ratios to, such as ``ratio to eager``; empty where they are none."""
    return f"ratio to {marks.over}" if marks.over else ""


def drawable(chart: Chart, values: Iterable[float]) -> list[bool]:
    """Whether the y axis can show each value."""
    log = chart.panel.yscale == "log"
    return [isfinite(value) and not (log and value <= 0) for value in values]


def _with(label: str, unit: str) -> str:
    return f"{label} ({unit})" if unit else label
