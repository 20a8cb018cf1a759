"""Fitness: what cannot be drawn is refused before anything is, with the reason and the mend."""

from typing import Any

import pytest

from benchbook.drawing import fitness
from benchbook.errors import BenchbookError
from tests.drawn import CALLS, GROWTH, KINDS, LOSSES, RATIOS, SIZES, STAGES, panel


def refusal(tree: dict[str, Any], changes: dict[str, Any]) -> str:
    """What is said of a panel."""
    with pytest.raises(BenchbookError) as caught:
        fitness.check([panel(tree, **changes)])
    assert caught.value.mend
    return str(caught.value)


@pytest.mark.parametrize("tree", KINDS, ids=lambda tree: tree["kind"])
def test_every_kind_can_be_drawn(tree):
    """The figures of the other tests are right."""
    assert fitness.fits([panel(tree)])


CASES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (LOSSES, {"kind": "pie"}, "kind 'pie' (choose from bar, stack, interval, line, timeline)"),
    (LOSSES, {"labels": None}, "no labels"),
    (LOSSES, {"labels": ["a", "b"]}, "3 values for 2 labels"),
    (LOSSES, {"labels": ["a", "b", "x" * 200]}, "lines of 94 points (shorten it)"),
    (LOSSES, {"ylabel": "y" * 80}, "does not fit"),
    (LOSSES, {"title": "word " * 100}, "does not fit"),
    (LOSSES, {"labels": ["a", "b", "\N{CJK UNIFIED IDEOGRAPH-4E2D}"]}, "U+4E2D"),
    (LOSSES, {"labels": ["a", "b", "c\x07"]}, "U+0007"),
    (LOSSES, {"xscale": "log"}, "names along x"),
    (LOSSES, {"references": [{"label": "x", "x": 1}]}, "names along x, no numbers (put lines, bands"),
    (LOSSES, {"bands": [{"label": "x", "axis": "x", "low": 1, "high": 2}]}, "names along x"),
    (LOSSES, {"references": [{"label": f"line {n}", "y": n} for n in range(5)]}, "5 lines; 4 can be told"),
    (LOSSES, {"series": [{"label": f"s{n}", "y": [1, 2, 3]} for n in range(7)]}, "7 series; 6 can be told"),
    (LOSSES, {"series": [{"label": "s", "x": [1, 2, 3], "y": [1, 2, 3]}]}, "leave out its 'x'"),
    (LOSSES, {"references": [{"label": "l", "y": "nan"}]}, "line 'l' holds nan"),
    (LOSSES, {"bands": [{"label": "b", "axis": "y", "low": 2, "high": 1}]}, "swap low and high"),
    (LOSSES, {"yscale": "log", "references": [{"label": "l", "y": 0}]}, "which a log axis cannot show"),
    (STAGES, {"yscale": "log"}, "a log axis shows no sum"),
    (STAGES, {"labels": ["a"]}, "2 values for 1 labels"),
    (STAGES, {"series": [{"label": "s", "y": [1, -1]}]}, "negative value"),
    (STAGES, {"series": [{"label": "s", "y": [1, "nan"]}]}, "y of series 's' holds nan"),
    (STAGES, {"series": [{"label": "s", "measurement": ["eager", "eager"], "low": [1], "high": [2]}]}, "own"),
    (RATIOS, {"labels": None}, "kind 'interval' has no labels"),
    (RATIOS, {"series": [{"label": "s", "y": [1, 0, 1]}]}, "holds 0, which a log axis cannot show"),
    (RATIOS, {"series": [{"label": "s", "y": [1, 2, 1], "low": [1, 1, 1]}]}, "one of low and high"),
    (RATIOS, {"series": [{"label": "s", "y": [2], "low": [3], "high": [1]}], "labels": ["a"]}, "before its"),
    (GROWTH, {"labels": ["a"]}, "leave out 'labels', or choose kind 'bar'"),
    (GROWTH, {"xlabel": None}, "no xlabel"),
    (GROWTH, {"series": [{"label": "s", "y": [1, 2]}]}, "series 's' has no x (give one x"),
    (SIZES, {"series": [{"label": "s", "x": [1, 2, 3], "measurement": ["eager"]}]}, "1 values for 3 x"),
    (GROWTH, {"series": [{"label": "s", "x": [], "y": []}]}, "0 values for 0 x"),
    (GROWTH, {"series": [{"label": "s", "x": [0, 1], "y": [1, 2]}]}, "x of series 's' holds 0, which a log"),
    (
        GROWTH,
        {"series": [{"label": "s", "x": [1, 2], "y": [1, -2]}]},
        "y of series 's' holds -2, which a log",
    ),
    (GROWTH, {"series": [{"label": "s", "x": [1, "inf"], "y": [1, 2]}]}, "x of series 's' holds inf"),
    (GROWTH, {"series": [{"label": "s", "x": [2, 1, 2], "y": [1, 2, 3]}]}, "holds 2 twice"),
    (
        GROWTH,
        {"series": [{"label": f"s{n}", "x": [1], "y": [1]} for n in range(5)]},
        "5 series; 4 can be told",
    ),
    (GROWTH, {"bands": [{"label": "b", "axis": "x", "low": 0, "high": 1}]}, "which a log axis cannot show"),
    (CALLS, {"labels": None}, "name each lane in 'labels', from the top"),
    (CALLS, {"labels": ["a", "b"]}, "lane 2 (choose a whole number from 0 to 1)"),
    (CALLS, {"yscale": "log"}, "names along y, no numbers (put lines, bands and scales on x)"),
    (CALLS, {"references": [{"label": "l", "y": 1}]}, "names along y"),
    (CALLS, {"xscale": "log"}, "which a log axis cannot show"),
    (CALLS, {"series": [{"label": "s", "measurement": "eager"}]}, "a measurement, which has no start"),
    (CALLS, {"series": [{"label": "s", "y": [0]}]}, "series 's' has no low and high"),
    (CALLS, {"series": [{"label": "s", "y": [0], "x": [1], "low": [0], "high": [1]}]}, "series 's' has x"),
    (CALLS, {"series": [{"label": "s", "y": [0.5], "low": [0], "high": [1]}]}, "lane 0.5 (choose a whole"),
    (CALLS, {"series": [{"label": "s", "y": ["nan"], "low": [0], "high": [1]}]}, "y of series 's' holds nan"),
    (CALLS, {"series": [{"label": "s", "y": [0], "low": [2], "high": [1]}]}, "an end 1 before its start 2"),
    (
        CALLS,
        {"series": [{"label": "s", "y": [0], "low": ["nan"], "high": [1]}]},
        "low of series 's' holds nan",
    ),
]


@pytest.mark.parametrize(("tree", "changes", "message"), CASES)
def test_what_cannot_be_drawn_is_refused(tree, changes, message):
    """The refusal names what is wrong, and says how it is mended."""
    assert message in refusal(tree, changes)
    assert not fitness.fits([panel(tree, **changes)])
