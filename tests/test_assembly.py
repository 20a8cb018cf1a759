"""Assembly: processes that agree become one run; processes that do not say where."""

import base64
import copy
import hashlib
from typing import Any

import pytest

from benchbook.lesson.snippet import Snippet, parse
from benchbook.recording.assembly import Failure, Gathered, assemble
from benchbook.run import Run, dump
from benchbook.worker.wire import Frame
from tests.factory import SNIPPET, run_tree

LESSON = parse(SNIPPET, slug="chapter/lesson", path="snippets/chapter/lesson.py")
VARYING = parse(
    SNIPPET.replace("# %% total", '# %% total tags=["varies"]'), slug="chapter/lesson", path=LESSON.path
)
TREE = run_tree()
SESSION: Frame = {
    "type": "session",
    "plan": {"expected": {"backend": "cpu"}, "program": "1" * 64},
    "machine": {
        **{
            key: TREE["environment"][key]
            for key in ("python", "implementation", "os", "jax", "jaxlib", "plugins")
        },
        **{key: TREE["hardware"][key] for key in ("cpu", "memory_gib")},
        "clock": TREE["method"]["clock"],
    },
}


def process(number: int = 0, **left: Any) -> Frame:
    """What a process of the lesson answers; ``left`` replaces groups of what it left behind."""
    measured = {
        name: entry | {"samples": entry["samples"][number]} for name, entry in TREE["measurements"].items()
    }
    groups: dict[str, Any] = {
        "results": {"total": 3.0},
        "measurements": measured,
        "figures": TREE["figures"],
        "artefacts": {},
        "from": {"results.total": "total"},
    }
    return copy.deepcopy(
        Frame(
            type="process",
            job=0,
            process=number,
            kind="completed",
            detail="",
            cell=None,
            line=None,
            cells=[{key: value for key, value in cell.items() if key != "tags"} for cell in TREE["cells"]],
            left=groups | left,
            device=TREE["hardware"]["device"] | {"kinds": ["cpu"]},
            config={},
            flags={},
            distributions={"jax": "0.12.0"},
            before=TREE["hardware"]["before"],
            after=TREE["hardware"]["after"],
            started=f"2026-01-02T03:04:0{number}Z",
            ended=f"2026-01-02T03:04:1{number}Z",
            wall_ns=10 + number,
            start="cold",
            alone=True,
        )
    )


def printing(frame: Frame, cell: str, stdout: str) -> Frame:
    """The frame, with one cell printing something else."""
    for entry in frame["cells"]:
        if entry["name"] == cell:
            entry["stdout"] = stdout
    return frame


def made(
    *processes: Frame, snippet: Snippet = LESSON, inspection: Frame | None = None
) -> tuple[Run, dict[str, bytes]]:
    """The run of these processes; a failure fails the test."""
    result = assemble(snippet, Gathered(list(processes), inspection), SESSION, compile_cache=False)
    assert not isinstance(result, Failure), result
    return result


def failure(*processes: Frame, snippet: Snippet = LESSON) -> Failure:
    """Why these processes become no run."""
    result = assemble(snippet, Gathered(list(processes)), SESSION, compile_cache=False)
    assert isinstance(result, Failure)
    return result


def test_processes_that_agree_become_one_run():
    """Identity, method and machine come from the session, cells from the first process, samples from all."""
    run, artefacts = made(*map(process, range(3)))
    assert (run.slug, run.backend, run.started, run.ended) == (
        "chapter/lesson",
        "cpu",
        "2026-01-02T03:04:00Z",
        "2026-01-02T03:04:12Z",
    )
    assert run.source.text == SNIPPET
    assert run.source.sha256 == hashlib.sha256(SNIPPET.encode()).hexdigest()
    assert (run.method.processes, run.method.process_ns, run.method.start) == (3, [10, 11, 12], "cold")
    assert [cell.tags for cell in run.cells] == [[], [], ["solution"]]
    assert artefacts == {}
    assert dump(run)


def test_measurements_gather_one_list_of_samples_a_process():
    """In the order of the processes, each with its own samples."""
    run, _ = made(*map(process, range(3)))
    expected = {name: entry["samples"][:3] for name, entry in TREE["measurements"].items()}
    assert {name: m.samples for name, m in run.measurements.items()} == expected


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
        (process(1, figures={}), "process 2 disagrees on the figure of total"),
    ],
)
def test_processes_that_disagree_fail_and_say_where(other: Frame, said: str):
    """A run is what every process did, or it is none."""
    found = failure(process(0), other)
    assert found.kind == "disagreed"
    assert found.message.startswith(f"snippets/chapter/lesson.py: {said}")


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


def test_a_failed_process_is_the_runs_failure():
    """Kind, file, line, cell, message and output of the process that failed, and which one it was."""
    failed = process(1) | {"kind": "raised", "cell": "total", "line": 16, "detail": "ValueError: no"}
    failed["cells"] = [
        *failed["cells"][:1],
        failed["cells"][1] | {"stdout": "partial\n", "stderr": "Trace\n"},
    ]
    abandoned = Frame(type="process", job=0, process=2, kind="abandoned")
    found = failure(process(0), failed, abandoned)
    expected = "snippets/chapter/lesson.py:16: cell total: raised: ValueError: no (process 2)"
    assert found == Failure("raised", expected, "partial\nTrace\n")


@pytest.mark.parametrize(
    "answer",
    [
        process() | {"wall_ns": "long"},
        process() | {"device": {}},
        process() | {"cells": []},
        process() | {"started": "yesterday"},
        process() | {"cells": None},
        process() | {"left": []},
        process() | {"left": {"results": {}}},
        process() | {"cells": [{"name": "other"}]},
        {"type": "process", "job": 0, "process": 0, "kind": "completed"},
    ],
)
def test_an_answer_that_is_not_right_is_a_failure_with_a_line(answer: Frame):
    """A results file that was edited, or an other worker's, ends in one line, not in a traceback."""
    found = failure(answer)
    assert found.kind == "invalid"
    assert found.message.startswith("snippets/chapter/lesson.py: ")
    assert "\n" not in found.message
    assemble(LESSON, Gathered([process(), answer]), SESSION, compile_cache=False)


def test_a_figure_that_cannot_be_drawn_fails_when_it_is_recorded():
    """Not later, when a page is built."""
    figures = copy.deepcopy(TREE["figures"])
    figures["total"][0]["kind"] = "pie"
    found = failure(process(figures=figures))
    assert found.kind == "invalid"
    assert "pie" in found.message


def artefact(data: bytes, /, **changes: Any) -> dict[str, Any]:
    """An artefact as the worker carries it."""
    entry = {
        "path": "a.txt",
        "type": "text/plain",
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
    }
    return entry | {"data": base64.b64encode(data).decode()} | changes


def test_artefacts_are_proven_and_their_contents_kept_apart():
    """The run has digest and size, and the bytes lie beside it."""
    run, contents = made(process(artefacts={"note": artefact(b"bytes")}))
    assert contents == {"a.txt": b"bytes"}
    assert run.artefacts["note"].size == 5
    assert b"data" not in dump(run).partition(b'"artefacts"')[2]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"note": artefact(b"bytes", data=base64.b64encode(b"bytez").decode())}, "did not arrive whole"),
        ({"note": artefact(b"bytes", size=4)}, "did not arrive whole"),
        ({"note": artefact(b"bytes", data="%%%")}, "the worker's answer is not right"),
        ({"one": artefact(b"1"), "two": artefact(b"2")}, "two artefacts are files named a.txt"),
        ({"note": artefact(b"1", path="../a.txt")}, "artefacts.note.path"),
    ],
)
def test_an_artefact_that_is_not_what_it_says_fails(entries: dict[str, Any], said: str):
    """A file that was cut, that would overwrite another, or that would leave its folder is refused."""
    found = failure(process(artefacts=entries))
    assert found.kind == "invalid"
    assert said in found.message


def test_programs_are_there_only_where_an_inspection_completed():
    """A failed inspection costs the hashes, not the run."""
    programs = [{"name": "jit_f", "stablehlo": "1" * 64, "hlo": None}]
    inspection = Frame(type="inspection", job=0, process=0, kind="completed", programs=programs)
    assert [program.name for program in made(process(), inspection=inspection)[0].programs or []] == ["jit_f"]
    assert made(process(), inspection=inspection | {"kind": "crashed"})[0].programs is None
    assert made(process())[0].programs is None


def test_the_method_says_what_happened_and_not_what_was_asked():
    """Not alone if one process was not; a shared cache only where processes were forked."""
    together, _ = made(process(0), process(1) | {"alone": False})
    assert together.method.alone is False
    for start in ("cold", "fork"):
        result = assemble(LESSON, Gathered([process() | {"start": start}]), SESSION, compile_cache=True)
        assert isinstance(result, tuple)
        assert result[0].method.compile_cache is (start == "fork")
