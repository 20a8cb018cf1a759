"""A sheet: panels laid out with their titles, axes, lines, bands and legends. All sizes are in points.

Everything is placed by measured text, so that nothing overlaps. Panels stand below each other, and the sheet
is narrow: shrunk to a phone, its letters can still be read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchbook.drawing import guide
from benchbook.drawing.chart import Chart
from benchbook.drawing.ink import Sample
from benchbook.drawing.kind import KINDS, Kind
from benchbook.drawing.lettering import GAP, LEADING, SIZE, SMALL, height, wrap
from benchbook.drawing.palette import Palette
from benchbook.run import Panel

INCH = 72.0
WIDTH = 372.0
RIGHT, TOP = 10.0, 20.0
SAMPLE = 34.0


def compose(charts: Sequence[Chart], palette: Palette) -> Figure:
    """The whole figure, ready to be written."""
    blocks, top = _stack(charts, palette)
    figure = Figure(figsize=(WIDTH / INCH, top / INCH), dpi=INCH)
    for block in blocks:
        bottom = top - block.above - block.plot
        block.draw(figure, bottom=bottom)
        top = bottom - block.below
    return figure


def tall(charts: Sequence[Chart], palette: Palette) -> float:
    """How tall the figure will be, in points."""
    return _stack(charts, palette)[1]


def room(panel: Panel) -> float:
    """The width of a panel's axes, in points."""
    return WIDTH - KINDS[panel.kind].left - RIGHT


def _stack(charts: Sequence[Chart], palette: Palette) -> "tuple[list[_Block], float]":
    blocks = [_Block(chart, palette) for chart in charts]
    return blocks, sum(block.above + block.plot + block.below for block in blocks)


@dataclass(frozen=True, slots=True)
class _Block:
    """One chart with everything around its axes."""

    chart: Chart
    palette: Palette

    @property
    def kind(self) -> Kind:
        return KINDS[self.chart.panel.kind]

    @property
    def room(self) -> float:
        return room(self.chart.panel)

    @property
    def plot(self) -> float:
        return self.kind.plot(self.chart.panel)

    @property
    def title(self) -> str:
        return wrap(self.chart.panel.title, self.room) if self.chart.panel.title else ""

    @property
    def xlabel(self) -> str:
        return wrap(self.chart.xlabel, self.room) if self.chart.xlabel else ""

    @property
    def entries(self) -> list[tuple[Sample, str]]:
        several = len(self.chart.series) > 1 or self.kind.roof  # a single one is what the y axis says
        series = self.kind.legend(self.chart, self.palette, self.room) if several else []
        entries = [*series, *guide.legend(self.chart, self.palette)]
        return [(sample, wrap(label, self.room - SAMPLE, size=SMALL)) for sample, label in entries]

    @property
    def above(self) -> float:
        return TOP + height(self.title)

    @property
    def ticks(self) -> float:
        return self.kind.ticks(self.chart.panel, self.room)

    @property
    def under(self) -> float:
        return self.ticks + height(self.xlabel) + GAP

    @property
    def below(self) -> float:
        return self.under + sum(height(label, SMALL) + GAP / 2 for _, label in self.entries)

    def draw(self, figure: Figure, *, bottom: float) -> None:
        left = self.kind.left
        wide, tall = (float(inches) * INCH for inches in figure.get_size_inches())
        axes = figure.add_axes((left / wide, bottom / tall, self.room / wide, self.plot / tall))
        _dress(axes, self.palette)
        self.kind.draw(axes, self.chart, self.palette, self.room)
        guide.draw(axes, self.chart, self.palette)
        plain: dict[str, Any] = {"color": self.palette.text, "parse_math": False, "linespacing": LEADING}
        axes.set_ylabel(wrap(self.chart.ylabel, self.plot, lines=2), **plain)
        axes.set_title(self.title, size=SIZE, pad=GAP, **plain)
        middle = (left + self.room / 2) / wide
        figure.text(middle, (bottom - self.ticks) / tall, self.xlabel, ha="center", va="top", **plain)
        self._legend(axes, figure, corner=(left / wide, (bottom - self.under) / tall))

    def _legend(self, axes: Axes, figure: Figure, *, corner: tuple[float, float]) -> None:
        entries = self.entries
        if not entries:
            return
        legend = axes.legend(
            handles=[sample for sample, _ in entries],
            labels=["" for _ in entries],
            loc="upper left",
            bbox_to_anchor=corner,
            bbox_transform=figure.transFigure,
            fontsize=SMALL,
            labelcolor=self.palette.text,
            frameon=False,
            borderpad=0.0,
            borderaxespad=0.0,
            labelspacing=0.4,
        )
        for text, (_, label) in zip(legend.get_texts(), entries, strict=True):
            text.set_parse_math(False)  # recorded text is no formula; a leading underscore hides nothing
            text.set_text(label)


def _dress(axes: Axes, palette: Palette) -> None:
    axes.tick_params(colors=palette.text, labelsize=SMALL, which="both")
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y", color=palette.grid, linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(palette.text)
    axes.yaxis.get_offset_text().set_color(palette.text)
