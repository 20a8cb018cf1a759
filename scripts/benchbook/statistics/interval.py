"""The interval of a median: the percentile bootstrap, seeded by the run.

Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 13.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 9_999
CONFIDENCE = 0.95


def interval_of(values: Sequence[float], seed: str) -> tuple[float | None, float | None]:
    """The 95% interval of the median of independent values; of one value there is none.

    Args:
        values: One value per process.
        seed: The run's digest, hexadecimal: a page never changes by itself.
    """
    return (None, None) if len(values) == 1 else _interval(tuple(values), seed)


@lru_cache(maxsize=65536)  # a page, a run page and each claim ask for the same one
def _interval(values: tuple[float, ...], seed: str) -> tuple[float, float]:
    from scipy import stats  # slow to import, and needed by few commands

    interval = stats.bootstrap(
        (values,),
        _median,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(int(seed, 16)),
    ).confidence_interval
    return float(interval.low), float(interval.high)


def _median(resamples: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """What `numpy.median` gives, sooner: thousands of short rows are sorted faster than they are parted."""
    ordered = np.sort(resamples, axis=axis)
    count = ordered.shape[axis]
    low, high = (np.take(ordered, index, axis=axis) for index in ((count - 1) // 2, count // 2))
    return np.asarray((low + high) / 2)
