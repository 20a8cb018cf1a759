"""The kind ``scatter``: points that no line joins, or every sample of a measurement over its call."""

from math import isfinite

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchbook.drawing import limits, nest, points, resolution, samples, scale, speck, whisker
from benchbook.drawing.chart import Chart, Marks, Measured, count
from benchbook.drawing.ink import Sample, dot
from benchbook.drawing.palette import Palette
from benchbook.drawing.resolution import Scaling
from benchbook.errors import BenchbookError
from benchbook.run import Panel, Series

MANY = 40  # points that still have room for a marker each


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    del room  # numbers fit into any
    points.unnamed(panel)
    for series in panel.series:
        if series.x is not None or series.y is not None:
            points.check(panel, series)
        elif count(series) != 1:
            raise BenchbookError(
                f"series {series.label!r} shows every sample of {count(series)} measurements",
                mend="give each a series, or an x for the median of each",
            )
        elif series.over is not None:
            raise BenchbookError(
                f"series {series.label!r} shows every sample, and a ratio is one of medians",
                mend="give it an x, or leave out 'over'",
            )


def resolve(panel: Panel, measurements: Measured, *, seed: str) -> Chart:
    """Every sample of a series that names a measurement and has no x, else medians or own numbers.

    Raises:
        BenchbookError: The panel shows measurements of different units.
    """
    scaling = resolution.scale(panel, measurements)
    series = [_marks(one, measurements, scaling, seed) for one in panel.series]
    return resolution.assemble(panel, scaling, series)


def prove(chart: Chart, room: float) -> None:
    """Proves that each point has a place, on axes ``room`` points wide, and is more than its interval.

    Raises:
        BenchbookError: With the mend.
    """
    points.prove(chart, room)
    for marks in chart.series if fine(chart) else ():
        if any(map(isfinite, (*marks.low, *marks.high))):
            raise BenchbookError(
                f"series {marks.label!r} has intervals, in a panel of points so many that each is a speck",
                mend=f"give it a panel of its own, of up to {MANY} points a series, or choose kind 'line'",
            )


def fine(chart: Chart) -> bool:
    """Whether its points are so many that they are drawn as specks, and summed up in a table."""
    return any(marks.labels or len(marks.values) > MANY for marks in chart.series)


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series into axes that are ``room`` points wide."""
    bottom, top = limits.floating(chart)
    scale.upright(axes, chart.panel, (bottom, top))
    scale.lying(axes, chart.panel, points.ends(chart), palette, room)
    if fine(chart):
        for index, marks in enumerate(chart.series):
            speck.draw(axes, [*zip(marks.x, marks.values, strict=True)], palette, index)
        return
    for marks in chart.series:
        ends = zip(marks.x, marks.low, marks.high, strict=True)
        whisker.draw(axes, ends, palette, lowest=bottom, cap=whisker.WIDE)
    nest.draw(axes, chart, palette)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each series, in order."""
    del room  # they fit into any
    return [(_sample(chart, palette, index), marks.label) for index, marks in enumerate(chart.series)]


def _sample(chart: Chart, palette: Palette, index: int) -> Line2D:
    return speck.sample(palette, index) if fine(chart) else Line2D([], [], **dot(palette, index))


def _marks(series: Series, measurements: Measured, scaling: Scaling, seed: str) -> Marks:
    if series.x is not None:
        return resolution.marks(series, measurements, scaling, seed)
    (name,) = series.names
    return samples.calls(series.label, measurements[name], scaling.factor)
