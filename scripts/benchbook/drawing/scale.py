"""Scales: axes of numbers, and the ticks that they show."""

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, pairwise
from math import floor, inf, log, log10

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, NullFormatter

from benchbook.drawing.lettering import GAP, LEADING, SMALL, width
from benchbook.drawing.limits import PLAIN, Ends
from benchbook.drawing.palette import Palette
from benchbook.errors import BenchbookError
from benchbook.reading import SUPERSCRIPT
from benchbook.run import Panel

TALL = GAP + SMALL * LEADING  # what numbers take below the axes
TICK = 3.5
EDGE = 8.0  # how far a number may reach beyond the axes
BETWEEN = 6.0
LEAST, MOST = 2, 6
LONGEST = 7  # characters of a number without a power of ten
DIGITS = 15
Tick = tuple[float, str]
SPAN = 300.0  # of a log axis: seven numbers or eight, which have room beside each other


def upright(axes: Axes, panel: Panel, ends: Ends) -> None:
    """Makes the y axis that of the panel."""
    axes.set_yscale(panel.yscale)
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylim(*ends)
    tall = axes.get_window_extent().height  # in points: a sheet has 72 dots an inch
    ticks = graded(*ends, tall, upright=True) if panel.yscale == "log" else []
    if ticks:
        axes.set_yticks([tick for tick, _ in ticks], labels=[text for _, text in ticks], parse_math=False)


def lying(axes: Axes, panel: Panel, ends: Ends, palette: Palette, room: float) -> None:
    """Makes the x axis, ``room`` points wide, that of the panel."""
    axes.set_xscale(panel.xscale)
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlim(*ends)
    axes.tick_params(axis="x", length=TICK)
    axes.grid(axis="x", color=palette.grid, linewidth=0.8)
    ticks = spelled(*ends, room) if panel.xscale == "linear" else graded(*ends, room)
    if ticks:
        axes.set_xticks([tick for tick, _ in ticks], labels=[text for _, text in ticks], parse_math=False)


def prove(panel: Panel, ends: Ends, room: float) -> None:
    """Proves that a linear x axis, ``room`` points wide, has two ticks that can be told apart.

    Raises:
        BenchbookError: With the mend.
    """
    if panel.xscale == "linear" and len({text for _, text in spelled(*ends, room)}) < LEAST:
        raise BenchbookError(
            f"from {ends[0]:.{DIGITS}g} to {ends[1]:.{DIGITS}g} there are no two numbers along x "
            "that have room beside each other",
            mend="subtract the start from each x",
        )


def graded(low: float, high: float, room: float, *, upright: bool = False) -> list[Tick]:
    """Numbers between two ends of a log axis that is too short for powers of ten alone, else nothing.

    They are 1, 2 and 5 of each power of ten, and any round ones where there are too few of those.

    Args:
        low: More than 0.
        high: More than ``low``.
        room: How long the axis is, in points.
        upright: Whether they stand upon each other.
    """
    if high / low > SPAN or not PLAIN[0] <= low < high <= PLAIN[1]:
        return []
    powers = range(floor(log10(low)), floor(log10(high)) + 1)
    found = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]

    def place(tick: float) -> float:
        return log(tick / low) / log(high / low)

    ticks = [(tick, f"{tick:g}") for tick in found if low <= tick <= high]
    whole = [tick for tick in ticks if upright or _span(place(tick[0]) * room, tick[1])[1] <= room + EDGE]
    return whole if len(whole) > LEAST else _rounded(low, high, room, place, upright=upright)


def spelled(low: float, high: float, room: float) -> list[Tick]:
    """As many round numbers between two ends as have room beside each other, and how they are written."""
    return _rounded(low, high, room, lambda tick: (tick - low) / (high - low))


def _rounded(
    low: float, high: float, room: float, place: Callable[[float], float], *, upright: bool = False
) -> list[Tick]:
    """Evenly spaced ones, or those of them that have room; ``place`` is a part of the axis."""
    best = list[Tick]()
    for most in range(MOST, 1, -1):
        found = MaxNLocator(most, steps=[1, 2, 5, 10]).tick_values(low, high)
        inside = [float(tick) + 0.0 for tick in found if low <= tick <= high]  # -0.0 is 0
        rows = [*zip(inside, _written(inside), strict=True)]
        spans = [_span(place(tick) * room, "" if upright else text) for tick, text in rows]
        whole = [left >= -EDGE and right <= room + EDGE for left, right in spans]
        ticks, kept = [*compress(rows, whole)], [*compress(spans, whole)]
        thinned = [*compress(ticks, _apart(kept))]
        if len(ticks) == len(thinned) >= LEAST:
            return ticks
        best = max(best, thinned, key=len)
    return best


def _apart(spans: Sequence[tuple[float, float]]) -> Iterator[bool]:
    """Whether each has room after the one before that has."""
    end = -inf
    for left, right in spans:
        fits = end + BETWEEN <= left
        end = right if fits else end
        yield fits


def _span(place: float, text: str) -> tuple[float, float]:
    half = width(text, SMALL) / 2 if text else SMALL * LEADING / 2
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
