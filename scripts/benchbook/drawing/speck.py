"""Specks: points by the hundred, each a short stroke, all of a series in one path: its SVG stays small."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform

from benchbook.drawing.palette import SPECKS, Palette, Speck

GRID = 0.5  # points; two specks that are nearer are one
OPACITY = 0.85  # what lies below is seen through it
SAMPLE = 5.0  # in a legend
Place = tuple[float, float]


def draw(axes: Axes, places: Sequence[Place], palette: Palette, index: int) -> None:
    """Draws one for each place into axes whose ends are set.

    Args:
        axes: Where to.
        places: One or more, in the numbers of the axes.
        palette: The scheme.
        index: The number of the series.
    """
    speck = SPECKS[index]
    found = axes.transData.transform(places)  # in points: a sheet has 72 dots an inch
    vertices = [end for stroke in strokes(found.tolist(), speck) for end in stroke]
    path = PathPatch(
        Path(vertices, [Path.MOVETO, Path.LINETO] * (len(vertices) // 2)),
        transform=IdentityTransform(),
        clip_on=False,
        fill=False,
        edgecolor=(palette.marks[index], OPACITY),
        linewidth=speck.wide,
        capstyle=speck.cap,
        zorder=3 + index / 10,
    )
    axes.add_artist(path)


def strokes(places: Sequence[Place], speck: Speck) -> Iterator[tuple[Place, Place]]:
    """Both ends of each stroke; specks that would lie upon each other along their own way are one.

    Args:
        places: In points.
        speck: That of the series.
    """
    u, v = speck.along
    cells = {(round((x * u + y * v) / GRID), round((y * u - x * v) / GRID)) for x, y in places}
    reach = speck.reach / GRID
    for across, row in groupby(sorted(cells, key=lambda cell: cell[::-1]), lambda cell: cell[1]):
        for first, last in _runs([along for along, _ in row], reach):
            ends = (first * GRID - speck.half, last * GRID + speck.half)
            start, end = ((end * u - across * GRID * v, end * v + across * GRID * u) for end in ends)
            yield start, end


def _runs(places: Sequence[int], reach: float) -> Iterator[tuple[int, int]]:
    """The first and the last of those that follow each other within ``reach``."""
    first = last = places[0]
    for place in places[1:]:
        if place - last > reach:
            yield first, last
            first = place
        last = place
    yield first, last


def sample(palette: Palette, index: int) -> Line2D:
    """Of a legend: one, larger."""
    style = {"linestyle": "none", "markersize": SAMPLE, "markeredgewidth": 2.0}
    return Line2D([], [], color=palette.marks[index], marker=SPECKS[index].marker, **style)  # type: ignore[arg-type]
