"""Tables: the data of a figure can be understood without its picture."""

from benchbook.drawing import segment
from benchbook.drawing.table import tables
from tests.drawn import (
    CALLS,
    DOTS,
    EVERY,
    GROWTH,
    KINDS,
    LOSSES,
    RESIDUALS,
    ROOF,
    SEED,
    SIZES,
    STAGES,
    TAIL,
    panel,
)
from tests.factory import make_run


def table_of(tree):
    """The one table of a panel over the factory's measurements."""
    (found,) = tables([panel(tree)], make_run().measurements, seed=SEED)
    return found


def test_tables_hold_the_data_and_the_lines():
    """A table has a row for each label, intervals where there are any, and lines in its caption."""
    losses, residuals = tables([panel(LOSSES), panel(RESIDUALS)], {}, seed=SEED)
    assert losses.header == ["case", "evaluated loss"]
    assert losses.rows[0] == ["eager", "0.46"]
    assert losses.caption == "mean squared loss; worked by hand: 0.46"
    assert residuals.rows[2] == ["repeated compiled call", "nan", "3e-7 (2e-7 to 4e-7)"]
    assert residuals.caption.endswith("log axis; residual from exact; float32 rounding: 1e-8 to 6e-8")


def test_rows_are_as_long_as_the_header():
    """In every kind, each number has a column that says what it is."""
    for tree in (*KINDS, RESIDUALS):
        found = table_of(tree)
        assert found.rows
        assert {len(row) for row in found.rows} == {len(found.header)}, tree["kind"]


def test_a_stack_has_its_sums():
    """The last column is what the bar is tall."""
    found = table_of(STAGES)
    assert found.header[-1] == "sum (µs)"
    assert found.rows[0][0] == "one layer"
    assert found.rows[0][3:] == ["0.4", "20.486"]


def test_a_line_has_a_row_for_each_x():
    """Series of other x share rows where they meet, and leave a cell empty where they have no point."""
    found = table_of(GROWTH)
    assert found.header == ["calls", "eager (with interval)", "compiled"]
    assert found.rows == [
        ["1", "0.2 (0.1 to 0.4)", "50"],
        ["10", "2 (1 to 4)", ""],
        ["30", "", "50.3"],
        ["100", "20 (10 to 40)", ""],
        ["1000", "200 (100 to 400)", "60"],
    ]
    assert found.caption == (
        "Where the first call is paid back; cumulative time, milliseconds; a frame: 16.7; "
        "break-even: 150 to 500 (calls)"
    )


def test_lines_of_both_axes_say_what_they_are():
    """A line on x has the label of x, and one on y the unit of measurements."""
    assert table_of(SIZES).caption == (
        "time per update (µs); a page: 4096 (bytes of the argument); ten microseconds: 10 µs"
    )
    assert [row[0] for row in table_of(SIZES).rows] == ["1024", "65536"]


def test_two_points_at_one_x_are_two_rows():
    """No point of a scatter takes the place of another, and each has its interval."""
    found = table_of(DOTS)
    assert found.header == ["bytes of the argument", "copied (µs, with interval)", "own (µs, with interval)"]
    assert [(row[0], row[2]) for row in found.rows] == [
        ("1024", "5 (4 to 7)"),
        ("1024", "8 (7 to 9)"),
        ("65536", ""),
    ]
    assert [row[1].split()[0] for row in found.rows if row[1]] == ["15.0645", "5.0215"]


def test_every_sample_is_summed_up_in_a_row_a_series():
    """However many dots there are, the table is short: how many, the ends, and the quartiles."""
    found = table_of(EVERY)
    assert found.header == ["series", "samples", "smallest", "25%", "50%", "75%", "largest"]
    assert found.rows == [
        ["eager", "20", "15", "15.03", "15.063", "15.096", "15.129"],
        ["compiled", "20", "5", "5.01", "5.021", "5.032", "5.043"],
    ]
    assert found.caption == "time per call (µs); ten microseconds: 10 µs"
    own = [{"label": "own", "x": [*range(50)], "y": [*range(50)]}]
    assert table_of(EVERY | {"series": own, "references": []}).rows == [
        ["own", "50", "0", "12", "24", "37", "49"]
    ]


def test_a_step_has_the_quantiles_that_its_samples_can_show():
    """A hundred samples have a 99th percentile of their own; of fewer it would be the largest."""
    found = table_of(TAIL)
    assert found.header == ["series", "samples", "smallest", "25%", "50%", "75%", "95%", "largest"]
    assert [row[6] for row in found.rows] == ["15.126", ""]
    assert found.rows[1] == ["own", "5", "1", "2", "2", "3", "", "40"]
    assert found.caption == (
        "fraction of calls at or below; time per call (µs); ten microseconds: 10 µs; half: 0.5; "
        "slow: 15 to 20 µs"
    )
    many = TAIL | {"series": [{"label": "own", "y": [*range(1, 101)]}], "references": [], "bands": []}
    assert table_of(many).rows == [["own", "100", "1", "25", "50", "75", "95", "99", "100"]]
    assert table_of(many).caption == "fraction of calls at or below"


def test_a_roofline_has_a_row_a_dot_and_a_row_a_ceiling():
    """What a call computes and moves, the rate, and how much of the roof over that intensity it is."""
    found = table_of(ROOF)
    assert found.header == [
        "dot or ceiling",
        "FLOP per call",
        "bytes per call",
        "FLOP/byte",
        "GFLOP/s",
        "part of the roof",
    ]
    short = [[cell.split(" (")[0] for cell in row] for row in found.rows]
    assert short == [
        ["products: eager", "30000", "60000", "0.5", "1.99144", "39.8%"],
        ["products: compiled", "100000", "5000", "20", "19.9144", "49.8%"],
        ["a sum", "5000", "20000", "0.25", "0.995718", "39.8%"],
        ["copy", "", "50215", "", "bandwidth, GB/s: 10", ""],
        ["product", "602580", "", "", "40", ""],
        ["strided", "", "50215", "", "bandwidth, GB/s: 3.33333", ""],
        ["float64", "301290", "", "", "20", ""],
        ["ridge", "", "", "4", "40", "100%"],
    ]
    assert found.rows[0][4] == "1.99144 (1.98354 to 1.9994)"
    assert found.rows[3][4] == "bandwidth, GB/s: 10 (9.96033 to 10.04)"
    assert found.caption == "rate (GFLOP/s); arithmetic intensity (FLOP/byte)"


def test_a_small_part_of_the_roof_is_not_none_of_it():
    """It has three digits, however small or large."""
    series = [ROOF["series"][1] | {"label": name, "flops": flops} for name, flops in (("s", 1), ("l", 1e9))]
    assert [row[-1] for row in table_of(ROOF | {"series": series}).rows[:2]] == ["39.8%", "498000%"]
    tiny = ROOF["series"][1] | {"bytes": 0.01, "flops": 1}
    assert table_of(ROOF | {"series": [tiny]}).rows[0][-1] == "0.000498%"


def test_a_timeline_has_a_row_a_segment():
    """Lane by lane and in order of time, with the unit of both ends in the caption."""
    found = table_of(CALLS)
    assert found.header == ["input", "category", "start", "end"]
    assert found.rows[:4] == [
        ["float32[8]", "trace", "0", "4"],
        ["float32[8]", "compile", "4", "22"],
        ["float32[8]", "call", "22", "22.1"],
        ["float32[8]", "call", "90", "90"],
    ]
    assert found.rows[-1] == ["int32[8]", "call", "80", "80.1"]
    assert found.caption.startswith(
        "input; start and end: milliseconds since the first call; a new dtype: 50 ("
    )


def test_numbers_that_differ_are_told_apart():
    """A column has as many digits as that takes, up to all, and no more."""
    values = {"near": [1.0000001, 1.0000002, 1 / 3], "own": [1 / 3, 0.5, 2], "same": [0.1, 0.1, 0.1 + 2**-56]}
    series = [{"label": name, "y": y} for name, y in values.items()]
    columns = [*zip(*table_of(LOSSES | {"series": series}).rows, strict=True)]
    assert columns[1:3] == [("1.0000001", "1.0000002", "0.33333333"), ("0.333333", "0.5", "2")]
    assert len(set(columns[3])) == 2
    ends = {"y": [0, 0], "low": [3600000, 3600000.6], "high": [3600000.5, 3600001]}
    rows = table_of(CALLS | {"series": [{"label": "call", **ends}], "references": [], "bands": []}).rows
    assert [row[2:] for row in rows] == [["3600000", "3600000.5"], ["3600000.6", "3600001"]]


def test_what_cannot_be_drawn_has_no_table():
    """A figure of a kind that this engine does not know ends no build in a traceback."""
    assert tables([panel(LOSSES, kind="pie")], {}, seed=SEED) == []


def test_many_segments_are_told_together():
    """A row a lane and category, with how many, where and how long; few have a row each."""
    count = segment.FEW
    series = [
        {"label": "call", "y": [0, 1] * (count // 2), "low": [*range(count)], "high": [*range(1, count + 1)]},
        {"label": "wait", "y": [1], "low": [100], "high": [102.5]},
    ]
    tree = CALLS | {"labels": ["python", "pool"], "ylabel": "thread", "series": series}
    found = table_of(tree)
    assert found.header == [
        *("thread", "category", "segments", "first start", "last end", "shortest", "longest"),
        "sum of lengths",
    ]
    assert found.rows == [
        ["python", "call", "30", "0", "59", "1", "1", "30"],
        ["pool", "call", "30", "1", "60", "1", "1", "30"],
        ["pool", "wait", "1", "100", "102.5", "2.5", "2.5", "2.5"],
    ]
    assert "what is too short to see is drawn wider, where there is room" in found.caption
    few = table_of(tree | {"series": series[:1]})
    assert len(few.rows) == count
    assert "too short" not in few.caption


def test_many_segments_of_a_late_clock_are_told_apart():
    """Where the first starts and the last ends is told by as many digits as tell them apart."""
    late, count = 1.764e10 + 0.5, segment.FEW + 1
    ends = {"low": [late + x for x in range(count)], "high": [late + x + 1 for x in range(count)]}
    series = [{"label": "call", "y": [0] * count, **ends}]
    tree = CALLS | {"labels": ["python"], "series": series, "references": [], "bands": []}
    ((_, _, _, start, end, *_),) = table_of(tree).rows
    assert start != end
