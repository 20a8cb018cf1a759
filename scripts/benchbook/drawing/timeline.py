"""The kind ``timeline``: segments from a start to an end, on lanes below each other, by category."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice, takewhile
from math import inf, log10

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from benchbook.drawing import limits, scale, segment
from benchbook.drawing.chart import Chart
from benchbook.drawing.ink import Sample, dot, fill
from benchbook.drawing.lettering import LEADING, SMALL, wrap
from benchbook.drawing.palette import Palette
from benchbook.drawing.segment import Segment, segments
from benchbook.errors import BenchbookError
from benchbook.run import Panel

LANE = 34.0  # points: a name, and segments below it
SEGMENT = 16.0
NAME = 2 + SMALL * LEADING
LEAST, SHORT = 2.0, 7.0  # points that the shortest is wide, and one that is too short for a hatch
APART = 12.0  # points between markers of one category where segments are many, so that they hide no segment
LEFT = 30.0  # beside the axes there is one text only

Placed = tuple[Segment, float, float]  # its left end and its width, in points


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    labels = panel.labels or []
    if not labels:
        raise BenchbookError("a timeline has no labels", mend="name each lane in 'labels', from the top")
    for label in labels:
        wrap(label, room, size=SMALL, lines=1)
    for series in panel.series:
        segment.check(series, len(labels), log=panel.xscale == "log")


def prove(chart: Chart, room: float) -> None:
    """Proves that each segment of a chart is seen, on axes that are ``room`` points wide.

    Raises:
        BenchbookError: With the mend.
    """
    segment.prove(chart)
    scale.prove(chart.panel, _ends(chart), room)


def tall(panel: Panel) -> float:
    """The height of the axes, in points."""
    return LANE * len(panel.labels or [])


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws lanes and segments into axes that are ``room`` points wide."""
    names = chart.panel.labels or []
    scale.lying(axes, chart.panel, _ends(chart), palette, room)
    axes.set_ylim(len(names) * LANE, 0)
    axes.set_yticks([])
    for lane, name in enumerate(names):
        _name(axes, wrap(name, room, size=SMALL, lines=1), lane * LANE, palette)
    placed = _placed(chart, room)
    marked = _marked(placed, APART if segment.crowded(chart) else 0.0)
    for one, left, wide in sorted(placed, key=lambda row: -row[2]):  # the short upon the long
        _segment(axes, one, left / room, wide / room, palette, short=wide < SHORT)
        if one in marked:
            _marker(axes, one, (left + wide / 2) / room, palette)


def legend(chart: Chart, palette: Palette, room: float) -> list[tuple[Sample, str]]:
    """A sample and a label for each category."""
    short = {one.category for one, _, wide in _placed(chart, room) if wide < SHORT}
    samples = list[tuple[Sample, str]]()
    for index, marks in enumerate(chart.series):
        area = Patch(**fill(palette, index))
        marked = (area, Line2D([], [], **dot(palette, index)))
        samples.append((marked if index in short else area, marks.label))
    return samples


def _name(axes: Axes, name: str, top: float, palette: Palette) -> None:
    if top:
        axes.axhline(top, color=palette.grid, linewidth=0.8, zorder=1)
    axes.annotate(
        name,
        (0, top),
        xycoords=axes.get_yaxis_transform(),
        xytext=(3, -2),
        textcoords="offset points",
        ha="left",
        va="top",
        size=SMALL,
        color=palette.text,
        bbox={"facecolor": palette.background, "edgecolor": "none", "pad": 1},  # over band and lines
        zorder=5,
        parse_math=False,
    )


def _segment(axes: Axes, one: Segment, left: float, wide: float, palette: Palette, *, short: bool) -> None:
    """Draws it, in parts of the axes' width; one that is short has no room for a hatch."""
    top = one.lane * LANE + NAME
    style = fill(palette, one.category) | {"edgecolor": palette.background, "linewidth": 0.8}
    style |= {"hatch": "", "linewidth": 0} if short else {}
    place = axes.get_yaxis_transform()
    axes.add_patch(Rectangle((left, top), wide, SEGMENT, transform=place, zorder=3, **style))


def _marker(axes: Axes, one: Segment, middle: float, palette: Palette) -> None:
    """Draws the marker of its category upon it."""
    place = ([middle], [one.lane * LANE + NAME + SEGMENT / 2])
    axes.plot(*place, transform=axes.get_yaxis_transform(), zorder=3.5, **dot(palette, one.category))


def _marked(placed: Sequence[Placed], apart: float) -> set[Segment]:
    """The short segments that have a marker: of a lane, none nearer to the last than that.

    The categories of a lane take turns, and the rarest is the first.
    """
    short = [(one, left + wide / 2) for one, left, wide in placed if wide < SHORT]
    if not apart:
        return {one for one, _ in short}
    found = set[Segment]()
    for _, lane in groupby(short, lambda row: row[0].lane):
        found |= _dealt(sorted(lane, key=lambda row: row[1]), apart)
    return found


def _dealt(lane: Sequence[tuple[Segment, float]], apart: float) -> set[Segment]:
    """Those of a lane: of what lies within that distance of the first, one whose category has the fewest."""
    many, marks = Counter(one.category for one, _ in lane), Counter[int]()
    found, place, at = set[Segment](), -inf, 0
    while at < len(lane):
        first = lane[at][1]
        if first < place + apart:
            at += 1
            continue
        near = takewhile(lambda row: row[1] < first + apart, islice(lane, at, None))  # noqa: B023 - used at once
        one, place = min(near, key=lambda row: (marks[row[0].category], many[row[0].category]))
        marks[one.category] += 1
        found.add(one)
    return found


def _ends(chart: Chart) -> limits.Ends:
    return limits.along(chart, [x for one in segments(chart) for x in (one.start, one.end)])


def _placed(chart: Chart, room: float) -> list[Placed]:
    """Each with its left end and its width, in points of axes that are ``room`` wide."""
    spread = log10 if chart.panel.xscale == "log" else float
    first, last = map(spread, _ends(chart))
    unit = room / (last - first)
    rows = [(one, spread(one.start), spread(one.end)) for one in segments(chart)]
    placed = [(one, (start - first) * unit, (end - start) * unit) for one, start, end in rows]
    least = _least(placed) if segment.crowded(chart) else [LEAST] * len(placed)
    return [(one, left, max(wide, bound)) for (one, left, wide), bound in zip(placed, least, strict=True)]


def _least(placed: Sequence[Placed]) -> list[float]:
    """How wide each must be to be seen, and at most half of the way to the next: else a lane is a bar."""
    found, lane, start, after = list[float](), -1, inf, inf
    for one, left, _ in reversed(placed):
        if one.lane != lane:
            lane, start, after = one.lane, left, inf
        elif left < start:
            start, after = left, start
        found.append(min(LEAST, (after - left) / 2))
    return found[::-1]
