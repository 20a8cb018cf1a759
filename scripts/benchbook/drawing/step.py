"""The kind ``step``: the fraction of samples at or below each value, as a step at each of them.

This is the empirical distribution function. Nothing is smoothed and no bin is chosen, so that its tail is
what was measured.
"""

from matplotlib.axes import Axes

from benchbook.drawing import points, resolution, samples, scale
from benchbook.drawing.chart import Chart, Marks, Measured, count
from benchbook.drawing.ink import stroke
from benchbook.drawing.palette import Palette
from benchbook.drawing.resolution import Scaling
from benchbook.drawing.soundness import sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel, Series

FRACTIONS = (0.0, 1.04)  # the line at 1 is seen whole
WHOLE = 1.0
FINE = 4  # places that are told apart in a point


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    del room  # numbers fit into any
    points.unnamed(panel)
    if panel.yscale == "log":
        raise BenchbookError("a fraction of samples starts at 0", mend="leave out 'yscale'")
    for series in panel.series:
        what = f"series {series.label!r}"
        if series.x is not None or series.low is not None or series.high is not None:
            raise BenchbookError(
                f"{what} has more than its samples",
                mend="leave out 'x', 'low' and 'high': x is each sample, and y the fraction at or below it",
            )
        if not count(series):
            raise BenchbookError(f"{what} has no samples", mend="leave the series out")
        if len(series.names) > 1:
            raise BenchbookError(f"{what} shows {count(series)} measurements", mend="give each a series")
        sound(series.y or [], f"y of {what}", log=panel.xscale == "log")
    _check_fractions(panel)


def resolve(panel: Panel, measurements: Measured, *, seed: str) -> Chart:
    """The samples of all processes together, or the series' own; there is nothing that ``seed`` decides.

    Raises:
        BenchbookError: The panel shows measurements of different units.
    """
    del seed
    scaling = resolution.scale(panel, measurements)
    series = [_marks(one, measurements, scaling) for one in panel.series]
    return resolution.assemble(panel, scaling, series, along=True)


def prove(chart: Chart, room: float) -> None:
    """Proves that each sample of a chart has a place, on axes that are ``room`` points wide.

    Raises:
        BenchbookError: With the mend.
    """
    for marks in chart.series:
        sound(marks.x, f"series {marks.label!r}", log=chart.panel.xscale == "log")
    scale.prove(chart.panel, points.ends(chart), room)


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series into axes that are ``room`` points wide, each from end to end."""
    left, right = points.ends(chart)
    scale.upright(axes, chart.panel, FRACTIONS)
    scale.lying(axes, chart.panel, (left, right), palette, room)
    for index, marks in enumerate(chart.series):
        rows = [(left, 0.0), *_seen(axes, [*zip(marks.x, marks.values, strict=True)]), (right, 1.0)]
        style = stroke(palette, index) | {"drawstyle": "steps-post", "markevery": [-2]}  # the largest
        axes.plot(*zip(*rows, strict=True), **style, zorder=4.2)


def _seen(axes: Axes, rows: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The last of those that fall together; a tenth of a line's width apart they cannot be told apart."""
    places = (axes.transData.transform(rows) * FINE).round().tolist()
    return [*dict(zip(map(tuple, places), rows, strict=True)).values()]


def _check_fractions(panel: Panel) -> None:
    """Proves that lines and the band of the y axis, which ends at 1 whatever they are, lie on it."""
    lines = [(f"line {line.label!r}", line.place) for line in panel.references if line.axis == "y"]
    bands = [band for band in panel.bands if band.axis == "y"]
    ends = [(f"band {band.label!r}", float(end)) for band in bands for end in (band.low, band.high)]
    for what, place in (*lines, *ends):
        if not 0 <= place <= WHOLE:
            raise BenchbookError(
                f"{what} is at {place:g}, and a fraction of samples is from 0 to 1",
                mend="divide percents by 100, or put it on x",
            )


def _marks(series: Series, measurements: Measured, scaling: Scaling) -> Marks:
    if series.y is not None:
        return samples.steps(series.label, [float(y) * scaling.own for y in series.y])
    (name,) = series.names
    found = measurements[name].samples
    return samples.steps(series.label, [value / scaling.factor for row in found for value in row])
