"""Comparison: what counts as the same, and what is said of what does not."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from benchbook.recording.comparison import (
    differences,
    first_difference,
    moved_programs,
    same_shape,
    same_text,
    same_value,
)
from benchbook.run import Run
from tests.factory import make_run, run_tree

TOLERANCE = 1e-5
WORDS = st.lists(
    st.one_of(
        st.integers().map(str),
        st.floats().map(str),
        st.floats(-2, 2).map("{:.3e}".format),
        st.text("ab -+.eE\n", max_size=4),
        st.sampled_from(["9" * 400, "9" * 5000, "1e999", "-0", "0.460001", "0.46"]),
    ),
    max_size=6,
).map("".join)


@settings(deadline=None)  # the machine may be busy
@given(WORDS)
def test_a_text_is_the_same_as_itself(text: str):
    """Whatever was printed reproduces itself."""
    assert same_text(text, text, tolerance=TOLERANCE)
    assert same_shape(text, text)


@settings(deadline=None)  # the machine may be busy
@given(WORDS, WORDS)
def test_sameness_has_no_direction(left: str, right: str):
    """Which of two runs came first does not matter."""
    assert same_text(left, right, tolerance=TOLERANCE) == same_text(right, left, tolerance=TOLERANCE)
    assert same_shape(left, right) == same_shape(right, left)


@settings(deadline=None)  # the machine may be busy
@given(st.floats(-1e300, 1e300), st.text("ab \n"))
def test_the_last_digits_of_a_number_are_free(number: float, around: str):
    """A number moved by less than the tolerance, in any text, is the same."""
    moved = number * (1 + TOLERANCE / 4)
    assert same_text(f"{around}{number!r}{around}", f"{around}{moved!r}{around}", tolerance=TOLERANCE)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("loss 0.46", "loss 0.4600001", True),
        ("loss 0.46", "loss 0.47", False),
        ("loss 0.46", "Loss 0.46", False),
        ("loss 0.46", "loss  0.46", False),
        ("loss 0.46", "loss 0.46\n", False),
        ("3 steps", "4 steps", False),
        ("100000000 steps", "100000001 steps", False),
        ("100000000.0 steps", "100000001.0 steps", True),
        ("[1.0, 2.0]", "[1.0, 2.000001]", True),
        ("[1.0, 2.0]", "[1.0]", False),
        ("1e-3", "0.001", True),
        ("-1.0", "1.0", False),
        ("0.0", "1e-7", True),
        ("nan", "nan", True),
        ("nan", "1.0", False),
        ("9" * 400, "9" * 400 + ".0", False),
    ],
)
def test_text_is_the_same_outside_numbers_and_numbers_within_tolerance(left: str, right: str, same: bool):
    """Words and white space count letter by letter, integers digit by digit, floats by tolerance."""
    assert same_text(left, right, tolerance=TOLERANCE) is same


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1, True),
        (1, 2, False),
        (10**9, 10**9 + 1, False),
        (1.0, 1, True),
        (1.0, 1.000001, True),
        (10**400, 1.0, False),
        (True, 1, False),
        (None, 0, False),
        (None, None, True),
        ("nan", "nan", True),
        ("a1.0", "a1.000001", False),
        ([1.0, [2.0]], [1.0, [2.000001]], True),
        ([1], [1, 1], False),
        ({"a": 1.0}, {"a": 1.000001}, True),
        ({"a": 1}, {"b": 1}, False),
        ([1], {"0": 1}, False),
    ],
)
def test_values_are_compared_as_what_they_are(left: Any, right: Any, same: bool):
    """Floats by tolerance, integers, flags and texts exactly, lists and dicts part by part."""
    assert same_value(left, right, tolerance=TOLERANCE) is same
    assert same_value(right, left, tolerance=TOLERANCE) is same


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("took 3.1 ms", "took   12 ms\n", True),
        ("took 3.1 ms", "took 3.1 us", False),
        ("a\nb 1", "a\nb 1\nb 2", False),
    ],
)
def test_a_cell_that_varies_is_compared_by_shape(left: str, right: str, same: bool):
    """Any number stands for any other, and white space is free; words and their number are not."""
    assert same_shape(left, right) is same


def cells(**changes: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of a run, some of them changed."""
    return [cell | changes.get(cell["name"], {}) for cell in run_tree()["cells"]]


def panel(*y: float) -> dict[str, Any]:
    """The figure of a run with other bars."""
    (was,) = run_tree()["figures"]["total"]
    return {"total": [was | {"series": [{"label": "evaluated", "y": list(y)}]}]}


def measured(**changes: Any) -> dict[str, Any]:
    """The measurements of a run, one of them changed."""
    was = run_tree()["measurements"]
    return was | {"eager": was["eager"] | changes}


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        (
            {"cells": cells(total={"stdout": "total 4.0\n"})},
            "cell total: stdout: 'total 3.0' is now 'total 4.0'",
        ),
        ({"cells": cells(inputs={"stderr": "slow\n"})}, "cell inputs: stderr: 0 lines are now 1"),
        ({"cells": cells()[:2]}, "cell exercise: gone"),
        ({"cells": cells(exercise={"name": "practice"})}, "cell exercise: gone"),
        ({"cells": [*cells(), cells()[0] | {"name": "more"}]}, "cell more: added"),
        ({"results": {"total": 3.5, "traces": 2}}, "result total: 3.0 is now 3.5"),
        ({"results": {"total": 3.0, "traces": 3}}, "result traces: 2 is now 3"),
        ({"results": {"traces": 2}}, "result total: gone"),
        ({"results": {"total": 3.0, "traces": 2, "x": 1}}, "result x: added"),
        ({"measurements": {"eager": run_tree()["measurements"]["eager"]}}, "measurement compiled: gone"),
        ({"figures": {}}, "figure total: gone"),
    ],
)
def test_each_kind_of_change_has_its_line(changes: dict[str, Any], line: str):
    """What changed is named, with what it was and what it is."""
    found = differences(make_run(), make_run(**changes), tolerance=TOLERANCE)
    assert found[0] == line
    assert len(found) == (2 if "practice" in str(changes) else 1)


def test_a_changed_method_and_a_changed_figure_are_shown_short():
    """Long values are cut, and still say which one they are of."""
    (line,) = differences(make_run(), make_run(measurements=measured(wait="once")), tolerance=TOLERANCE)
    assert line.startswith("measurement eager: {")
    assert len(line) < 200
    (line,) = differences(make_run(), make_run(figures=panel(3.0, 4.0)), tolerance=TOLERANCE)
    assert line.startswith("figure total: [{")


def kept(**changes: Any) -> dict[str, Any]:
    """A change of a run: one artefact, named trace."""
    entry = {"path": "t.gz", "type": "application/gzip", "sha256": "0" * 64, "size": 1}
    return {"artefacts": {"trace": entry | changes}}


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (kept(), kept(sha256="1" * 64, size=2), []),
        (kept(), {}, ["artefact trace: gone"]),
        ({}, kept(), ["artefact trace: added"]),
        (
            kept(),
            kept(size=0),
            ["artefact trace: ['t.gz', 'application/gzip'] is now ['t.gz', 'application/gzip', 'empty']"],
        ),
        (
            kept(),
            kept(path="u.gz"),
            ["artefact trace: ['t.gz', 'application/gzip'] is now ['u.gz', 'application/gzip']"],
        ),
    ],
)
def test_a_file_is_there_and_its_bytes_are_free(old: dict[str, Any], new: dict[str, Any], lines: list[str]):
    """Each trace is of its own process; that one is new, gone or of another name is a change."""
    assert differences(make_run(**old), make_run(**new), tolerance=0.0) == lines


def test_what_is_reproduced_has_no_line():
    """Other times, other machines, later dates and last digits are no change."""
    again = make_run(
        started="2027-01-02T03:04:05Z",
        ended="2027-01-02T03:04:06Z",
        cells=cells(total={"stdout": "total 3.0000001\n", "duration_ns": 9}),
        results={"total": 3.0000001, "traces": 2},
        figures=panel(3.0, 3.0000001),
        measurements=measured(samples=[[1, 2]] * 5),
    )
    assert differences(make_run(), again, tolerance=TOLERANCE) == []
    assert differences(make_run(), again, tolerance=1e-12) != []


def test_a_cell_that_varies_may_print_and_draw_other_numbers():
    """Its words and the number of numbers still count."""
    varying = {"tags": ["varies"]}
    old = make_run(cells=cells(total=varying))
    new = make_run(cells=cells(total=varying | {"stdout": "total 17\n"}), figures=panel(1.0, 2.0))
    assert differences(old, new, tolerance=TOLERANCE) == []
    other = make_run(cells=cells(total=varying | {"stdout": "sum 17\n"}))
    assert differences(old, other, tolerance=TOLERANCE) == ["cell total: stdout: 'total 3.0' is now 'sum 17'"]


def test_results_of_a_cell_that_varies_are_not_compared():
    """What such a cell sets may differ from run to run, as what it prints may."""
    old, new = (
        make_run(
            results={"total": 3.0, "drawn": drawn}, cells=cells(total={"tags": tags, "results": ["drawn"]})
        )
        for drawn, tags in ((1, ["varies"]), (2, ["varies"]))
    )
    assert differences(old, new, tolerance=TOLERANCE) == []
    steady = make_run(results={"total": 3.0, "drawn": 2}, cells=cells(total={"results": ["drawn"]}))
    assert "result drawn: added" in differences(old, steady, tolerance=TOLERANCE)


def test_a_result_is_set_last_by_one_cell():
    """A run in which no cell, or two cells, set a result is refused."""
    tree = run_tree()
    for names in ([], ["total", "traces", "total"]):
        tree["cells"][-1]["results"] = names
        with pytest.raises(ValidationError, match="each of results was set last by one cell"):
            Run.model_validate(tree)


def test_the_first_line_that_differs_is_shown_cut():
    """A long line does not fill the screen."""
    said = first_difference("same\n" + "a" * 500, "same\n" + "b" * 500, tolerance=TOLERANCE)
    assert said == f"{'a' * 60!r} is now {'b' * 60!r}"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (("1", "2"), ("1", "2"), "programs are the same"),
        (("1", "2"), ("1", "3"), "XLA changed"),
        (("1", "2"), ("4", "2"), "JAX or the snippet changed"),
        (None, ("1", "2"), None),
        (("1", "2"), None, None),
    ],
)
def test_a_change_is_put_on_tracing_on_xla_or_on_the_runtime(
    old: tuple[str, str] | None, new: tuple[str, str] | None, line: str | None
):
    """The hashes of both runs say which of three moved; without them nothing is said."""

    def of(hashes: tuple[str, str] | None) -> Any:
        names = None if hashes is None else [digit * 64 for digit in hashes]
        return names and [{"name": "jit_f", "stablehlo": names[0], "hlo": names[1]}]

    said = moved_programs(make_run(programs=of(old)), make_run(programs=of(new)))
    assert said is None if line is None else line in (said or "")
