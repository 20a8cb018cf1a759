"""Whiskers: the interval of each mark, as a line with caps."""

from collections.abc import Iterable
from math import inf, isfinite

from matplotlib.axes import Axes

from benchbook.drawing.ink import halo
from benchbook.drawing.palette import Palette

WIDE = 6.5  # half of a cap that is seen beside any marker, however short the interval


def draw(
    axes: Axes,
    ends: Iterable[tuple[float, float, float]],
    palette: Palette,
    *,
    lowest: float = -inf,
    cap: float = 3,
    over: bool = True,
) -> None:
    """Draws those that have two ends.

    Args:
        axes: Where to.
        ends: Place along x, lower and upper end of each.
        palette: The scheme.
        lowest: The axis' lower end, which a log axis can show where it cannot show the interval's.
        cap: Half the width of a cap, in points.
        over: Whether they lie over marks, and so need a halo.
    """
    kept = [(place, max(low, lowest), high) for place, low, high in ends if isfinite(low + high)]
    container = axes.errorbar(
        [place for place, _, _ in kept],
        [(low + high) / 2 for _, low, high in kept],
        yerr=[abs(high - low) / 2 for _, low, high in kept],
        fmt="none",
        ecolor=palette.text,
        elinewidth=1.2,
        capsize=cap,
        zorder=4,
    )
    for artist in (*container[1], *container[2]) if over else ():
        artist.set_path_effects(halo(palette, 3))
