"""Statistics of a run: medians of processes, their intervals, verdicts on claims. None of it is stored.

Samples of one process share its memory layout and its moment, so a process counts once: as its median. The
interval is the percentile bootstrap of those medians (Efron and Tibshirani, *An Introduction to the
Bootstrap*, 1993, chapter 13), seeded by the run, so that a page never changes by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from benchbook.errors import BenchbookError
from benchbook.language import expression
from benchbook.language.expression import Names, Verdict
from benchbook.language.quantity import ORDERS
from benchbook.run import Measurement, Run

RESAMPLES = 9_999
CONFIDENCE = 0.95
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


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two quantities that the same processes measured.

    Attributes:
        estimate: Median of the per-process ratios.
        low: Lower end of its 95% interval; ``None`` with one process.
        high: Upper end of it.
    """

    estimate: float
    low: float | None
    high: float | None


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
    low, high = _interval(medians, seed)
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


def ratio(numerator: Sequence[float], denominator: Sequence[float], *, seed: str) -> Ratio:
    """The ratio of two quantities, paired by process.

    Args:
        numerator: One value per process.
        denominator: One positive value per process, in the same order.
        seed: The run's digest, hexadecimal.

    Raises:
        BenchbookError: A denominator is not positive.
    """
    if min(denominator) <= 0:
        raise BenchbookError(
            f"a ratio to {min(denominator):g}", mend="measure something longer than the clock's step"
        )
    ratios = [above / below for above, below in zip(numerator, denominator, strict=True)]
    low, high = _interval(ratios, seed)
    return Ratio(float(np.median(ratios)), low, high)


def verdict(operator: str, ratio: Ratio) -> Verdict:
    """What the interval of A/B says to ``A operator B``.

    Args:
        operator: One of ``>``, ``<``, ``>=``, ``<=``.
        ratio: A divided by B.
    """
    if ratio.low is None or ratio.high is None:
        return Verdict.INCONCLUSIVE
    order = ORDERS[operator]
    if operator.startswith(">"):
        holds, fails = order(ratio.low, 1), ratio.high < 1
    else:
        holds, fails = order(ratio.high, 1), ratio.low > 1
    if holds:
        return Verdict.HOLDS
    return Verdict.FAILS if fails else Verdict.INCONCLUSIVE


def names(run: Run, *, seed: str) -> Names:
    """What an expression over a run may name."""
    summaries = {name: summarise(measurement, seed=seed) for name, measurement in run.measurements.items()}
    return Names(
        results=run.results,
        measurements={name: _statistics(summary) for name, summary in summaries.items()},
        units={name: measurement.unit for name, measurement in run.measurements.items()},
    )


def claim(text: str, run: Run, seed: str) -> tuple[Verdict, Ratio | None]:
    """What a run says to a claim, and the ratio that decided it where the claim names a measurement.

    Args:
        text: The claim, as a page writes it.
        run: The run.
        seed: The run's digest, hexadecimal.

    Raises:
        ExpressionError: The claim is wrong.
    """
    if not expression.claims_time(text, run.measurements):
        return expression.decide(text, Names(run.results, {}, {})), None
    expression.evaluate(text, names(run, seed=seed))  # only this knows the units: it refuses unlike ones
    medians = {name: process_medians(measurement) for name, measurement in run.measurements.items()}
    operator, left, right = expression.sides(text, medians, run.results)
    decided_by = ratio(left, right, seed=seed)
    return verdict(operator, decided_by), decided_by


def _interval(values: Sequence[float], seed: str) -> tuple[float | None, float | None]:
    if len(values) == 1:
        return None, None
    interval = stats.bootstrap(
        (values,),
        np.median,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(int(seed, 16)),
    ).confidence_interval
    return float(interval.low), float(interval.high)


def _stability(mad: float, median: float) -> float | None:
    if mad == 0:
        return 0.0
    return mad / abs(median) if median else None


def _statistics(summary: Summary) -> dict[str, float | int | None]:
    return {
        "median": summary.median,
        "min": summary.minimum,
        "max": summary.maximum,
        "mad": summary.mad,
        "low": summary.low,
        "high": summary.high,
        "processes": summary.processes,
        "count": summary.count,
    }
