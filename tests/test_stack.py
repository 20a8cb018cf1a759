"""Stacks: what stands upon what, and where its numbers are written."""

import pytest

from benchbook.drawing import stack
from tests.drawn import STAGES, composed, resolved

COUNTS = {
    "kind": "stack",
    "labels": ["a", "b"],
    "ylabel": "traces",
    "series": [{"label": "first", "y": [3, 1]}, {"label": "second", "y": [4, 0]}],
}


def test_each_segment_stands_on_the_one_before():
    """The lower edge of a segment is the upper edge of the series below it."""
    patches = composed(COUNTS).axes[0].patches
    assert [(bar.get_y(), bar.get_height()) for bar in patches] == [(0, 3), (0, 1), (3, 4), (1, 0)]


def test_values_stand_beside_and_sums_above():
    """A segment that is tall enough has its number, and each bar the sum; a segment of 0 has none."""
    (axes,) = composed(COUNTS).axes
    assert sorted(text.get_text() for text in axes.texts) == ["1", "1", "3", "4", "7"]
    edge = max(bar.get_x() + bar.get_width() for bar in axes.patches if bar.get_x() < 0.5)
    beside = [text for text in axes.texts if text.get_text() in {"3", "4"}]
    assert all(text.xy[0] > edge for text in beside)


def test_whiskers_stand_apart_at_the_ends_of_their_segments():
    """The interval of a stacked median lies around its segment's own upper edge, and covers no other."""
    edges = stack.sums(resolved(STAGES))
    lines = [part for container in composed(STAGES).axes[0].collections for part in container.get_segments()]
    assert len({round(line[0][0], 6) for line in lines}) == len(lines) == 4  # two series are measured
    upper = sorted(round((low[1] + high[1]) / 2) for low, high in lines)
    assert upper == sorted(round(edge) for row in edges[1:3] for edge in row)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 12])
def test_a_group_keeps_to_its_slot(count):
    """Bars, whiskers and values of one label never reach into the slot of the next."""
    labels = [*map(str, range(count))]
    series = [
        {"label": f"s{n}", "y": [1.25] * count, "low": [1] * count, "high": [2] * count} for n in range(6)
    ]
    (axes,) = composed(STAGES | {"labels": labels, "series": series, "references": []}).axes
    frame = axes.get_window_extent()
    slot = frame.width / count
    for artist in (*axes.texts, *axes.patches):
        box = artist.get_window_extent()
        place = (box.x0 + box.x1) / 2 - frame.x0
        assert box.x0 - frame.x0 >= place // slot * slot
        assert box.x1 - frame.x0 <= (place // slot + 1) * slot
