"""Scales: the ticks along x are round, few enough, and each can be read."""

from itertools import pairwise
from math import log

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchbook.drawing.lettering import SMALL, width
from benchbook.drawing.scale import BETWEEN, EDGE, graded, spelled
from tests.drawn import GROWTH, assert_readable, composed

ROOM = 294.0
NUMBERS = st.floats(-1e15, 1e15)


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (-0.5, 10.5, ["0", "2", "4", "6", "8", "10"]),
        (0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-10, 2.2e6, ["0", "500000", "1000000", "1500000", "2000000"]),
        (0, 3.1e8, ["0", "1\u00d710⁸", "2\u00d710⁸", "3\u00d710⁸"]),
        (0, 1.3e-7, ["0", "0.5\u00d710⁻⁷", "1.0\u00d710⁻⁷"]),
    ],
)
def test_ticks_are_round_and_spelled_alike(low, high, labels):
    """All have the same number of digits, or the same power of ten where they would be long."""
    assert [text for _, text in spelled(low, high, ROOM)] == labels


@given(NUMBERS, NUMBERS)
def test_ticks_never_meet(one, other):
    """Whatever the ends, there are two or more ticks, told apart, beside each other and not cut."""
    low, high = sorted((one, other))
    assume(high - low > 1e-9 * max(abs(low), abs(high)) and high - low > 1e-300)
    ticks = spelled(low, high, ROOM)
    assert len(ticks) == len({text for _, text in ticks}) >= 2
    rows = [((tick - low) / (high - low) * ROOM, width(text, SMALL) / 2) for tick, text in ticks]
    ends = [(place - half, place + half) for place, half in rows]
    assert all(a[1] < b[0] for a, b in pairwise(ends))
    assert ends[0][0] >= -EDGE
    assert ends[-1][1] <= ROOM + EDGE


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.8, 80, ["1", "2", "5", "10", "20", "50"]),
        (0.015, 0.3, ["0.02", "0.05", "0.1", "0.2"]),
        (0.94, 1.11, ["0.95", "1.00", "1.05", "1.10"]),
        (1.9, 9, ["2", "4", "6", "8"]),
        (0.8, 800, []),
        (1e-9, 1e-8, []),
    ],
)
def test_a_short_log_axis_names_numbers_between_powers_of_ten(low, high, labels):
    """Sizes from 1 to 64 can be found along x; a long axis keeps to powers of ten."""
    assert [text for _, text in graded(low, high, ROOM)] == labels


@given(st.floats(1e-3, 300), st.floats(1.05, 300))
def test_numbers_of_a_log_axis_never_meet(low, factor):
    """Whatever the ends, there is room between what stands beside each other."""
    rows = [
        (log(tick / low) / log(factor) * ROOM, width(text, SMALL) / 2)
        for tick, text in graded(low, low * factor, ROOM)
    ]
    assert len(rows) != 1
    assert all(a + half + BETWEEN <= b - other for (a, half), (b, other) in pairwise(rows))


@given(st.floats(0, 1e12), st.floats(1e-9, 1e-3))
def test_numbers_far_from_zero_are_thinned(start, span):
    """Long numbers are as many as have room, and never lie upon each other."""
    rows = (
        [
            ((tick - start) / span * ROOM, width(text, SMALL) / 2)
            for tick, text in spelled(start, start + span, ROOM)
        ]
        if start + span > start
        else []
    )
    assert all(a + half + BETWEEN <= b - other for (a, half), (b, other) in pairwise(rows))


@pytest.mark.parametrize(
    ("y", "ends"), [([0.95, 1.1], (0.9, 1.2)), ([21, 24], (20, 26)), ([0.0011, 0.00111], (0.001, 0.0012))]
)
def test_short_data_fill_a_log_axis(y, ends):
    """Ratios near 1 are not flattened between powers of ten, and the axis names numbers around them."""
    series = [{"label": "s", "x": y, "y": y}]
    (axes,) = composed(GROWTH | {"series": series, "bands": [], "references": []}).axes
    for low, high in (axes.get_xlim(), axes.get_ylim()):
        assert ends[0] < low < high < ends[1]
    assert_readable(axes.figure)


@pytest.mark.parametrize(
    "x", [[1000], [20, 60], [999, 1001], [1, 1e12], [1e-30, 1e30], [1e-5, 9e-5], [1e-99, 1e99]]
)
def test_a_log_axis_names_two_powers_of_ten(x):
    """Points within one decade, and over sixty, have two or more labelled ticks around or between them."""
    series = [{"label": "s", "x": x, "y": [1] * len(x)}]
    (axes,) = composed(GROWTH | {"series": series, "bands": [], "references": []}).axes
    for axis in (axes.xaxis, axes.yaxis):
        low, high = axis.get_view_interval()
        named = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
        assert len([tick for tick in named if tick.label1.get_text()]) >= 2
    assert_readable(axes.figure)
