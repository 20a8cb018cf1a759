"""Lines: their points in order, what tells them apart, and their bands."""

from itertools import combinations
from math import dist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drawn import GROWTH, SIZES, assert_readable, composed, svg

POINTS = st.lists(
    st.tuples(st.floats(1e-9, 1e12), st.floats(1e-9, 1e12)), min_size=1, max_size=8, unique_by=lambda p: p[0]
)


def lines(tree):
    """The lines of series: those that have a marker."""
    return [line for line in composed(tree).axes[0].lines if line.get_marker() not in {"None", "_"}]


def test_points_are_joined_in_order_of_x():
    """However they were recorded, a line never turns back."""
    _, compiled = lines(GROWTH)
    assert compiled.get_xdata().tolist() == [1, 30, 1000]
    assert compiled.get_ydata().tolist() == [50, 50.3, 60]


def test_four_lines_differ_in_marker_and_in_dashes():
    """In grey each two series are still two."""
    four = [{"label": f"s{n}", "x": [1, 2], "y": [n + 1, n + 2]} for n in range(4)]
    drawn = lines(GROWTH | {"series": four})
    assert len({line.get_marker() for line in drawn}) == 4
    assert len({str(line._dash_pattern) for line in drawn}) == 4


def test_an_interval_is_a_band_whose_opacity_is_no_colour():
    """The band is shaded by an opacity of its own, so that the dark scheme can replace its colour."""
    for dark in (False, True):
        drawn = svg(GROWTH, dark=dark)
        assert drawn.count(b"fill-opacity: 0.22") == 1  # the other series has no interval
        assert b"rgba" not in drawn


def test_x_of_measurements_is_no_time():
    """Where y is in microseconds x stays as it was recorded, and so do the lines that stand on it."""
    (axes,) = composed(SIZES).axes
    (copied,) = lines(SIZES)
    assert copied.get_xdata().tolist() == [1024, 65536]
    assert copied.get_ydata().tolist() == pytest.approx([5.0215, 15.0645])
    across, along = (line for line in axes.lines if line.get_marker() == "None")
    assert across.get_xdata() == [4096, 4096]
    assert along.get_ydata() == pytest.approx([10, 10])


@pytest.mark.parametrize("xscale", ["linear", "log"])
@pytest.mark.parametrize("count", [1, 2, 24, 500])
def test_many_points_leave_the_line_to_be_seen(count, xscale):
    """The first and the last point have a marker, and between them those that do not touch each other."""
    x = [*range(1, count + 1)]
    series = [{"label": "s", "x": x, "y": [1 + at * at % 7 for at in x]}]
    tree = SIZES | {"series": series, "references": [], "xscale": xscale}
    (line,) = lines(tree)
    marked = line.get_markevery()
    assert (marked[0], marked[-1]) == (0, count - 1)
    places = line.axes.transData.transform([*zip(*line.get_data(), strict=True)])
    assert all(dist(one, other) >= 12 for one, other in combinations(places[marked], 2))
    assert len(marked) <= 26


@settings(max_examples=20, deadline=None)
@given(POINTS, POINTS, st.sampled_from(["linear", "log"]), st.sampled_from(["linear", "log"]))
def test_any_points_can_be_read(one, other, xscale, yscale):
    """Whatever is drawn, all points lie within the axes, and no text covers another."""
    series = [
        {"label": name, "x": [x for x, _ in points], "y": [y for _, y in points]}
        for name, points in (("one", one), ("other", other))
    ]
    tree = {
        "kind": "line",
        "xlabel": "x",
        "ylabel": "y",
        "xscale": xscale,
        "yscale": yscale,
        "series": series,
    }
    made = composed(tree)
    assert_readable(made)
    (low, high), (bottom, top) = made.axes[0].get_xlim(), made.axes[0].get_ylim()
    assert all(low <= x <= high and bottom <= y <= top for x, y in (*one, *other))
