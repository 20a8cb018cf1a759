"""A gable: how far a roofline's axes and lines reach, and where their labels stand."""

from collections.abc import Callable, Iterator
from math import isfinite, log10

from benchbook import reading
from benchbook.drawing import limits, nest, roof, sign
from benchbook.drawing.chart import Bound, Chart
from benchbook.drawing.lettering import SMALL, width
from benchbook.drawing.sign import Disc, Place, Sign
from benchbook.errors import BenchbookError

TALL = 216.0  # of the axes, in points
AROUND = 4.0  # how far beyond its ridge a roof is seen at least, as a factor
LEAST = 1 / 3  # of the x axis that each part of it has
DOT = 6.0  # half of a mark, with a little room
AWAY = (0.0, 8.0, 16.0)  # points from a slope, along which dots and their intervals lie
TOUCH = 2.0  # points; what a text covers is rounded up by as many
Ends = tuple[limits.Ends, limits.Ends]


def ends(chart: Chart) -> Ends:
    """Of both axes: all dots and guides, both parts of the roof, and where the other ceilings meet it."""
    ridge, (bandwidth, rate) = roof.ridge(chart.ceilings), roof.best(chart.ceilings)
    x = [ridge / AROUND, ridge * AROUND, *limits.guides(chart, "x")]
    x += [x for marks in chart.series for x in marks.x]
    for one in chart.ceilings:
        x.append(rate.value / one.value if one.slanted else one.value / bandwidth.value)
    left, right = log10(ridge / min(x)), log10(max(x) / ridge)
    share = LEAST / (1 - LEAST)
    left, right = max(left, right * share), max(right, left * share)
    along = limits.along(chart, [ridge / 10**left, ridge * 10**right])
    up = limits.floating(chart, bandwidth.at(along[0]), rate.value, above=limits.HEADROOM)
    return along, up


def lines(chart: Chart) -> Iterator[tuple[Bound, Place, Place]]:
    """Each ceiling as far as the roof lets it reach, from left to right."""
    (left, right), (bottom, _) = ends(chart)
    bandwidth, rate = roof.best(chart.ceilings)
    for one in chart.ceilings:
        if one.slanted:
            start, end = max(left, bottom / one.value), min(rate.value / one.value, right)
        else:
            start, end = max(left, one.value / bandwidth.value), right
        yield one, (start, one.at(start)), (end, one.at(end))


def signs(chart: Chart, room: float) -> list[Sign]:
    """The labels of the ceilings, on axes ``room`` points wide; that of the ridge where it covers nothing.

    Raises:
        BenchbookError: One is longer than its line, or has no place on it beside the others.
    """
    place = _placing(chart, room)
    ridge, best = roof.ridge(chart.ceilings), roof.best(chart.ceilings)
    foot, tip = place(ridge, 0), place(ridge, best[1].value)
    drawn = [(bound, place(*start), place(*end)) for bound, start, end in lines(chart)]
    ruled = [*sign.line(foot, tip), *_guides(chart, place, room)]
    ruled += [disc for _, *line in drawn for disc in sign.line(*line)]
    taken, made = [*_dots(chart, place)], list[Sign]()

    def put(text: str, ways: Iterator[Sign]) -> None:
        found = _free(text, ways, taken, ruled, room)
        _check_apart(found, made)
        made.append(found)
        taken.extend(found.discs)

    for bound, start, end in sorted(drawn, key=lambda row: row[0] not in best):  # the roof's come first
        text = f"{bound.label}: {reading.text(bound.value)} {bound.unit}"
        put(text, _ways(text, bound, start, end, roofed=bound in best))
    text = f"ridge: {reading.text(ridge)} FLOP/byte"
    found = sign.free(sign.beside(text, foot, tip[1]), taken, ruled, (room, TALL))
    return made if found is None or sign.depth(found.discs, taken) else [*made, found]


def _placing(chart: Chart, room: float) -> Callable[[float, float], Place]:
    """What gives the place of an intensity and a rate; one that the axes do not reach is at their end."""
    (left, right), (bottom, top) = ends(chart)
    wide, high = room / log10(right / left), TALL / log10(top / bottom)
    return lambda x, y: (log10(max(x, left) / left) * wide, log10(max(y, bottom) / bottom) * high)


def _dots(chart: Chart, place: Callable[[float, float], Place]) -> Iterator[Disc]:
    """What dots and the ends of their intervals cover."""
    rows = [[*zip(marks.x, marks.values, marks.low, marks.high, strict=True)] for marks in chart.series]
    depths = nest.depths([[place(x, rate) for x, rate, *_ in row] for row in rows])
    for row, deep in zip(rows, depths, strict=True):
        for (x, *rates), depth in zip(row, deep, strict=True):
            half = DOT + depth * nest.RING / 2
            yield from ((place(x, rate), half) for rate in rates if isfinite(rate))


def _guides(chart: Chart, place: Callable[[float, float], Place], room: float) -> Iterator[Disc]:
    """What lines from end to end of the axes cover."""
    for line in chart.references:
        x, y = place(line.place, line.place)
        yield from sign.line((x, 0), (x, TALL)) if line.axis == "x" else sign.line((0, y), (room, y))


def _check_apart(one: Sign, others: list[Sign]) -> None:
    for other in others:
        if sign.depth(one.discs, other.discs) < -TOUCH:
            raise BenchbookError(
                f"the text {one.text!r} would cover {other.text!r}",
                mend="shorten their labels, or leave out a ceiling that is near another one",
            )


def _ways(text: str, bound: Bound, start: Place, end: Place, *, roofed: bool) -> Iterator[Sign]:
    """Where a label may stand; nothing is above the roof, so that its own may stand there."""
    sides = (1, -1) if roofed else (-1, 1)
    if bound.slanted:
        away = AWAY if roofed else AWAY[:1]  # one that is dashed may lie near: a text is by its own line
        return (one for far in away for one in sign.along(text, start, end, sides, far))
    short = end[0] - start[0] < width(text, SMALL) + 2 * sign.STEP
    return sign.along(text, end, (0.0, end[1]) if roofed or short else start, sides)


def _free(text: str, ways: Iterator[Sign], taken: list[Disc], ruled: list[Disc], room: float) -> Sign:
    found = sign.free(ways, taken, ruled, (room, TALL))
    if found is None:
        raise BenchbookError(
            f"the text {text!r}, {width(text, SMALL):.0f} points long, does not fit on its line",
            mend="shorten the label of that ceiling",
        )
    return found
