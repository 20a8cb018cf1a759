"""Cases: names along the x axis, a slot each, in which the marks of all series stand side by side."""

from matplotlib.axes import Axes

from benchbook.drawing.chart import count
from benchbook.drawing.lettering import GAP, SMALL, height, width, wrap
from benchbook.errors import BenchbookError
from benchbook.run import Panel

BETWEEN = 4  # points between two labels
SHORTEST = "0"  # a label that each slot can hold


def check(panel: Panel, room: float) -> None:
    """Proves that every series has one value a label, and that labels fit into ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    labels = panel.labels or []
    if not labels:
        raise BenchbookError(
            f"a figure of kind {panel.kind!r} has no labels", mend="name each case in 'labels'"
        )
    for series in panel.series:
        if series.x is not None:
            raise BenchbookError(
                f"a figure of kind {panel.kind!r} has names along x, and series {series.label!r} has numbers",
                mend="leave out its 'x', or choose kind 'line'",
            )
        if count(series) != len(labels):
            raise BenchbookError(
                f"series {series.label!r} has {count(series)} values for {len(labels)} labels",
                mend="give one a label",
            )
    if room / len(labels) - BETWEEN < width(SHORTEST, SMALL):
        raise BenchbookError(
            f"{len(labels)} labels have no room beside each other",
            mend="show fewer labels, or choose kind 'line'",
        )
    _wrapped(panel, room)


def tall(panel: Panel, room: float) -> float:
    """How much the labels take below the axes, in points."""
    return GAP + max(height(label, SMALL) for label in _wrapped(panel, room))


def dress(axes: Axes, panel: Panel, room: float) -> float:
    """Sets the labels below the axes; the width of a slot in points."""
    labels = _wrapped(panel, room)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    axes.set_xticks(range(len(labels)), labels=labels, parse_math=False)
    return room / len(labels)


def beside(panel: Panel, index: int, step: float) -> list[float]:
    """Where the marks of a series stand, ``step`` of a slot from those of the next."""
    shift = (index - (len(panel.series) - 1) / 2) * step
    return [position + shift for position in range(len(panel.labels or []))]


def _wrapped(panel: Panel, room: float) -> list[str]:
    labels = panel.labels or []
    return [wrap(label, room / len(labels) - BETWEEN, size=SMALL) for label in labels]
