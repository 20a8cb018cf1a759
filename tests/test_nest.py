"""Nests: of dots at one place each is seen, in the plot and beside its interval."""

from math import dist

import pytest

from benchbook.drawing import gable, nest, sheet
from benchbook.drawing.palette import MARKERS
from tests.drawn import DOTS, ROOF, composed, panel, resolved

SAME = [{"label": f"s{n}", "measurement": "eager", "flops": 3e4, "bytes": 6e4} for n in range(6)]


def sizes(tree):
    """How large each marker is, by its shape."""
    drawn = [line for line in composed(tree).axes[0].lines if line.get_marker() in MARKERS]
    return {line.get_marker(): line.get_markersize() for line in drawn}


@pytest.mark.parametrize(
    "tree",
    [
        ROOF | {"series": SAME[:4]},
        DOTS | {"series": [{"label": f"s{n}", "x": [1], "y": [2]} for n in range(4)], "bands": []},
    ],
    ids=["roofline", "scatter"],
)
def test_series_at_one_place_lie_one_within_the_other(tree):
    """The first is the largest and drawn first; the last is as large as one that lies alone."""
    found = [*sizes(tree).values()]
    alone = sizes(tree | {"series": tree["series"][:1]})["o"]
    assert found[-1] == alone
    assert found == [alone + nest.RING * n for n in (3, 2, 1, 0)]


def test_dots_that_are_apart_are_of_one_size():
    """So are those of one series, whose colour says the same."""
    assert nest.depths([[(0, 0), (0, 1), (9, 9)], [(nest.NEAR, 0)]]) == [[0, 0, 0], [0]]
    assert nest.depths([[(0, 0), (0, 1), (9, 9)], [(1, 1)]]) == [[1, 1, 0], [0]]


@pytest.mark.parametrize("above", [1.2, 1.3, 1.4])
def test_a_label_leaves_a_nest_free(above):
    """It keeps away from what is drawn, which is more than one dot; here it lies above the slope."""
    work = 1.5e5 * above
    tree = ROOF | {"series": [one | {"flops": work, "bytes": work} for one in SAME]}
    (axes,), chart = composed(tree).axes, resolved(tree)
    corner = axes.get_window_extent()
    middle = axes.transData.transform((1, chart.series[0].values[0])) - (corner.x0, corner.y0)
    half = sizes(tree)["o"] / 2
    for one in gable.signs(chart, sheet.room(panel(tree))):
        assert all(dist(middle, place) > half + reach for place, reach in one.discs), one.text
