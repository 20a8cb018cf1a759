"""Rooflines: rates from medians, the roof over them, and labels that cover nothing."""

from itertools import combinations
from math import dist, hypot, isnan, log10

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from benchbook.drawing import fitness, gable, kind, roof
from benchbook.drawing.palette import LIGHT, MARKERS
from benchbook.drawing.sheet import room
from benchbook.errors import BenchbookError
from benchbook.statistics import summarise
from tests.drawn import ROOF, SEED, assert_readable, composed, panel, resolved, shown, svg
from tests.factory import make_run

MEASUREMENTS = make_run().measurements
AMOUNTS = st.floats(1e2, 1e9)
COPY, PRODUCT, STRIDED, _ = ROOF["ceilings"]


def lines(tree):
    """The lines of ceilings and of the ridge: the solid ones, and the others."""
    found = [line for line in composed(tree).axes[0].lines if line.get_marker() == "None"]
    solid = [line for line in found if line.get_linestyle() == "-"]
    return solid, [line for line in found if line not in solid]


def test_a_rate_is_work_over_the_median_and_its_interval_is_turned_round():
    """FLOPs in a nanosecond are GFLOP/s; the longest time is the lowest rate."""
    products, total = resolved(ROOF).series
    eager = summarise(MEASUREMENTS["eager"], seed=SEED)
    assert products.x == (0.5, 20)
    assert products.values[0] == 3e4 / eager.median
    assert (products.low[0], products.high[0]) == (3e4 / eager.high, 3e4 / eager.low)
    assert products.low[0] < products.values[0] < products.high[0]
    assert (total.x, total.labels) == ((0.25,), ("compiled",))


def test_the_roof_is_the_least_of_the_best_bandwidth_and_the_best_rate():
    """It rises to the ridge and is flat beyond it, whatever the order of the ceilings."""
    for ceilings in (ROOF["ceilings"], ROOF["ceilings"][::-1]):
        found = resolved(ROOF | {"ceilings": ceilings}).ceilings
        assert [one.label for one in roof.best(found)] == ["copy", "product"]
        assert roof.ridge(found) == pytest.approx(4)
        assert [roof.at(found, x) for x in (0.4, 4, 40)] == pytest.approx([4, 40, 40])


def test_the_roof_is_solid_and_the_other_ceilings_end_at_it():
    """Both parts meet at the ridge, from which a line falls to the axis; none is above the roof."""
    solid, dashed = lines(ROOF)
    (left, right), (bottom, _) = (solid[0].axes.get_xlim(), solid[0].axes.get_ylim())
    slope, flat = (line.get_xydata().tolist() for line in solid)
    assert slope[0] == pytest.approx([left, 10 * left])
    assert slope[1] == flat[0] == pytest.approx([4, 40])
    assert flat[1] == pytest.approx([right, 40])
    strided, halved, ridge = (line.get_xydata().tolist() for line in dashed)
    assert strided[1] == pytest.approx([12, 40])
    assert halved == [pytest.approx([2, 20]), pytest.approx([right, 20])]
    assert ridge == [pytest.approx([4, bottom]), pytest.approx([4, 40])]


def test_both_axes_are_log_without_being_asked():
    """A panel says nothing of scales; other kinds keep theirs."""
    (axes,) = composed(ROOF).axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert kind.KINDS["line"].natural(panel(ROOF)).xscale == "linear"


def test_labels_stand_on_their_lines_with_their_values():
    """Each ceiling is named where it is drawn, turned as its line is; so is the ridge."""
    texts = {text.get_text(): text for text in composed(ROOF).axes[0].texts}
    assert set(texts) == {
        "copy: 10 GB/s",
        "product: 40 GFLOP/s",
        "strided: 3.33 GB/s",
        "float64: 20 GFLOP/s",
        "ridge: 4 FLOP/byte",
    }
    turns = {name.split(":")[0]: text.get_rotation() for name, text in texts.items()}
    assert turns["copy"] == pytest.approx(turns["strided"])
    assert 10 < turns["copy"] < 80
    assert turns["product"] == turns["float64"] == turns["ridge"] == 0
    assert {"rate (GFLOP/s)", "arithmetic intensity (FLOP/byte)"} <= set(shown(ROOF))


def test_every_series_is_in_the_legend():
    """One series too: no axis names it. Markers tell series apart."""
    (axes,) = composed(ROOF).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["products", "a sum"]
    assert len({sample.get_marker() for sample in axes.get_legend().legend_handles}) == 2
    (alone,) = composed(ROOF | {"series": ROOF["series"][:1]}).axes
    assert [text.get_text() for text in alone.get_legend().get_texts()] == ["products"]


def test_one_process_has_no_interval():
    """Dots and ceilings stand for themselves."""
    one = {name: m.model_copy(update={"samples": m.samples[:1]}) for name, m in MEASUREMENTS.items()}
    (chart,) = fitness.charts([panel(ROOF)], one, seed=SEED)
    assert all(isnan(end) for marks in chart.series for end in (*marks.low, *marks.high))
    assert kind.KINDS["roofline"].grid(chart).rows[0][4] == "1.9994"


def test_a_time_that_reaches_nothing_is_refused():
    """An interval that holds 0 ns would be a rate without end."""
    short = MEASUREMENTS["eager"].model_copy(update={"samples": [[0], [0], [5], [5], [5]]})
    with pytest.raises(BenchbookError, match="eager took 0 ns"):
        fitness.charts([panel(ROOF)], MEASUREMENTS | {"eager": short}, seed=SEED)


def test_a_roofline_is_a_small_drawing():
    """Its letters are shared, on slanted lines too."""
    assert len(svg(ROOF)) < 70_000


@settings(max_examples=15, deadline=None, phases=[Phase.generate])
@given(
    st.lists(st.tuples(AMOUNTS, AMOUNTS), min_size=1, max_size=5),
    st.floats(1e3, 1e6),
    st.floats(1e3, 1e8),
    st.floats(0.2, 1),
)
def test_any_roofline_can_be_read(work, moved, computed, part):
    """Every dot and the ridge lie within the axes, and labels stand within them, none upon another."""
    series = [
        {"label": f"s{n}", "measurement": "eager", "flops": flops, "bytes": size}
        for n, (flops, size) in enumerate(work)
    ]
    ceilings = [
        COPY | {"bytes": moved},
        PRODUCT | {"flops": computed},
        STRIDED | {"measurement": "compiled", "bytes": moved * part / 3},
    ]
    tree = ROOF | {"series": series, "ceilings": ceilings}
    chart = resolved(tree)
    assume(1e-6 < roof.ridge(chart.ceilings) < 1e9)
    made = composed(tree)
    assert_readable(made)
    (left, right), (bottom, top) = made.axes[0].get_xlim(), made.axes[0].get_ylim()
    points = [(x, y) for marks in chart.series for x, y in zip(marks.x, marks.values, strict=True)]
    points.append((roof.ridge(chart.ceilings), roof.best(chart.ceilings)[1].value))
    assert all(left < x < right and bottom < y < top for x, y in points)
    signs = gable.signs(chart, room(panel(tree)))
    assert len(signs) in {3, 4}  # that of the ridge is left out where it would cover another
    for one, other in combinations(signs, 2):
        apart = min(dist(a, b) - r - s for a, r in one.discs for b, s in other.discs)
        assert apart > -2, (one.text, other.text)  # a disc is two points taller than a letter


def test_a_label_leaves_dots_free():
    """It moves along its line until it covers none of them."""
    chart = resolved(ROOF)
    axes = composed(ROOF).axes[0]
    corner = axes.get_window_extent()
    dots = [
        place - (corner.x0, corner.y0)
        for marks in chart.series
        for place in axes.transData.transform([*zip(marks.x, marks.values, strict=True)])
    ]
    for one in gable.signs(chart, room(panel(ROOF))):
        assert min(hypot(*(dot - place)) for dot in dots for place, _ in one.discs) > 8
    assert {text.get_color() for text in axes.texts} == {LIGHT.text}


def test_a_far_line_leaves_both_parts_of_the_roof_room():
    """The axes reach it, and their labels still stand on the ceilings and across no line."""
    tree = ROOF | {"references": [{"label": "far", "x": 1e9}, {"label": "a goal", "y": 45}]}
    made = composed(tree).axes[0]
    (left, right), ridge = made.get_xlim(), roof.ridge(resolved(tree).ceilings)
    assert right > 1e9
    assert log10(ridge / left) > 0.3 * log10(right / left)
    height = made.transData.transform((1, 45))[1] - made.get_window_extent().y0
    for one in gable.signs(resolved(tree), room(panel(tree))):
        assert all(abs(place[1] - height) > reach for place, reach in one.discs), one.text


def test_a_label_moves_away_from_a_slope_that_dots_lie_on():
    """It is still parallel to it. Where nothing is free, dots and intervals lie over the letters."""
    flops = [5e4 * 2 ** (n / 2) for n in range(-8, 5)]
    names = ["compiled"] * len(flops)
    dots = {"label": "s", "measurement": names, "flops": flops, "bytes": [50215] * len(flops)}
    tree = ROOF | {"series": [dots], "ceilings": [COPY, PRODUCT]}
    found, *_ = gable.signs(resolved(tree), room(panel(tree)))
    (axes,) = composed(tree).axes
    corner = axes.get_window_extent()
    (marks,) = resolved(tree).series
    for place in axes.transData.transform([*zip(marks.x, marks.values, strict=True)]):
        middle = place - (corner.x0, corner.y0)
        assert min(dist(middle, at) for at, _ in found.discs) > 8
    assert all(text.get_zorder() < 4 for text in axes.texts)


def test_the_interval_of_any_marker_is_seen():
    """However short it is, its caps reach beyond the widest marker."""
    series = [{"label": f"s{n}", "measurement": "eager", "flops": 10**n, "bytes": 1000} for n in range(1, 6)]
    (axes,) = composed(ROOF | {"series": series}).axes
    caps = [line.get_markersize() / 2 for line in axes.lines if line.get_marker() == "_"]
    drawn = [line for line in axes.lines if line.get_marker() in MARKERS]
    widest = max((line.get_markersize() + line.get_markeredgewidth()) * 2**0.5 / 2 for line in drawn)
    assert min(caps) > widest + 1
