"""Ratios: measurements over another one, process by process, as a claim compares them."""

from benchbook.drawing.chart import Measured
from benchbook.errors import BenchbookError
from benchbook.run import Panel, Series
from benchbook.statistics import Ratio, process_medians, ratio


def shown(panel: Panel) -> bool:
    """Whether a panel shows any; its own numbers along y have then no unit either."""
    return any(series.over is not None for series in panel.series)


def check(panel: Panel, measurements: Measured) -> None:
    """Proves that a panel shows ratios only, or none, each of two quantities of one kind.

    Raises:
        BenchbookError: With the mend.
    """
    for series in panel.series if shown(panel) else ():
        what = f"series {series.label!r}"
        if series.over is None and series.names:
            raise BenchbookError(
                f"{what} shows measurements, and another series ratios",
                mend="give each of them 'over', or make it two panels",
            )
        if series.over is not None and series.y is not None:
            raise BenchbookError(
                f"{what} has y of its own, and 'over'", mend="leave out 'over', or name measurements"
            )
        if series.over is not None:
            _check_alike(series, series.over, measurements)


def of(series: Series, over: str, measurements: Measured, seed: str) -> list[Ratio]:
    """One for each measurement of a series.

    Raises:
        BenchbookError: What is divided by is not more than 0 in each process.
    """
    below = process_medians(measurements[over])
    if min(below) <= 0:
        raise BenchbookError(
            f"series {series.label!r} is over {over}, whose median in one process is {min(below):g}",
            mend="divide by what is more than 0 in each process: a time, by one longer than the clock's step",
        )
    return [ratio(process_medians(measurements[name]), below, seed=seed) for name in series.names]


def _check_alike(series: Series, over: str, measurements: Measured) -> None:
    for name in series.names:
        one, other = measurements[name], measurements[over]
        if one.unit != other.unit:
            raise BenchbookError(
                f"series {series.label!r} shows {name}, in {one.unit}, over {over}, in {other.unit}",
                mend="choose two of the same unit",
            )
        if len(one.samples) != len(other.samples):
            raise BenchbookError(
                f"series {series.label!r} shows {name}, of {len(one.samples)} processes, over {over}, "
                f"of {len(other.samples)}",
                mend="measure both in every process",
            )
