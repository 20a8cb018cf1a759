"""The kinds of panel that can be drawn; a new kind is a module and a row here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from matplotlib.axes import Axes

from benchbook.drawing import (
    bar,
    cases,
    entry,
    gable,
    grid,
    interval,
    line,
    points,
    resolution,
    roofline,
    scale,
    scatter,
    stack,
    step,
    timeline,
)
from benchbook.drawing.chart import Chart, Measured
from benchbook.drawing.entry import Entry
from benchbook.drawing.grid import Grid
from benchbook.drawing.ink import Sample
from benchbook.drawing.palette import DASHES, HATCHES, MARKERS, SPECKS, Palette
from benchbook.run import Panel

LEFT = 68.0
PLOT = 180.0


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind can do; sizes are in points.

    Attributes:
        check: Raises when the panel cannot be drawn in that width.
        prove: Raises when its numbers, measurements among them, cannot be drawn in that width.
        draw: Draws the series into axes of that width, and sets limits and ticks.
        legend: A sample and a label for each series of axes of that width.
        grid: The numbers as a table.
        entries: The numbers, one at a time.
        resolve: Puts numbers in the place of measurements' names, given the run's digest.
        ratios: Whether its series may be ratios of measurements.
        roof: Whether it has ceilings, its series FLOPs and bytes, and its axes are log by nature.
        numbers: The axes that have numbers, and so a scale, lines and bands: ``x``, ``y`` or ``xy``.
        most: How many series can be told apart.
        ticks: How much the labels along x take below axes of that width.
        left: The room beside the axes.
        plot: The height of the axes.
    """

    check: Callable[[Panel, float], None]
    prove: Callable[[Chart, float], None]
    draw: Callable[[Axes, Chart, Palette, float], None]
    legend: Callable[[Chart, Palette, float], list[tuple[Sample, str]]]
    grid: Callable[[Chart], Grid] = grid.of_cases
    entries: Callable[[Chart], Iterator[Entry]] = entry.of_marks
    resolve: "Resolve" = resolution.resolve
    ratios: bool = False
    roof: bool = False
    numbers: str = "y"
    most: int = len(HATCHES)
    ticks: Callable[[Panel, float], float] = cases.tall
    left: float = LEFT
    plot: Callable[[Panel], float] = lambda _: PLOT

    def natural(self, panel: Panel) -> Panel:
        """The panel with the scales that the kind has by nature."""
        return panel.model_copy(update={"xscale": "log", "yscale": "log"}) if self.roof else panel


class Resolve(Protocol):
    """See `resolution.resolve`."""

    def __call__(self, panel: Panel, measurements: Measured, *, seed: str) -> Chart:
        """The chart of a panel."""
        ...


def _anything(chart: Chart, room: float) -> None:
    """What has no place is a gap with its value."""


KINDS = {
    "bar": Kind(bar.check, _anything, bar.draw, bar.legend, ratios=True),
    "stack": Kind(stack.check, stack.prove, stack.draw, stack.legend, grid.of_stacks),
    "interval": Kind(interval.check, _anything, interval.draw, interval.legend, ratios=True),
    "line": Kind(
        line.check,
        points.prove,
        line.draw,
        line.legend,
        grid.of_points,
        ratios=True,
        numbers="xy",
        most=len(DASHES),
        ticks=lambda *_: scale.TALL,
    ),
    "scatter": Kind(
        scatter.check,
        scatter.prove,
        scatter.draw,
        scatter.legend,
        grid.of_dots,
        resolve=scatter.resolve,
        ratios=True,
        numbers="xy",
        most=len(SPECKS),
        ticks=lambda *_: scale.TALL,
    ),
    "step": Kind(
        step.check,
        step.prove,
        step.draw,
        line.legend,
        grid.of_steps,
        entry.of_steps,
        step.resolve,
        numbers="xy",
        most=len(DASHES),
        ticks=lambda *_: scale.TALL,
    ),
    "roofline": Kind(
        roofline.check,
        roofline.prove,
        roofline.draw,
        interval.legend,
        grid.of_roof,
        entry.of_roof,
        roofline.resolve,
        roof=True,
        numbers="xy",
        most=len(MARKERS),
        ticks=lambda *_: scale.TALL,
        plot=lambda _: gable.TALL,
    ),
    "timeline": Kind(
        timeline.check,
        timeline.prove,
        timeline.draw,
        timeline.legend,
        grid.of_segments,
        entry.of_segments,
        numbers="x",
        ticks=lambda *_: scale.TALL,
        left=timeline.LEFT,
        plot=timeline.tall,
    ),
}
