"""The names that an expression may use: the results and measurements of one run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchbook.language.quantity import ExpressionError, Quantity


@dataclass(frozen=True, slots=True)
class Names:
    """What an expression may name.

    Attributes:
        results: Named values of a run.
        measurements: Statistics by measurement: median, min, max, mad, low, high, processes, count.
        units: The unit of each measurement.
    """

    results: Mapping[str, Any]
    measurements: Mapping[str, Mapping[str, float | int | None]]
    units: Mapping[str, str]

    def value(self, name: str) -> Quantity:
        """A result, or the median of a measurement.

        Raises:
            ExpressionError: Neither has that name, or both have.
        """
        if name in self.measurements and name in self.results:
            raise ExpressionError(
                f"{name} is both a result and a measurement", mend="rename one in the snippet"
            )
        if name in self.measurements:
            return self.statistic(name, "median")
        if name in self.results:
            return Quantity(self.results[name])
        known = ", ".join(sorted([*self.results, *self.measurements])) or "none is there"
        raise ExpressionError(f"no result or measurement is named {name!r}", mend=f"use one of: {known}")

    def statistic(self, name: str, key: str) -> Quantity:
        """One statistic of a measurement, in its unit.

        Raises:
            ExpressionError: There is none of that key, or it needs more than one process.
        """
        statistics = self.measurements[name]
        if key not in statistics:
            raise ExpressionError(
                f"{name!r} has no {key!r} here", mend=f"use one of: {', '.join(statistics)}"
            )
        value = statistics[key]
        if value is None:
            raise ExpressionError(
                f"{name}.{key} needs more than one process", mend="record with --processes 10"
            )
        return Quantity(value, "" if key in ("processes", "count") else self.units.get(name, ""))
