"""The kind ``bar``: grouped bars, each with its value, its interval, or a word where there is no bar."""

from matplotlib.axes import Axes
from matplotlib.patches import Patch

from benchbook.drawing import cases, limits, scale, tag, whisker
from benchbook.drawing.chart import Chart, drawable
from benchbook.drawing.ink import Sample, fill
from benchbook.drawing.palette import Palette
from benchbook.drawing.soundness import interval
from benchbook.run import Panel

GROUP = 0.8
WIDEST = 64.0


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    cases.check(panel, room)
    for series in panel.series:
        interval(series)


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series and their texts into axes that are ``room`` points wide."""
    bottom, top = limits.standing(chart)
    scale.upright(axes, chart.panel, (bottom, top))
    slot = cases.dress(axes, chart.panel, room)
    thickness = min(GROUP / len(chart.series), WIDEST / slot)
    foot = bottom if chart.panel.yscale == "log" else 0.0
    for index, marks in enumerate(chart.series):
        places = cases.beside(chart.panel, index, thickness)
        shown = drawable(chart, marks.values)
        rows = zip(places, marks.values, marks.low, marks.high, shown, strict=True)
        kept = [row[:-1] for row in rows if row[-1]]
        axes.bar(
            [place for place, *_ in kept],
            [value - foot for _, value, *_ in kept],
            thickness * 0.92,
            bottom=foot,
            zorder=3,
            **fill(palette, index),
        )
        whisker.draw(axes, ((place, low, high) for place, _, low, high in kept), palette, lowest=bottom)
        tag.values(axes, places, marks, shown, slot=slot * thickness, palette=palette)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each series, in order."""
    del room  # they fit into any
    return [(Patch(**fill(palette, index)), marks.label) for index, marks in enumerate(chart.series)]
