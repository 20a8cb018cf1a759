"""A ruler: the process medians of one measurement along an axis, and the interval of their median, as SVG."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from xml.etree.ElementTree import Element, SubElement

from benchbook import reading
from benchbook.blocks.elements import add, literal

MARGIN = 0.12  # of the range, at each end: strokes and letters are not cut
ROOM = 0.35  # the same, where a number beyond the end is told there
REACH = 4  # widths of the interval: what lies further from the median is told at the edge
FEWEST = 3  # ticks
STEPS = (5.0, 2.0, 1.0)
HEIGHT = 62  # in pixels, as are all heights; along the axis everything is a share of the width
STROKE, SPAN, CAP, AXIS, TICK = (2, 20), 29, 5, 40, 5


@dataclass(frozen=True, slots=True)
class Axis:
    """The numbers at both ends, in the unit that readers see."""

    first: float
    last: float

    def place(self, value: float) -> str:
        """Where a number lies, as a share of the width."""
        return f"{100 * (value - self.first) / (self.last - self.first):.2f}%"

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Round numbers on the axis, and how they are written."""
        size = floor(log10(self.last - self.first))
        widths = ((step * 10.0**power, power) for power in (size, size - 1) for step in STEPS)
        for width, power in widths:
            counts = range(ceil(self.first / width), floor(self.last / width) + 1)
            if len(counts) >= FEWEST:
                yield from ((count * width, f"{count * width:.{max(0, -power)}f}") for count in counts)
                return


def draw(
    parent: Element, medians: Sequence[float], statistics: Mapping[str, float | None], *, unit: str
) -> None:
    """Appends the ruler; nothing where there is no interval, or the processes do not differ.

    Args:
        parent: Where it goes.
        medians: One a process.
        statistics: Of the measurement: the median of those, and the interval's ends, low and high.
        unit: Of all these.
    """
    low, middle, high = (statistics[name] for name in ("low", "median", "high"))
    if low is None or middle is None or high is None or min(medians) == max(medians):
        return
    factor, name = reading.scale(middle, unit)
    reach = REACH * (high - low) or max(medians) - min(medians)
    near = [median for median in medians if abs(median - middle) <= reach]
    least, most = min(*near, low), max(*near, high)
    room = [
        (ROOM if is_told else MARGIN) * (most - least)
        for is_told in (least > min(medians), most < max(medians))
    ]
    axis = Axis((least - room[0]) / factor, (most + room[1]) / factor)
    svg = add(
        parent, "svg", "bb-ruler", role="img", aria_label=_words(medians, low, high, unit), height=str(HEIGHT)
    )
    _axis(svg, axis)
    for median in near:
        _line(svg, "bb-stroke", axis.place(median / factor), STROKE)
    _beyond(svg, [median / factor for median in medians if median not in near], axis)
    _span(svg, *(axis.place(value / factor) for value in (low, middle, high)))
    words = f"{name}: " if name else ""
    add(parent, "p", "bb-scale", f"{words}a stroke is the median of a process, the bar the 95% interval")


def _axis(svg: Element, axis: Axis) -> None:
    _line(svg, "bb-axis", "0%", (AXIS, AXIS), to="100%")
    for value, label in axis.ticks():
        _line(svg, "bb-axis", axis.place(value), (AXIS, AXIS + TICK))
        _text(svg, label, axis.place(value), HEIGHT - 4, "middle")


def _beyond(svg: Element, values: Sequence[float], axis: Axis) -> None:
    """Numbers off the axis, at the edge that they lie beyond."""
    below = ", ".join(reading.text(value) for value in sorted(values) if value < axis.first)
    above = ", ".join(reading.text(value) for value in sorted(values) if value > axis.last)
    if below:
        _text(svg, f"\N{LEFTWARDS ARROW} {below}", "0%", STROKE[1] - 4, "start")
    if above:
        _text(svg, f"{above} \N{RIGHTWARDS ARROW}", "100%", STROKE[1] - 4, "end")


def _span(svg: Element, low: str, middle: str, high: str) -> None:
    _line(svg, "bb-span", low, (SPAN, SPAN), to=high)
    for end in (low, high):
        _line(svg, "bb-span", end, (SPAN - CAP, SPAN + CAP))
    SubElement(svg, "circle", {"class": "bb-span", "cx": middle, "cy": str(SPAN), "r": str(CAP)})


def _line(svg: Element, kind: str, x: str, y: tuple[int, int], *, to: str = "") -> None:
    ends = {"x1": x, "x2": to or x, "y1": str(y[0]), "y2": str(y[1])}
    SubElement(svg, "line", {"class": kind, **ends})


def _text(svg: Element, words: str, x: str, y: int, anchor: str) -> None:
    SubElement(svg, "text", {"x": x, "y": str(y), "text-anchor": anchor}).text = literal(words)


def _words(medians: Sequence[float], low: float, high: float, unit: str) -> str:
    least, most = (reading.text(value, unit) for value in (min(medians), max(medians)))
    ends = f"{reading.text(low, unit)} to {reading.text(high, unit)}"
    return f"The medians of {len(medians)} processes, from {least} to {most}; 95% interval {ends}."
