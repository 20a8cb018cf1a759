"""Points: marks that stand at numbers along x and y."""

from benchbook.drawing import limits, scale
from benchbook.drawing.chart import Chart, count
from benchbook.drawing.soundness import interval, sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel, Series


def unnamed(panel: Panel) -> None:
    """Proves that a panel has no names along x.

    Raises:
        BenchbookError: With the mend.
    """
    if panel.labels is not None:
        raise BenchbookError(
            f"a {panel.kind} has numbers along x, no names",
            mend="leave out 'labels', or choose kind 'bar'",
        )


def check(panel: Panel, series: Series) -> None:
    """Proves that each value of a series has an x, and that both have places on their axes.

    Raises:
        BenchbookError: With the mend.
    """
    if series.x is None:
        raise BenchbookError(f"series {series.label!r} has no x", mend="give one x for each of its values")
    if len(series.x) != count(series) or not series.x:
        raise BenchbookError(
            f"series {series.label!r} has {count(series)} values for {len(series.x)} x",
            mend="give one x for each of its values",
        )
    sound(series.x, f"x of series {series.label!r}", log=panel.xscale == "log")
    sound(series.y or [], f"y of series {series.label!r}", log=panel.yscale == "log")
    interval(series, log=panel.yscale == "log")


def prove(chart: Chart, room: float) -> None:
    """Proves that each point of a chart has a place, on axes that are ``room`` points wide.

    Raises:
        BenchbookError: With the mend.
    """
    for marks in chart.series if chart.panel.yscale == "log" else ():
        if min(marks.values) <= 0:
            raise BenchbookError(
                f"series {marks.label!r} has a value {min(marks.values):g}, which a log axis cannot show",
                mend="leave that point out, or make the axis linear",
            )
    scale.prove(chart.panel, ends(chart), room)


def ends(chart: Chart) -> limits.Ends:
    """Of the x axis."""
    return limits.along(chart, [x for marks in chart.series for x in marks.x])
