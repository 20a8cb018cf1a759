"""The kinds of panel that can be drawn; a new kind is a module and a row here."""

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.axes import Axes

from benchbook.drawing import bar
from benchbook.drawing.chart import Chart
from benchbook.drawing.palette import Palette
from benchbook.run import Panel


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind can do; widths are in points.

    Attributes:
        check: Raises when the panel cannot be drawn in that width.
        draw: Draws the series into axes of that width, and sets limits and ticks.
        legend: A sample and a label for each series.
        tick_room: The width that one label along x may take.
    """

    check: Callable[[Panel, float], None]
    draw: Callable[[Axes, Chart, Palette, float], None]
    legend: Callable[[Chart, Palette], list[tuple[Artist, str]]]
    tick_room: Callable[[Panel, float], float]


KINDS = {"bar": Kind(bar.check, bar.draw, bar.legend, bar.tick_room)}
