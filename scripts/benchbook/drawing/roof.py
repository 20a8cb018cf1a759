"""A roof: what the measured bandwidths and rates of a machine allow at each arithmetic intensity.

Williams, Waterman and Patterson, *Roofline*, Communications of the ACM 52(4), 2009.
"""

from collections.abc import Sequence
from math import nan
from typing import Final

from benchbook.drawing.chart import Bound, Measured
from benchbook.drawing.soundness import sound
from benchbook.errors import BenchbookError
from benchbook.run import Ceiling, Number, Panel
from benchbook.statistics import summarise

TIME: Final = "ns"  # one FLOP in a nanosecond is one GFLOP/s
Rate = tuple[float, float, float]


def check(panel: Panel) -> None:
    """Proves that a panel has a bandwidth and a rate, each of them of something.

    Raises:
        BenchbookError: With the mend.
    """
    for ceiling in panel.ceilings:
        if (ceiling.bytes is None) == (ceiling.flops is None):
            given = "none" if ceiling.bytes is None else "both"
            raise BenchbookError(
                f"ceiling {ceiling.label!r} has {given} of bytes and flops",
                mend="give 'bytes' for a bandwidth, or 'flops' for a rate: those of one call",
            )
        positive([_amount(ceiling)], f"ceiling {ceiling.label!r}")
    for field, what in (("bytes", "bandwidth"), ("flops", "rate")):
        if all(getattr(ceiling, field) is None for ceiling in panel.ceilings):
            raise BenchbookError(
                f"a roofline has no {what}", mend=f"measure one, and name it in 'ceilings' with its '{field}'"
            )


def positive(amounts: Sequence[Number], what: str) -> None:
    """Proves that FLOPs or bytes can stand on a log axis.

    Raises:
        BenchbookError: Names the first that cannot.
    """
    sound(amounts, f"FLOPs or bytes of {what}")
    for amount in map(float, amounts):
        if amount <= 0:
            raise BenchbookError(
                f"{what} has {amount:g} FLOPs or bytes a call",
                mend="leave out what computes or moves nothing",
            )


def rate(amount: float, name: str, measurements: Measured, seed: str) -> Rate:
    """FLOPs or bytes over the time of a call, in billions a second: from the median, and its interval.

    Args:
        amount: Of one call.
        name: Of the measurement.
        measurements: Those of the run.
        seed: The run's digest.

    Raises:
        BenchbookError: The measurement is no time, or shorter than the clock can tell.
    """
    if measurements[name].unit != TIME:
        raise BenchbookError(
            f"{name} is in {measurements[name].unit}, and a rate needs a time",
            mend="name a measurement of time",
        )
    found = summarise(measurements[name], seed=seed)
    if not found.median or found.low == 0:
        raise BenchbookError(f"{name} took 0 ns", mend="measure something longer than the clock's step")
    low, high = (nan if end is None else amount / end for end in (found.high, found.low))
    return amount / found.median, low, high


def bounds(panel: Panel, measurements: Measured, seed: str) -> tuple[Bound, ...]:
    """The ceilings of a panel, in order.

    Raises:
        BenchbookError: One is no time, or shorter than the clock can tell.
    """
    return tuple(
        Bound(
            ceiling.label,
            ceiling.bytes is not None,
            float(_amount(ceiling)),
            *rate(float(_amount(ceiling)), ceiling.measurement, measurements, seed),
        )
        for ceiling in panel.ceilings
    )


def best(ceilings: Sequence[Bound]) -> tuple[Bound, Bound]:
    """The bandwidth and the rate that make the roof."""
    bandwidths = [one for one in ceilings if one.slanted]
    rates = [one for one in ceilings if not one.slanted]
    return max(bandwidths, key=lambda one: one.value), max(rates, key=lambda one: one.value)


def ridge(ceilings: Sequence[Bound]) -> float:
    """The intensity at which the roof's two parts meet, in FLOP/byte."""
    bandwidth, rate = best(ceilings)
    return rate.value / bandwidth.value


def at(ceilings: Sequence[Bound], intensity: float) -> float:
    """The roof over an intensity, in GFLOP/s."""
    return min(one.at(intensity) for one in best(ceilings))


def _amount(ceiling: Ceiling) -> Number:
    return ceiling.flops or 0 if ceiling.bytes is None else ceiling.bytes
