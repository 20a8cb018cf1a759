"""Assembly: processes that agree become one run; an answer that is not right becomes none."""

import copy
import hashlib

import pytest

from benchbook.recording.assembly import assemble
from benchbook.recording.gathering import Gathered
from benchbook.run import dump
from benchbook.worker.wire import Frame
from tests.answers import LESSON, SESSION, TREE, failure, made, process
from tests.factory import SNIPPET


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
    assert found.message.startswith("snippets/chapter/lesson.py:15: the figure of cell 'total': a figure of")
    assert "'pie' (choose from" in found.message


def test_a_figure_of_measurements_is_proved_with_them():
    """Two units in one panel make no run, which no page could show."""
    figures = copy.deepcopy(TREE["figures"])
    figures["total"][0]["series"] = [{"label": "s", "measurement": ["eager", "bytes"]}]
    measured = process()["left"]["measurements"]
    measured["bytes"] = measured["eager"] | {"unit": "B"}
    found = failure(process(figures=figures, measurements=measured))
    assert "the figure of cell 'total': one panel shows B and ns (give each unit" in found.message


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
