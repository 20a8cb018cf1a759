"""A ruler keeps the proportions of its numbers, and hides none of them."""

from xml.etree.ElementTree import Element

import pytest

from benchbook.blocks import ruler
from benchbook.blocks.ruler import Axis


def drawn(medians: list[float], low: float | None, middle: float, high: float | None) -> Element:
    """The parent of a ruler, times in nanoseconds."""
    parent = Element("div")
    ruler.draw(parent, medians, {"low": low, "median": middle, "high": high}, unit="ns")
    return parent


def texts(parent: Element) -> list[str]:
    """What stands in the drawing."""
    return [text.text or "" for text in parent.iter("text")]


def test_places_are_in_proportion():
    """A number in the middle of the axis lies in the middle of the drawing."""
    axis = Axis(8.0, 8.4)
    assert [axis.place(value) for value in (8.0, 8.2, 8.4)] == ["0.00%", "50.00%", "100.00%"]


@pytest.mark.parametrize(("first", "last"), [(8.01, 8.37), (0.2, 91.0), (999.4, 999.9), (1e-3, 1.1e-3)])
def test_ticks_are_round_and_on_the_axis(first: float, last: float):
    """Three or more ticks lie on the axis, and what is written at each is its value."""
    ticks = list(Axis(first, last).ticks())
    assert 3 <= len(ticks) <= 10
    for value, label in ticks:
        assert first <= value <= last
        assert float(label) == pytest.approx(value)
    assert len({label for _, label in ticks}) == len(ticks)


def test_a_process_far_away_is_told_at_the_edge():
    """One slow process does not press the others together, and its number is there."""
    medians = [8000.0, 8100.0, 8200.0, 8300.0, 15_700.0]
    parent = drawn(medians, 8050.0, 8200.0, 8300.0)
    strokes = [line for line in parent.iter("line") if line.get("class") == "bb-stroke"]
    assert len(strokes) == 4
    assert any(text.startswith("15.7 ") for text in texts(parent))
    assert "15.7 µs" in (next(parent.iter("svg")).get("aria-label") or "")


def test_an_interval_without_width_has_a_ruler():
    """Where nearly all processes agree exactly, the one that does not is a stroke like the others."""
    parent = drawn([8000.0, 8000.0, 8000.0, 9000.0], 8000.0, 8000.0, 8000.0)
    assert [line.get("class") for line in parent.iter("line")].count("bb-stroke") == 4


def test_without_an_interval_there_is_no_ruler():
    """One process has no interval, and equal ones no range: nothing is drawn."""
    assert len(drawn([8000.0], None, 8000.0, None)) == 0
    assert len(drawn([8000.0, 8000.0], 8000.0, 8000.0, 8000.0)) == 0
