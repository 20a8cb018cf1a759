"""Agreement: processes that do as the first one pass; those that do not say where."""

import copy
from typing import Any

import pytest

from benchbook.worker.wire import Frame
from tests.answers import TREE, VARYING, artefact, failure, made, printing, process


def test_last_digits_may_differ_between_processes():
    """Numbers within the snippet's tolerance agree, in text, results and figures."""
    figures = copy.deepcopy(TREE["figures"])
    figures["total"][0]["series"][0]["y"] = [3.0, 3.000001]
    other = printing(process(1, results={"total": 3.000001}, figures=figures), "total", "total 3.000001\n")
    run, _ = made(process(0), other)
    assert run.results == {"total": 3.0}
    assert run.cells[1].stdout == "total 3.0\n"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (
            printing(process(1), "total", "total 4.0\n"),
            "cell total: process 2 disagrees: 'total 3.0' is now 'total 4.0' (tag it varies if it should)",
        ),
        (printing(process(1), "inputs", "x\n"), "cell inputs: process 2 disagrees: 0 lines are now 1"),
        (process(1, results={"total": 4.0}), "process 2 disagrees on results total"),
        (process(1, results={}), "process 2 disagrees on results total"),
        (
            process(1, figures={}),
            "process 2 disagrees on the figure of total "
            '(name measurements for times, or give the cell tags=["varies"])',
        ),
        (
            process(1, artefacts={"note": artefact(b"1")}),
            "process 2 disagrees on artefacts note (write one file of that name in each)",
        ),
    ],
)
def test_processes_that_disagree_fail_and_say_where(other: Frame, said: str):
    """A run is what every process did, or it is none."""
    found = failure(process(0), other)
    assert found.kind == "disagreed"
    assert found.message.startswith(f"snippets/chapter/lesson.py: {said}")


@pytest.mark.parametrize(
    "other", [{}, artefact(b""), artefact(b"1", path="b.txt"), artefact(b"1", type="a/b")]
)
def test_processes_leave_files_of_the_same_names_and_kinds(other: dict[str, Any]):
    """Other bytes agree, for a trace is of its own process; none, or no file, do not."""
    first = process(0, artefacts={"note": artefact(b"1")})
    assert made(first, process(1, artefacts={"note": artefact(b"22")}))[1] == {"a.txt": b"1"}
    found = failure(first, process(1, artefacts={"note": other} if other else {}))
    assert "process 2 disagrees on artefacts note" in found.message


def test_the_process_that_disagrees_is_named():
    """Of many processes, the first that differs from process 1 is counted from 1."""
    odd = printing(process(2), "total", "total 5.0\n")
    assert "process 3 disagrees" in failure(process(0), process(1), odd).message


def test_a_cell_that_varies_may_differ():
    """What it prints, the results it sets and the figure it draws are its own in every process."""
    figures = copy.deepcopy(TREE["figures"])
    figures["total"][0]["series"][0]["y"] = [7.0, 8.0]
    other = printing(process(1, results={"total": 9.0}, figures=figures), "total", "now 9.0, and more\n")
    run, _ = made(process(0), other, snippet=VARYING)
    assert run.results == {"total": 3.0}
    assert failure(process(0), printing(other, "inputs", "x\n"), snippet=VARYING).kind == "disagreed"


def test_a_result_that_another_cell_sets_is_that_cells():
    """A steady cell's result must agree, though a varying cell stands beside it."""
    origin = {"from": {"results.total": "inputs"}}
    found = failure(process(0, **origin), process(1, results={"total": 9.0}, **origin), snippet=VARYING)
    assert "process 2 disagrees on results total" in found.message


def test_measurements_gather_one_list_of_samples_a_process():
    """In the order of the processes, each with its own samples."""
    run, _ = made(*map(process, range(3)))
    expected = {name: entry["samples"][:3] for name, entry in TREE["measurements"].items()}
    assert {name: m.samples for name, m in run.measurements.items()} == expected


@pytest.mark.parametrize("change", [{"calls": 5}, {"inputs": ["float32[4]"]}, {"wait": "once"}, None])
def test_a_measurement_that_means_something_else_in_another_process_fails(change: dict[str, Any] | None):
    """Samples are only put together when they are of one method."""
    other = process(1)
    measured = other["left"]["measurements"]
    if change is None:
        del measured["eager"]
    else:
        measured["eager"] |= change
    found = failure(process(0), other)
    assert found.kind == "invalid"
    assert "measurement 'eager' differs between processes in more than samples" in found.message
