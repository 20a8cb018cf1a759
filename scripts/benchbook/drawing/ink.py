"""Ink: how the n-th series is painted, so that it is told apart by more than its colour."""

from collections.abc import Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.patheffects import AbstractPathEffect, withStroke

from benchbook.drawing.palette import DASHES, HATCHES, MARKERS, Palette

Sample = Artist | tuple[Artist, ...]  # of a legend; several lie upon each other


def fill(palette: Palette, index: int) -> dict[str, Any]:
    """For an area: colour and hatch."""
    colour = palette.marks[index]
    hatch = HATCHES[index]
    return {"facecolor": colour, "edgecolor": colour, "hatch": hatch, "hatchcolor": palette.background}


def dot(palette: Palette, index: int) -> dict[str, Any]:
    """For points: colour and marker, with an edge that parts those that touch."""
    return {
        "color": palette.marks[index],
        "linestyle": "none",
        "marker": MARKERS[index],
        "markersize": 6.5,
        "markeredgecolor": palette.background,
        "markeredgewidth": 0.8,
    }


def stroke(palette: Palette, index: int) -> dict[str, Any]:
    """For a line through points: dashes as well."""
    return dot(palette, index) | {"linestyle": DASHES[index], "linewidth": 1.8}


def halo(palette: Palette, wide: float) -> Sequence[AbstractPathEffect]:
    """The page's ground around a line or a text, so that it is seen over any mark."""
    return [withStroke(linewidth=wide, foreground=palette.background)]
