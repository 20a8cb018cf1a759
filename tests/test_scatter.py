"""Scatters: few points with a marker each, and samples by the thousand as specks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.patches import PathPatch

from benchbook.drawing import scatter, speck
from benchbook.drawing.palette import SPECKS
from tests.drawn import DOTS, EVERY, assert_readable, composed, resolved, svg

PLACES = st.lists(st.tuples(st.floats(0, 300), st.floats(0, 180)), min_size=1, max_size=60)


def marked(tree):
    """The lines of series that have a marker for each point."""
    return [line for line in composed(tree).axes[0].lines if line.get_marker() not in {"None", "_"}]


def specks(tree):
    """The paths of series whose points are specks."""
    return [part for part in composed(tree).axes[0].get_children() if isinstance(part, PathPatch)]


def many(count, series=4):
    """Samples by the thousand, most of them close to each other."""
    one = {"x": [1 + n % 300 for n in range(count)], "y": [1 + n * n % 7919 / 7919 for n in range(count)]}
    rows = [
        {"label": f"s{n}", "x": one["x"], "y": [y ** (n + 2) + 4 * n for y in one["y"]]}
        for n in range(series)
    ]
    return EVERY | {"references": [], "series": rows}


def test_few_points_have_a_marker_each_and_no_line():
    """They stand where they were recorded, two at one x as well; medians have their whiskers."""
    copied, own = marked(DOTS)
    assert copied.get_xdata().tolist() == [65536, 1024]
    assert copied.get_ydata() == pytest.approx([5.0215, 15.0645])
    assert own.get_xdata().tolist() == [1024, 1024]
    assert own.get_ydata() == pytest.approx([5, 8])
    assert {line.get_linestyle() for line in (copied, own)} == {"None"}
    assert copied.get_marker() != own.get_marker()
    whiskers = [part for group in composed(DOTS).axes[0].collections for part in group.get_segments()]
    ends = sorted((low[1], high[1]) for low, high in whiskers)
    assert ends[0] == pytest.approx((4, 7))
    assert len(ends) == 4
    assert not specks(DOTS)


def test_every_sample_stands_over_its_call():
    """Each call of each process is a dot, numbered from 1 in each process."""
    eager, _ = resolved(EVERY).series
    assert eager.x == (1, 2, 3, 4) * 5
    assert eager.labels[3:5] == ("process 1", "process 2")
    assert eager.values[:5] == pytest.approx((15, 15.003, 15.006, 15.009, 15.03))
    (axes,) = composed(EVERY).axes
    drawn, _ = specks(EVERY)
    middles = drawn.get_path().vertices.reshape(-1, 2, 2).mean(axis=1)
    places = axes.transData.transform([*zip(eager.x, eager.values, strict=True)])
    for x, y in places:
        assert min(abs(middles - (x, y)).max(axis=1)) <= 2.0  # joined with its neighbours


def test_points_are_specks_where_they_are_many():
    """Forty own points have a marker each; one more, and all series of the panel are specks."""
    for count, found in ((40, 0), (41, 2)):
        tree = many(count, series=2)
        tree["series"][1] |= {"x": [1], "y": [2]}
        assert scatter.fine(resolved(tree)) == bool(found)
        assert len(specks(tree)) == found
        assert len(marked(tree)) == 2 - found


def test_four_series_of_specks_differ_in_shape():
    """In grey each two series are still two, in the plot and in the legend."""
    drawn = specks(many(41))
    strokes = [part.get_path().vertices[:2] for part in drawn]
    turns = {tuple((end - start).round(1) != 0) for start, end in strokes[1:]}
    assert turns == {(True, False), (False, True), (True, True)}
    assert [part.get_capstyle() for part in drawn] == ["round", "butt", "butt", "butt"]
    assert len({str(one.marker) for one in SPECKS}) == len(SPECKS) == 4
    (axes,) = composed(many(41)).axes
    assert len({str(sample.get_marker()) for sample in axes.get_legend().legend_handles}) == 4


def test_thousands_of_samples_are_a_small_drawing():
    """Ten processes of 300 calls in four series are one path each."""
    drawn = svg(many(3000))
    assert len(drawn) < 160_000  # these fill the plot; measured ones lie close to each other
    assert drawn.count(b"stroke-opacity: 0.85") == 4


@pytest.mark.parametrize("index", range(4))
@given(places=PLACES)
def test_every_speck_is_inked(index, places):
    """Whatever lies beside it, each is covered by a stroke, and no stroke reaches beyond specks."""
    one = SPECKS[index]
    strokes = [*speck.strokes(places, one)]
    assert strokes

    def turned(x, y):
        u, v = one.along
        return x * u + y * v, y * u - x * v

    rows = [(turned(*start), turned(*end)) for start, end in strokes]
    found = [turned(*place) for place in places]
    for along, across in found:
        assert any(
            start[0] - 0.26 <= along - one.half
            and along + one.half <= end[0] + 0.26
            and abs(start[1] - across) < 0.26
            for start, end in rows
        )
    for start, end in rows:
        near = sorted(along for along, across in found if abs(across - start[1]) < 0.26)
        assert any(abs(along - one.half - start[0]) < 0.26 for along in near)
        assert any(abs(along + one.half - end[0]) < 0.26 for along in near)
        within = [along for along in near if start[0] <= along <= end[0]]
        assert all(b - a <= one.reach + 0.5 for a, b in pairwise(within))


@pytest.mark.parametrize("tree", [DOTS, EVERY, many(500), many(30, 1) | {"xscale": "log", "yscale": "log"}])
def test_a_scatter_can_be_read(tree):
    """No text is cut or covered, and every point lies within the axes."""
    made = composed(tree)
    assert_readable(made)
    (left, right), (bottom, top) = made.axes[0].get_xlim(), made.axes[0].get_ylim()
    for marks in resolved(tree).series:
        assert all(left <= x <= right for x in marks.x)
        assert all(bottom <= y <= top for y in marks.values)
