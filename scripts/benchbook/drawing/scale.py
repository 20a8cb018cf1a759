"""Scales: axes of numbers, and the ticks that they show."""

from itertools import compress, pairwise
from math import floor, log10

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, NullFormatter

from benchbook.drawing.lettering import GAP, LEADING, SMALL, width
from benchbook.drawing.limits import Ends
from benchbook.drawing.palette import Palette
from benchbook.reading import SUPERSCRIPT
from benchbook.run import Panel

TALL = GAP + SMALL * LEADING  # what numbers take below the axes
TICK = 3.5
EDGE = 8.0  # how far a number may reach beyond the axes
BETWEEN = 6.0
MOST = 6
LONGEST = 7  # characters of a number without a power of ten
DIGITS = 15
SPAN = 300.0  # of a log axis: seven numbers or eight, which have room beside each other
PLAIN = (1e-3, 1e5)  # what is written without a power of ten


def upright(axes: Axes, panel: Panel, ends: Ends) -> None:
    """Makes the y axis that of the panel."""
    axes.set_yscale(panel.yscale)
    axes.yaxis.set_minor_formatter(NullFormatter())  # two powers of ten say enough
    axes.set_ylim(*ends)


def lying(axes: Axes, panel: Panel, ends: Ends, palette: Palette, room: float) -> None:
    """Makes the x axis, ``room`` points wide, that of the panel."""
    axes.set_xscale(panel.xscale)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(*ends)
    axes.tick_params(axis="x", length=TICK)
    axes.grid(axis="x", color=palette.grid, linewidth=0.8)
    ticks = spelled(*ends, room) if panel.xscale == "linear" else graded(*ends)
    if ticks:
        axes.set_xticks([tick for tick, _ in ticks], labels=[text for _, text in ticks], parse_math=False)


def graded(low: float, high: float) -> list[tuple[float, str]]:
    """1, 2 and 5 of each power of ten between two ends of a log axis too short for powers alone, else nothing.

    Args:
        low: More than 0.
        high: More than ``low``.
    """
    if high / low > SPAN or not PLAIN[0] <= low < high <= PLAIN[1]:
        return []
    powers = range(floor(log10(low)), floor(log10(high)) + 1)
    ticks = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    return [(tick, f"{tick:g}") for tick in ticks if low <= tick <= high]


def spelled(low: float, high: float, room: float) -> list[tuple[float, str]]:
    """As many round numbers between two ends as have room beside each other, and how they are written."""
    ticks = list[tuple[float, str]]()
    for most in range(MOST, 1, -1):
        found = MaxNLocator(most, steps=[1, 2, 5, 10]).tick_values(low, high)
        inside = [float(tick) + 0.0 for tick in found if low <= tick <= high]  # -0.0 is 0
        rows = [*zip(inside, _written(inside), strict=True)]
        spans = [_span((tick - low) / (high - low) * room, text) for tick, text in rows]
        whole = [left >= -EDGE and right <= room + EDGE for left, right in spans]
        ticks, kept = [*compress(rows, whole)], compress(spans, whole)
        if len(ticks) > 1 and all(one[1] + BETWEEN <= other[0] for one, other in pairwise(kept)):
            break
    return ticks


def _span(place: float, text: str) -> tuple[float, float]:
    half = width(text, SMALL) / 2
    return place - half, place + half


def _written(ticks: list[float]) -> list[str]:
    """All with as many digits as tell them apart, and long ones with one power of ten."""
    step = min((b - a for a, b in pairwise(ticks)), default=0.0) or 1.0
    finest = floor(log10(step) + 1e-9)
    plain = [f"{tick:.{max(0, -finest)}f}" for tick in ticks]
    largest = max(map(abs, ticks), default=0.0)
    if not largest or max(map(len, plain)) <= LONGEST:
        return plain
    power = floor(log10(largest))
    digits = min(max(0, power - finest), DIGITS)
    by = f"\u00d710{str(power).translate(SUPERSCRIPT)}"
    return [f"{tick / 10.0**power:.{digits}f}{by}" if tick else "0" for tick in ticks]
