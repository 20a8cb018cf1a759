"""Fitness: what cannot be drawn is refused before anything is, with the reason and the mend."""

from typing import Any

import pytest

from benchbook.drawing import fitness
from benchbook.errors import BenchbookError
from tests.drawn import (
    CALLS,
    DOTS,
    EVERY,
    GROWTH,
    KINDS,
    LOSSES,
    RATIOS,
    RELATIVE,
    ROOF,
    SEED,
    SIZES,
    STAGES,
    TAIL,
    panel,
)
from tests.factory import make_run

MEASUREMENTS = make_run().measurements


def refusal(tree: dict[str, Any], changes: dict[str, Any]) -> str:
    """What is said of a panel."""
    with pytest.raises(BenchbookError) as caught:
        fitness.charts([panel(tree, **changes)], MEASUREMENTS, seed=SEED)
    assert caught.value.mend
    return str(caught.value)


@pytest.mark.parametrize("tree", KINDS, ids=lambda tree: tree["kind"])
def test_every_kind_can_be_drawn(tree):
    """The figures of the other tests are right."""
    assert fitness.charts_or_none([panel(tree)], MEASUREMENTS, seed=SEED)


def work(**changes: Any) -> dict[str, Any]:
    """A series of a roofline, changed."""
    return {"label": "s", "measurement": "eager", "flops": 1, "bytes": 1} | changes


CASES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        LOSSES,
        {"kind": "pie"},
        "kind 'pie' (choose from bar, stack, interval, line, scatter, step, roofline, timeline)",
    ),
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
    (DOTS, {"labels": ["a"]}, "a scatter has numbers along x, no names (leave out 'labels'"),
    (DOTS, {"xlabel": None}, "kind 'scatter' has numbers along x, and no xlabel"),
    (DOTS, {"series": [{"label": "s", "y": [1, 2]}]}, "series 's' has no x (give one x"),
    (DOTS, {"series": [{"label": "s", "x": [1], "measurement": ["eager", "compiled"]}]}, "2 values for 1 x"),
    (
        DOTS,
        {"series": [{"label": "s", "x": [0], "y": [1]}], "bands": [], "xscale": "log"},
        "x of series 's' holds 0, which",
    ),
    (DOTS, {"series": [{"label": "s", "x": [1], "y": [1], "low": [1]}]}, "one of low and high"),
    (
        DOTS,
        {"series": [{"label": "s", "x": [1], "y": [3], "low": [1], "high": [2]}]},
        "a value 3 outside its interval 1 to 2",
    ),
    (
        EVERY,
        {"series": [{"label": "s", "measurement": ["eager", "compiled"]}]},
        "series 's' shows every sample of 2 measurements (give each a series, or an x for the median",
    ),
    (EVERY, {"series": [{"label": "s", "measurement": []}]}, "every sample of 0 measurements"),
    (
        EVERY,
        {"series": [{"label": f"s{n}", "measurement": "eager"} for n in range(5)]},
        "5 series; 4 can be told",
    ),
    (
        EVERY,
        {"series": [{"label": "s", "measurement": "eager", "over": "eager"}]},
        "series 's' shows every sample, and a ratio is one of medians (give it an x, or leave out 'over')",
    ),
    (
        RELATIVE,
        {"series": [*RELATIVE["series"], {"label": "times", "measurement": ["eager", "eager"]}]},
        "series 'times' shows measurements, and another series ratios (give each of them 'over', or make",
    ),
    (
        RELATIVE,
        {"series": [{"label": "s", "y": [1, 2], "over": "eager"}]},
        "series 's' has y of its own, and 'over' (leave out 'over', or name measurements)",
    ),
    (
        STAGES,
        {"series": [{"label": "s", "measurement": ["eager", "eager"], "over": "eager"}]},
        "kind 'stack' draws no ratios (leave out 'over', or choose from bar, interval, line, scatter)",
    ),
    (TAIL, {"series": [{"label": "s", "measurement": "eager", "over": "eager"}]}, "'step' draws no ratios"),
    (CALLS, {"series": [{"label": "s", "measurement": "eager", "over": "eager"}]}, "draws no ratios"),
    (TAIL, {"labels": ["a"]}, "a step has numbers along x, no names"),
    (TAIL, {"xlabel": None}, "kind 'step' has numbers along x, and no xlabel"),
    (TAIL, {"yscale": "log"}, "a fraction of samples starts at 0 (leave out 'yscale')"),
    (TAIL, {"series": [{"label": "s", "x": [1], "y": [1]}]}, "more than its samples (leave out 'x', 'low'"),
    (TAIL, {"series": [{"label": "s", "y": [1], "low": [1]}]}, "series 's' has more than its samples"),
    (TAIL, {"series": [{"label": "s", "y": [1], "high": [1]}]}, "series 's' has more than its samples"),
    (TAIL, {"series": [{"label": "s", "measurement": ["eager", "compiled"]}]}, "shows 2 measurements (give"),
    (TAIL, {"series": [{"label": "s", "y": []}]}, "series 's' has no samples (leave the series out)"),
    (TAIL, {"series": [{"label": "s", "measurement": []}]}, "series 's' has no samples"),
    (TAIL, {"series": [{"label": "s", "y": [1, "nan"]}]}, "y of series 's' holds nan"),
    (
        TAIL,
        {"series": [{"label": "s", "y": [0, 1]}], "xscale": "log"},
        "y of series 's' holds 0, which a log",
    ),
    (ROOF, {"labels": ["a"]}, "a roofline has numbers along x, no names"),
    (ROOF, {"xlabel": None}, "kind 'roofline' has numbers along x, and no xlabel"),
    (ROOF, {"references": [{"label": "l", "y": 0}]}, "line 'l' holds 0, which a log axis cannot show"),
    (ROOF, {"series": [{"label": "s", "y": [1]}]}, "series 's' has numbers of its own (give 'measurement'"),
    (ROOF, {"series": [work(x=[1])]}, "series 's' has numbers of its own"),
    (ROOF, {"series": [work(measurement=[], flops=[], bytes=[])]}, "series 's' has no measurements"),
    (ROOF, {"series": [work(flops=None)]}, "series 's' has no flops (give the flops of one call in 'flops')"),
    (ROOF, {"series": [work(bytes=None)]}, "series 's' has no bytes (give the bytes of one call in 'bytes')"),
    (ROOF, {"series": [work(flops=[1, 2])]}, "2 flops for 1 measurements (give one a measurement)"),
    (ROOF, {"series": [work(measurement=["eager"] * 2)]}, "1 flops for 2 measurements"),
    (ROOF, {"series": [work(bytes=0)]}, "series 's' has 0 FLOPs or bytes a call (leave out what computes or"),
    (ROOF, {"series": [work(flops=[-1])]}, "series 's' has -1 FLOPs or bytes a call"),
    (ROOF, {"series": [work(flops="inf")]}, "FLOPs or bytes of series 's' holds inf"),
    (ROOF, {"series": [work(flops=1e99, bytes=1e-99)]}, "holds 1e+198, which no axis"),
    (ROOF, {"series": [work(over="eager")]}, "kind 'roofline' draws no ratios"),
    (ROOF, {"series": [work(label=f"s{n}") for n in range(7)]}, "7 series; 6 can be told apart"),
    (ROOF, {"ceilings": ROOF["ceilings"] * 2}, "8 ceilings; 4 can be told apart"),
    (
        ROOF,
        {"ceilings": []},
        "a roofline has no bandwidth (measure one, and name it in 'ceilings' with its 'b",
    ),
    (ROOF, {"ceilings": ROOF["ceilings"][:1]}, "a roofline has no rate (measure one"),
    (ROOF, {"ceilings": ROOF["ceilings"][1:2]}, "a roofline has no bandwidth"),
    (
        ROOF,
        {"ceilings": [{"label": "c", "measurement": "eager"}]},
        "ceiling 'c' has none of bytes and flops (",
    ),
    (
        ROOF,
        {"ceilings": [{"label": "c", "measurement": "eager", "bytes": 1, "flops": 1}]},
        "ceiling 'c' has both of bytes and flops (give 'bytes' for a bandwidth, or 'flops' for a rate",
    ),
    (
        ROOF,
        {"ceilings": [{"label": "c", "measurement": "eager", "bytes": 0, "flops": 1}]},
        "ceiling 'c' has both of bytes and flops",
    ),
    (
        ROOF,
        {
            "ceilings": [
                ROOF["ceilings"][0],
                *({**ROOF["ceilings"][1], "label": f"dot {n}"} for n in range(3)),
            ]
        },
        "the text 'dot 2: 40 GFLOP/s' would cover 'dot 1: 40 GFLOP/s' (shorten their labels, or leave out",
    ),
    (
        TAIL,
        {"references": [{"label": "p99", "y": 99}]},
        "line 'p99' is at 99, and a fraction of samples is from 0 to 1 (divide percents by 100",
    ),
    (
        TAIL,
        {"bands": [{"label": "half", "axis": "y", "low": 0.25, "high": 75}]},
        "band 'half' is at 75, and a fraction of samples is from 0 to 1",
    ),
    (
        EVERY,
        {"series": [EVERY["series"][0], {"label": "m", "x": [2], "y": [2], "low": [1], "high": [3]}]},
        "series 'm' has intervals, in a panel of points so many that each is a speck (give it a panel",
    ),
    (
        ROOF,
        {"ceilings": [{"label": "c", "measurement": "eager", "bytes": -1}]},
        "ceiling 'c' has -1 FLOPs or b",
    ),
    (
        ROOF,
        {"ceilings": [{"label": "c", "measurement": "eager", "flops": 0}]},
        "ceiling 'c' has 0 FLOPs or b",
    ),
    (
        ROOF,
        {"ceilings": [ROOF["ceilings"][1], {"label": "c " * 30, "measurement": "eager", "bytes": 1}]},
        "does not fit on its line (shorten the label of that ceiling)",
    ),
    (
        LOSSES,
        {"ceilings": ROOF["ceilings"]},
        "kind 'bar' has no FLOPs, bytes and ceilings (leave them out, or",
    ),
    (LOSSES, {"series": [{"label": "s", "y": [1, 2, 3], "bytes": 1}]}, "no FLOPs, bytes and ceilings"),
    (DOTS, {"series": [{"label": "s", "x": [1], "y": [1], "flops": [1]}]}, "no FLOPs, bytes and ceilings"),
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
    (
        CALLS,
        {"series": [{"label": "s", "y": [], "low": [], "high": []}]},
        "no segments (leave the series out)",
    ),
    (
        CALLS,
        {
            "series": [
                {"label": "a", "y": [0], "low": [0], "high": [5]},
                {"label": "b", "y": [0], "low": [3], "high": [9]},
            ]
        },
        "'a' and 'b' overlap at 3 in lane 'float32[8]' (give them lanes of their own)",
    ),
    (CALLS, {"series": [{"label": "s", "y": [1, 1], "low": [2, 2], "high": [2, 2]}]}, "are the same at 2 in"),
    (
        CALLS,
        {"series": [{"label": "s", "y": [1, 1, 1], "low": [0, 1, 2], "high": [9, 3, 4]}]},
        "overlap at 2 in",
    ),
    (LOSSES, {"labels": ["x"] * 64, "series": [{"label": "s", "y": [1] * 64}]}, "(show fewer labels"),
    (LOSSES, {"series": [{"label": "s", "y": [1, 2, 3], "low": [1, 1, 1]}]}, "one of low and high"),
    (LOSSES, {"series": [{"label": "s", "y": [2], "low": [3], "high": [1]}], "labels": ["a"]}, "before its"),
    (
        LOSSES,
        {"series": [{"label": "s", "y": [2], "low": ["nan"], "high": [3]}], "labels": ["a"]},
        "low of series 's' holds nan",
    ),
    (
        LOSSES,
        {"series": [{"label": "s", "y": [5], "low": [1], "high": [1]}], "labels": ["a"]},
        "a value 5 outside its interval 1 to 1 (give low and high as they are on the axis",
    ),
    (
        STAGES,
        {"series": [{"label": "s", "y": [0, 1], "low": [1, 1], "high": [2, 2]}]},
        "a value 0 outside its interval 1 to 2",
    ),
    (LOSSES, {"series": [{"label": "s", "y": [1, 1e101, 3]}]}, "series 's' holds 1e+101, which no axis"),
    (
        RATIOS,
        {"series": [{"label": "s", "y": [1, 1e-101, 3]}]},
        "y of series 's' holds 1e-101, which no axis",
    ),
    (
        LOSSES,
        {"series": [{"label": "s", "y": [1, 2, 3]}] * 2},
        "2 series have the label 's' (name each apart",
    ),
    (
        GROWTH,
        {"xscale": "linear", "bands": [], "series": [{"label": "s", "x": [1e18, 1e18 + 1024], "y": [1, 2]}]},
        "(subtract the start from each x)",
    ),
]


@pytest.mark.parametrize(("tree", "changes", "message"), CASES)
def test_what_cannot_be_drawn_is_refused(tree, changes, message):
    """The refusal names what is wrong, and says how it is mended."""
    assert message in refusal(tree, changes)
    assert not fitness.charts_or_none([panel(tree, **changes)], MEASUREMENTS, seed=SEED)


def test_a_panel_of_several_is_named():
    """By its number and its title, so that its author finds it."""
    wrong = panel(GROWTH, labels=["a"])
    with pytest.raises(BenchbookError, match=r"^panel 2 'Where the first call is paid back': a line has"):
        fitness.charts([panel(LOSSES), wrong], {}, seed=SEED)


def test_the_label_of_y_is_that_which_is_drawn():
    """With its unit where there is one, of whatever length; a timeline and own numbers have none."""
    longest = " ".join(["n" * 28] * 2)
    assert fitness.charts_or_none([panel(LOSSES, ylabel=longest)], {}, seed=SEED)
    assert not fitness.charts_or_none([panel(SIZES, ylabel=longest)], MEASUREMENTS, seed=SEED)
    long = {name: m.model_copy(update={"unit": "tokens " * 9}) for name, m in MEASUREMENTS.items()}
    assert fitness.charts_or_none([panel(SIZES)], MEASUREMENTS, seed=SEED)
    assert not fitness.charts_or_none([panel(SIZES)], long, seed=SEED)


@pytest.mark.parametrize(
    ("tree", "unit", "samples", "message"),
    [
        (SIZES | {"yscale": "log"}, "ns", 0, "series 'copied' has a value 0, which a log axis cannot show"),
        (EVERY | {"yscale": "log"}, "ns", 0, "series 'eager' has a value 0, which a log axis cannot show"),
        (TAIL | {"xscale": "log"}, "ns", 0, "series 'eager' holds 0, which a log axis cannot show"),
        (TAIL, "items", -1e120, "series 'eager' holds -1e+120, which no axis can show"),
        (ROOF, "ns", 0, "eager took 0 ns (measure something longer than the clock's step)"),
        (ROOF, "items", 5, "eager is in items, and a rate needs a time (name a measurement of time)"),
        (SIZES, "items", -1e120, "series 'copied' holds -1e+120, which no axis can show"),
        (STAGES, "items", -4.0, "series 'trace' has a negative value"),
    ],
)
def test_what_measurements_show_is_proved_too(tree, unit, samples, message):
    """A median has no place where a number of the snippet's own has none."""
    changes = {"unit": unit, "samples": [[samples] * 4] * 5}
    measured = {name: m.model_copy(update=changes) for name, m in MEASUREMENTS.items()}
    with pytest.raises(BenchbookError) as caught:
        fitness.charts([panel(tree)], measured, seed=SEED)
    assert message in str(caught.value)


def test_two_segments_of_a_lane_may_touch_or_lie_within_each_other():
    """Neither hides the other, and ends that differ by a rounding touch."""
    rows = [(0.1, 0.3), (0.1 + 0.2, 0.7), (0.4, 0.5), (0.4, 0.45), (0.7, 0.7)]
    series = {"label": "s", "y": [0] * len(rows), "low": [a for a, _ in rows], "high": [b for _, b in rows]}
    assert fitness.charts_or_none([panel(CALLS, series=[series])], {}, seed=SEED)
