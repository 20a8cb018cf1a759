"""A playback: what a run printed and drew, as the outputs of a notebook's cells."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchbook import terminal
from benchbook.blocks.catalogue import Exhibit
from benchbook.run import Cell, Run

ROOT = re.compile(r"<svg\b[^>]*>")
PAPER = '\n <rect width="100%" height="100%" fill="#fff"/>'  # a notebook may be dark around the drawing


@dataclass(frozen=True, slots=True)
class Figure:
    """A recorded figure.

    Attributes:
        svg: The drawing for light pages.
        light: Where that one lies below the site's root.
        dark: Where the one for dark pages lies.
        words: What it shows, for those who do not see it.
    """

    svg: str
    light: str
    dark: str
    words: str

    @property
    def output(self) -> dict[str, Any]:
        """As a notebook's output; the site's own page of it takes the two files instead."""
        svg = ROOT.sub(lambda root: root[0] + PAPER, self.svg, count=1)
        data = {"image/svg+xml": svg, "text/plain": self.words}
        files = {"light": self.light, "dark": self.dark}
        return {"output_type": "display_data", "data": data, "metadata": {"benchbook": files}}


@dataclass(frozen=True, slots=True)
class Playback:
    """A run, as a notebook shows it.

    Attributes:
        run: What was recorded.
        exhibit: What the lesson's page says of it.
        figures: By cell.
    """

    run: Run
    exhibit: Exhibit
    figures: Mapping[str, Figure]

    def cell(self, name: str) -> Cell | None:
        """What a cell of the lesson printed; ``None`` where it or one before it changed after the run."""
        if name not in self.exhibit["fresh"]:
            return None
        return next(cell for cell in self.run.cells if cell.name == name)

    def outputs(self, name: str) -> list[dict[str, Any]]:
        """The outputs of a cell: standard output, standard error, then its figure."""
        cell = self.cell(name)
        if cell is None:
            return []
        return [*_streams(cell), *(figure.output for drawn, figure in self.figures.items() if drawn == name)]


def _streams(cell: Cell) -> Iterator[dict[str, Any]]:
    for name in ("stdout", "stderr"):
        text = terminal.readable(getattr(cell, name))
        if text.strip():
            yield {"output_type": "stream", "name": name, "text": text}
