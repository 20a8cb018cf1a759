"""The kind ``interval``: a dot for each label and series, with whiskers; its y axis needs no 0."""

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from benchbook.drawing import cases, limits, scale, tag, whisker
from benchbook.drawing.chart import Chart, drawable
from benchbook.drawing.ink import Sample, dot
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import interval, sound
from benchbook.run import Panel

GROUP = 0.8
NARROWEST, WIDEST = 3.0, 7.0  # half of a cap
BETWEEN = 1.0  # points beside a cap


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    cases.check(panel, room)
    for series in panel.series:
        sound(series.y or [], f"y of series {series.label!r}", log=panel.yscale == "log")
        interval(series, log=panel.yscale == "log")


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series and their texts into axes that are ``room`` points wide."""
    negative = any(value < 0 for marks in chart.series for value in marks.values)
    below = limits.HEADROOM if negative else limits.MARGIN  # where their values are written
    bottom, top = limits.floating(chart, below=below, above=limits.HEADROOM)
    scale.upright(axes, chart.panel, (bottom, top))
    slot = cases.dress(axes, chart.panel, room)
    step = GROUP / len(chart.series)
    for index, marks in enumerate(chart.series):
        places = cases.beside(chart.panel, index, step)
        shown = drawable(chart, marks.values)
        rows = zip(places, marks.values, marks.low, marks.high, shown, strict=True)
        kept = [row[:-1] for row in rows if row[-1]]
        ends = ((place, low, high) for place, _, low, high in kept)
        whisker.draw(axes, ends, palette, lowest=bottom, cap=_cap(slot * step))
        axes.plot([row[0] for row in kept], [row[1] for row in kept], **dot(palette, index), zorder=4.5)
        tag.values(axes, places, marks, shown, slot=slot * step, palette=palette)


def _cap(room: float) -> float:
    """Half the width of a cap, which is seen beside a dot that is taller than its interval."""
    return min(max(room / 2 - BETWEEN, NARROWEST), WIDEST)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each series, in order."""
    del room  # they fit into any
    return [(Line2D([], [], **dot(palette, index)), marks.label) for index, marks in enumerate(chart.series)]
