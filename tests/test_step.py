"""Steps: the fraction of samples at or below each value, whatever the samples are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.drawn import TAIL, assert_readable, composed, resolved, svg

SAMPLES = st.lists(st.floats(1e-9, 1e12), min_size=1, max_size=40)


def lines(tree):
    """The lines of series."""
    return [line for line in composed(tree).axes[0].lines if line.get_marker() != "None"]


def test_a_step_rises_at_each_sample():
    """It jumps there, right-continuous, by the part of samples that are equal, from 0 to 1, end to end."""
    _, own = lines(TAIL)
    assert own.get_drawstyle() == "steps-post"
    left, right = own.axes.get_xlim()
    assert own.get_xdata() == pytest.approx((left, 1, 2, 3, 40, right))
    assert own.get_ydata() == pytest.approx((0, 0.2, 0.6, 0.8, 1, 1))
    assert own.get_markevery() == [-2]  # where the largest is


def test_samples_of_all_processes_are_one_series():
    """Twenty samples of five processes rise by a twentieth each, in the unit of the axis."""
    eager, _ = resolved(TAIL).series
    assert len(eager.x) == 20
    assert (eager.x[0], eager.x[-1]) == pytest.approx((15, 15.129))
    assert eager.values == pytest.approx([n / 20 for n in range(1, 21)])


def test_the_unit_is_that_of_x():
    """Lines and bands on x are in seconds, and fractions stay fractions."""
    chart = resolved(TAIL)
    assert (chart.xlabel, chart.ylabel) == ("time per call (µs)", "fraction of calls at or below")
    assert [line.place for line in chart.references] == pytest.approx([10, 0.5])
    assert (chart.bands[0].low, chart.bands[0].high) == pytest.approx((15, 20))


def test_four_steps_differ_in_dashes():
    """In grey each two series are still two."""
    four = [{"label": f"s{n}", "y": [n + 1, n + 2]} for n in range(4)]
    drawn = lines(TAIL | {"series": four})
    assert len({str(line._dash_pattern) for line in drawn}) == 4


@pytest.mark.parametrize("xscale", ["linear", "log"])
def test_thousands_of_samples_are_a_small_drawing(xscale):
    """No more points are drawn than the eye tells apart, and none of them far from its place."""
    y = [1 + n * n % 7919 / 7919 for n in range(3000)]
    tree = TAIL | {
        "xscale": xscale,
        "series": [{"label": f"s{n}", "y": [v**n for v in y]} for n in range(1, 5)],
    }
    assert len(svg(tree)) < 100_000
    for line, marks in zip(lines(tree), resolved(tree).series, strict=True):
        seen = {*zip(*line.get_data(), strict=True)}
        every = [*zip(marks.x, marks.values, strict=True)]
        assert every[-1] in seen
        assert len(seen) < 1500
        kept = line.axes.transData.transform(sorted(seen))
        for place in line.axes.transData.transform(every[::50]):
            assert min(abs(kept - place).max(axis=1)) < 0.5


@settings(max_examples=25, deadline=None)
@given(SAMPLES, SAMPLES, st.sampled_from(["linear", "log"]))
def test_any_samples_can_be_read(one, other, xscale):
    """Whatever is drawn, it lies within the axes from 0 to 1, and no text covers another."""
    series = [{"label": name, "y": y} for name, y in (("one", one), ("other", other))]
    tree = TAIL | {"series": series, "xscale": xscale, "references": [], "bands": []}
    made = composed(tree)
    assert_readable(made)
    left, right = made.axes[0].get_xlim()
    for marks, values in zip(resolved(tree).series, (one, other), strict=True):
        assert all(left <= x <= right for x in marks.x)
        assert marks.values[-1] == 1
        for x, fraction in zip(marks.x, marks.values, strict=True):
            assert fraction == sum(value <= x for value in values) / len(values)
