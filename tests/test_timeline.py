"""Timelines: where a segment lies, how short ones are seen, and what order a reader meets them in."""

import itertools

import pytest
from matplotlib.patches import Rectangle

from benchbook.drawing import segment, timeline
from tests.drawn import CALLS, assert_readable, composed, panel


def segments(tree):
    """The rectangles of a timeline, left to right, in points."""
    (axes,) = composed(tree).axes
    boxes = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.zorder == 3]
    return sorted(boxes, key=lambda patch: patch.get_window_extent().x0)


def test_lanes_stand_below_each_other_in_order():
    """The first label is the lane at the top, and each has its segments below its name."""
    (axes,) = composed(CALLS).axes
    names = {text.get_text(): text.get_window_extent() for text in axes.texts}
    tops = [names[label].y1 for label in CALLS["labels"]]
    assert tops == sorted(tops, reverse=True)
    for patch in segments(CALLS):
        box = patch.get_window_extent()
        assert all(box.y1 <= name.y0 + 1 or box.y0 >= name.y1 - 1 for name in names.values())


def test_short_segments_are_seen_and_told_apart():
    """One of no length has a least width, and the marker of its category, which its legend shows as well."""
    widths = [patch.get_window_extent().width for patch in segments(CALLS)]
    assert min(widths) == pytest.approx(timeline.LEAST)
    (axes,) = composed(CALLS).axes
    assert {line.get_marker() for line in axes.lines if line.get_marker() != "None"} == {"^"}


def test_what_lies_within_another_lies_upon_it():
    """A call is drawn before the compilation within it, in whatever order they were recorded."""
    tree = CALLS | {
        "series": [
            {"label": "compile", "y": [0], "low": [2], "high": [8]},
            {"label": "call", "y": [0], "low": [0], "high": [10]},
        ]
    }
    (axes,) = composed(tree).axes
    widths = [patch.get_window_extent().width for patch in axes.patches if patch.zorder == 3]
    assert widths == sorted(widths, reverse=True)


def short(count):
    """A panel of one lane that shows so many short segments, and as many of another category."""
    starts = [*range(count)]
    series = [
        {"label": label, "y": [0] * count, "low": starts, "high": [start + 0.1 for start in starts]}
        for label, starts in (("a", starts), ("b", [start + 0.5 for start in starts]))
    ]
    return CALLS | {"labels": ["lane"], "series": series, "references": [], "bands": []}


def marks(tree, name):
    """Where the markers of a shape stand, in points."""
    (axes,) = composed(tree).axes
    found = [line for line in axes.lines if line.get_marker() == name]
    return sorted(line.get_window_extent().x0 + line.get_window_extent().width / 2 for line in found)


@pytest.mark.parametrize("name", ["o", "s"])
def test_few_short_segments_have_a_marker_each_and_many_are_not_hidden_by_them(name):
    """Of many that lie close, some have one: each category's own, and with room between them."""
    few, many = segment.FEW // 2, 2 * segment.FEW
    assert len(marks(short(few), name)) == few
    crowd = marks(short(many), name)
    assert min(b - a for a, b in itertools.pairwise(crowd)) >= timeline.APART - 1e-6
    assert 10 < len(crowd) < few
    assert len(segments(short(many))) == 2 * many


def test_categories_of_a_crowded_lane_take_turns_and_hide_none():
    """No marker is nearer to another of its lane, whatever the category; one that is rare has its own."""
    many = 2 * segment.FEW
    tree = short(many)
    tree["series"].append({"label": "c", "y": [0], "low": [0.25], "high": [0.3]})
    found = {name: marks(tree, name) for name in ("o", "s", "^")}
    together = sorted(itertools.chain(*found.values()))
    assert min(b - a for a, b in itertools.pairwise(together)) >= timeline.APART - 1e-6
    assert len(found["^"]) == 1
    assert abs(len(found["o"]) - len(found["s"])) <= 1


def test_a_crowded_lane_is_no_solid_bar():
    """One that is too short to be seen is drawn wider, but no more than half of the way to the next."""
    many = 8 * segment.FEW
    starts = [*range(many)]
    series = [{"label": "call", "y": [0] * many, "low": starts, "high": [x + 0.01 for x in starts]}]
    series[0] = {
        key: [*value, last] if key != "label" else value
        for (key, value), last in zip(series[0].items(), (None, 0, many + 99, many + 100), strict=True)
    }
    boxes = [
        box.get_window_extent()
        for box in segments(CALLS | {"labels": ["lane"], "series": series, "references": [], "bands": []})
    ]
    boxes.sort(key=lambda box: box.x0)
    assert all(b.x0 - a.x0 >= 2 * a.width - 1e-6 for a, b in itertools.pairwise(boxes))
    assert boxes[-1].width >= timeline.LEAST - 1e-6


@pytest.mark.parametrize("lanes", [1, 2, 9])
def test_a_timeline_is_as_tall_as_its_lanes(lanes):
    """However many lanes there are, their names can be read."""
    labels = [f"a lane of some name, number {n}" for n in range(lanes)]
    series = [{"label": "call", "y": [*range(lanes)], "low": [0] * lanes, "high": [1] * lanes}]
    tree = CALLS | {"labels": labels, "series": series, "ylabel": "y"}
    assert timeline.tall(panel(tree)) == lanes * timeline.LANE
    assert_readable(composed(tree))


def test_a_log_axis_shows_short_and_long():
    """On a log axis each decade is as wide as the next."""
    series = [{"label": "call", "y": [0, 1], "low": [1, 10], "high": [10, 100]}]
    one, other = segments(CALLS | {"xscale": "log", "series": series, "references": [], "bands": []})
    assert one.get_window_extent().width == pytest.approx(other.get_window_extent().width)
