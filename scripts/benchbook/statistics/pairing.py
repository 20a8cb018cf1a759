"""The pairing of two quantities by process: their ratio, and the verdict of its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchbook.errors import BenchbookError
from benchbook.language.expression import Verdict
from benchbook.language.order import ORDERS
from benchbook.statistics.interval import interval_of


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
    low, high = interval_of(ratios, seed)
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
