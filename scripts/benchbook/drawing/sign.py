"""Signs: texts that stand on lines, where they cover neither marks nor lines nor each other.

Places are in points from the lower left corner of the axes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import atan2, ceil, cos, degrees, dist, inf, radians, sin

import numpy as np

from benchbook.drawing.lettering import SMALL, width

Place = tuple[float, float]
Disc = tuple[Place, float]
HALF = 0.6 * SMALL  # of a text's height
OFF = HALF + 2.0  # from a line to the middle of its text
EDGE = HALF  # from the ends of the axes
STEP = 4.0
THIN = 1.0  # half of a line, with a little room


@dataclass(frozen=True, slots=True)
class Sign:
    """One text.

    Attributes:
        text: One line.
        middle: Of it.
        turn: In degrees, against the clock.
    """

    text: str
    middle: Place
    turn: float

    @property
    def discs(self) -> list[Disc]:
        """What it covers."""
        (x, y), reach = self.middle, max(width(self.text, SMALL) / 2 - HALF / 3, 0.0)  # corners too
        count = ceil(2 * reach / HALF) or 1
        u, v = cos(radians(self.turn)), sin(radians(self.turn))
        shifts = (reach * (2 * n / count - 1) for n in range(count + 1))
        return [((x + shift * u, y + shift * v), HALF) for shift in shifts]


def along(text: str, start: Place, end: Place, sides: Sequence[int], away: float = 0) -> Iterator[Sign]:
    """Where it may stand on a line, from its start.

    Args:
        text: One line.
        start: Where it is tried first.
        end: The other end of the line.
        sides: 1 is over the line and -1 under it, the better one first.
        away: How much farther from the line than it has to be, in points.
    """
    (x, y), long = start, dist(start, end)
    u, v = (end[0] - x) / long, (end[1] - y) / long
    up = 1 if u > 0 else -1  # a text is written from left to right
    half, off = width(text, SMALL) / 2 + STEP, OFF + away
    for side in sides:
        for n in range(int((long - 2 * half) / STEP) + 1):
            way = half + n * STEP
            middle = (x + way * u - side * up * off * v, y + way * v + side * up * off * u)
            yield Sign(text, middle, degrees(atan2(up * v, up * u)))


def beside(text: str, foot: Place, top: float) -> Iterator[Sign]:
    """Where it may stand by an upright line, from its foot: to its right, and then to its left."""
    for side in (1, -1):
        for n in range(int((top - foot[1]) / STEP)):
            middle = (foot[0] + side * (width(text, SMALL) / 2 + STEP), foot[1] + OFF + n * STEP)
            yield Sign(text, middle, 0.0)


def line(start: Place, end: Place) -> list[Disc]:
    """What a line covers."""
    count = ceil(dist(start, end) / STEP) or 1
    parts = (n / count for n in range(count + 1))
    return [((start[0] + p * (end[0] - start[0]), start[1] + p * (end[1] - start[1])), THIN) for p in parts]


def free(signs: Iterable[Sign], taken: Sequence[Disc], lines: Sequence[Disc], room: Place) -> Sign | None:
    """The first that covers nothing, or the one that covers least; ``None`` where none lies within the axes.

    Args:
        signs: The better ones first.
        taken: What marks and other signs cover.
        lines: What lines cover, which is less of a loss.
        room: The upper right corner of the axes.
    """
    best, least = None, (-inf, -inf)
    for sign in signs:
        discs = sign.discs
        if not all(EDGE <= x <= room[0] - EDGE and EDGE <= y <= room[1] - EDGE for (x, y), _ in discs):
            continue
        apart = (depth(discs, taken), depth(discs, lines))
        if apart > least:
            best, least = sign, apart
        if apart == (0.0, 0.0):
            break
    return best


def depth(one: Sequence[Disc], other: Sequence[Disc]) -> float:
    """0 where none of these touches any of those, else how deep one is in another, below 0."""
    if not other:
        return 0.0
    (places, sizes), (others, widths) = (zip(*discs, strict=True) for discs in (one, other))
    between = np.array(places)[:, None] - np.array(others)
    deep = np.hypot(between[..., 0], between[..., 1]) - np.array(sizes)[:, None] - np.array(widths)
    return min(float(deep.min()), 0.0)
