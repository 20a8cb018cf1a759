"""Tags: the values that are written at marks, where they fit."""

from collections.abc import Sequence
from math import isnan

from matplotlib.axes import Axes

from benchbook import reading
from benchbook.drawing.chart import Marks
from benchbook.drawing.ink import halo
from benchbook.drawing.lettering import SMALL, width
from benchbook.drawing.palette import Palette

OFFSET = 3


def values(
    axes: Axes,
    places: Sequence[float],
    marks: Marks,
    drawable: Sequence[bool],
    *,
    slot: float,
    palette: Palette,
) -> None:
    """Writes each value over its mark and interval, or below where it is negative.

    A gap says what was there, at the foot of its slot, and upright where it is too wide.

    Args:
        axes: Where to.
        places: Along x.
        marks: The series.
        drawable: Whether each has a mark.
        slot: Points that one value may take.
        palette: The scheme.
    """
    for place, value, low, high, use in zip(
        places, marks.values, marks.low, marks.high, drawable, strict=True
    ):
        text = reading.text(value)
        fits = width(text, SMALL) <= slot
        if use and not fits:
            continue
        below = use and value < 0
        end = low if below else high
        tip = value if not use or isnan(end) else min(value, end) if below else max(value, end)
        write(axes, text, (place, tip if use else None), palette, below=below, upright=not fits)


def write(
    axes: Axes,
    text: str,
    at: tuple[float, float | None],
    palette: Palette,
    *,
    below: bool = False,
    upright: bool = False,
    inside: bool = False,
) -> None:
    """Writes one text over a point, below it, or upon it.

    Args:
        axes: Where to.
        text: One line.
        at: The point; without a y it is the foot of the axes.
        palette: The scheme.
        below: Under the point.
        upright: Turned by a quarter.
        inside: Upon the point.
    """
    x, y = at
    axes.annotate(
        text,
        (x, 0.0 if y is None else y),
        xycoords=axes.get_xaxis_transform() if y is None else "data",
        xytext=(0, 0 if inside else -OFFSET if below else OFFSET),
        textcoords="offset points",
        ha="center",
        va="center" if inside else "top" if below else "bottom",
        rotation=90 if upright else 0,
        size=SMALL,
        color=palette.text,
        path_effects=halo(palette, 2.5),  # over grid lines
        zorder=5,
        parse_math=False,
    )
