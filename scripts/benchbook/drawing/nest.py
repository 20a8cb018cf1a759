"""Nests: dots of several series at one place, each within the one before, so that none hides another."""

from collections.abc import Sequence
from itertools import groupby
from math import dist
from operator import itemgetter

from matplotlib.axes import Axes

from benchbook.drawing.chart import Chart
from benchbook.drawing.ink import dot
from benchbook.drawing.palette import Palette
from benchbook.drawing.sign import Place

NEAR = 4.0  # points; of two dots that are nearer, one would hide most of the other
RING = 3.5  # points by which one is larger than the one within it: a circle is seen around a square


def depths(series: Sequence[Sequence[Place]]) -> list[list[int]]:
    """For each dot of each series how many lie within it, one within the other, all of later series.

    Args:
        series: The places of its dots, in points.
    """
    found = list[list[int]]()
    seen = list[tuple[Place, int]]()
    for places in reversed(series):
        found.append(
            [max((n + 1 for at, n in seen if dist(at, place) < NEAR), default=0) for place in places]
        )
        seen.extend(zip(places, found[-1], strict=True))
    return found[::-1]


def draw(axes: Axes, chart: Chart, palette: Palette) -> None:
    """Draws a dot for each value into axes whose ends are set; the first series lies lowest."""
    rows = [[*zip(marks.x, marks.values, strict=True)] for marks in chart.series]
    found = depths([[*map(tuple, axes.transData.transform(places).tolist())] for places in rows])
    for index, (places, deep) in enumerate(zip(rows, found, strict=True)):
        style = dot(palette, index)
        dots = sorted(zip(deep, places, strict=True), key=itemgetter(0))
        for depth, kept in groupby(dots, key=itemgetter(0)):
            x, y = zip(*(place for _, place in kept), strict=True)
            size = style["markersize"] + depth * RING
            axes.plot(x, y, **style | {"markersize": size}, zorder=4.5)
