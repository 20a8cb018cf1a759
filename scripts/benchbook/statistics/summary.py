"""The summary of a measurement: the medians of its processes, their interval, and whether they are stable."""

from dataclasses import dataclass

import numpy as np

from benchbook.run import Measurement
from benchbook.statistics.interval import interval_of

LEAST_STABLE = 0.05


@dataclass(frozen=True, slots=True)
class Summary:
    """What the samples of one measurement say, in its unit.

    Attributes:
        median: Of the process medians.
        minimum: Of all samples.
        maximum: Of all samples.
        mad: Median absolute deviation of the process medians.
        low: Lower end of the 95% interval of ``median``; ``None`` with one process.
        high: Upper end of it.
        stability: ``mad / median``; ``None`` with one process, or where the median is 0 and ``mad`` is not.
        stable: Whether ``stability`` is at most 5%; ``None`` with one process.
        processes: How many processes there were.
        count: How many samples there are in all.
    """

    median: float
    minimum: float
    maximum: float
    mad: float
    low: float | None
    high: float | None
    stability: float | None
    stable: bool | None
    processes: int
    count: int


def process_medians(measurement: Measurement) -> list[float]:
    """One median per process, in the measurement's unit."""
    return [float(np.median(samples)) for samples in measurement.samples]


def summarise(measurement: Measurement, *, seed: str) -> Summary:
    """The statistics of one measurement.

    Args:
        measurement: Samples, one list per process.
        seed: The run's digest, hexadecimal.
    """
    medians = process_medians(measurement)
    median = float(np.median(medians))
    mad = float(np.median([abs(value - median) for value in medians]))
    low, high = interval_of(medians, seed)
    several = len(medians) > 1
    return Summary(
        median=median,
        minimum=float(min(map(min, measurement.samples))),
        maximum=float(max(map(max, measurement.samples))),
        mad=mad,
        low=low,
        high=high,
        stability=_stability(mad, median) if several else None,
        stable=mad <= LEAST_STABLE * abs(median) if several else None,
        processes=len(medians),
        count=sum(map(len, measurement.samples)),
    )


def _stability(mad: float, median: float) -> float | None:
    if mad == 0:
        return 0.0
    return mad / abs(median) if median else None
