"""Guides: the reference lines and the band of a panel, and their samples in its legend."""

from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from benchbook.drawing.chart import Chart
from benchbook.drawing.ink import Sample, halo
from benchbook.drawing.palette import LINES, Palette


def draw(axes: Axes, chart: Chart, palette: Palette) -> None:
    """Draws the lines over the marks, and the band behind them."""
    for line, style in zip(chart.references, LINES, strict=False):
        ruled = axes.axhline if line.axis == "y" else axes.axvline
        ruled(line.place, **_line(palette, style), zorder=4)
    for band in chart.bands:
        shade = axes.axhspan if band.axis == "y" else axes.axvspan
        shade(float(band.low), float(band.high), **_shade(palette), zorder=1)


def legend(chart: Chart, palette: Palette) -> list[tuple[Sample, str]]:
    """A sample and a label for each line, then for the band."""
    lines = zip(chart.references, LINES, strict=False)
    return [
        *((Line2D([], [], **_line(palette, style)), line.label) for line, style in lines),
        *((Patch(**_shade(palette)), band.label) for band in chart.bands),
    ]


def _line(palette: Palette, style: object) -> dict[str, Any]:
    seen = halo(palette, 3.5)  # on a dark bar too
    return {"color": palette.text, "linestyle": style, "linewidth": 1.3, "path_effects": seen}


def _shade(palette: Palette) -> dict[str, Any]:
    return {"facecolor": palette.grid, "edgecolor": palette.text, "linewidth": 0.8}
