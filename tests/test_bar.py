"""Bars: each with its value, or a word where there is none."""

import pytest

from tests.drawn import LOSSES, RESIDUALS, composed, shown


def test_bars_carry_their_values():
    """Where there is room, each bar has its number."""
    assert shown(LOSSES).count("0.46") == 3


@pytest.mark.parametrize(("value", "word"), [("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"), (0.0, "0")])
def test_what_a_log_axis_cannot_show_is_a_gap_with_its_value(value, word):
    """NaN, infinities, and 0 on a log axis leave a gap that says what was there."""
    tree = RESIDUALS | {"series": [{"label": "loss", "y": [1e-8, value, 1e-7]}]}
    assert len(composed(tree).axes[0].patches) - 1 == 2  # one patch is the band
    assert word in shown(tree)


def test_a_value_below_zero_stands_below_its_interval():
    """The text of a negative bar lies under the lower end of its whisker, on the axis."""
    tree = LOSSES | {"series": [{"label": "change", "y": [-1, 2, 3], "low": [-2, 1, 2], "high": [0, 3, 4]}]}
    (axes,) = composed(tree).axes
    (value,) = [text for text in axes.texts if text.get_text() == "-1"]
    assert value.xy[1] == -2
    assert value.get_verticalalignment() == "top"
