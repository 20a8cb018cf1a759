"""The outcome: what a process that ended amounts to."""

import os
import signal
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchbook.worker import machine, outcome
from benchbook.worker.stream import Stream
from benchbook.worker.wire import Expected, Frame
from tests.answers import DEVICE, EXPECTED

TABLE = "[tool.benchbook.backends.cpu]"
COUNT = f"(correct count in {TABLE}, or choose devices there, as with CUDA_VISIBLE_DEVICES in its env)"
PYTHON = f"(name a Python with JAX 0.0.1 in the command of {TABLE})"
DONE = {"kind": "done", "device": DEVICE, "config": {"jax_enable_x64": True, "a": 1}, "imported": ["jax"]}
JOB = {
    "slug": "a/b",
    "timeout": 2.5,
    "cells": [{"name": "one", "source": "", "line": 4}, {"name": "two", "source": "", "line": 9}],
}


def stream(data: bytes = b"", dropped: int = 0) -> Stream:
    """A pipe that was read."""
    return Stream(-1, kept=bytearray(data), dropped=dropped)


def process(*messages: dict[str, Any], **changes: Any) -> Any:
    """An ended process that sent these messages."""
    ended = SimpleNamespace(
        job=JOB,
        folder=Path("/folder"),
        status=0,
        timed_out=False,
        outputs=[(stream(), stream()), (stream(), stream())],
        messages=lambda: list(messages),
    )
    vars(ended).update(changes)
    return ended


def begin(cell: str) -> dict[str, Any]:
    """A cell begins."""
    return {"kind": "begin", "cell": cell}


def cell(name: str, **left: Any) -> dict[str, Any]:
    """A cell has ended."""
    return {"kind": "cell", "cell": name, "duration_ns": 7, "left": left}


def of(*messages: dict[str, Any], **changes: Any) -> Frame:
    """The outcome."""
    return outcome.of(
        process(*messages, **changes), expected=EXPECTED, config={"jax_enable_x64": False, "a": 1}
    )


def test_a_process_that_did_everything_is_completed():
    """It says what it found, what differs from JAX's defaults, and what it imported."""
    frame = of(begin("one"), cell("one"), begin("two"), cell("two"), DONE)
    assert (frame["kind"], frame["detail"], frame["cell"], frame["line"]) == ("completed", "", None, None)
    assert frame["device"] == DEVICE
    assert frame["config"] == {"jax_enable_x64": True}
    assert frame["distributions"] == {"jax": machine.version("jax")}
    assert [entry["name"] for entry in frame["cells"]] == ["one", "two"]
    assert frame["cells"][0]["duration_ns"] == 7


@pytest.mark.parametrize(
    ("changes", "kind", "detail"),
    [
        ({"status": -signal.SIGKILL}, "killed", "by SIGKILL, most often because memory ran out"),
        ({"status": -signal.SIGSEGV}, "crashed", "by SIGSEGV"),
        ({"status": -signal.SIGABRT}, "crashed", "by SIGABRT"),
        ({"status": -40}, "crashed", "by signal 40"),
        ({"status": 3}, "exited", "with status 3 before its last cell ended"),
        ({"status": 0}, "exited", "with status 0 before its last cell ended"),
        ({"status": -signal.SIGKILL, "timed_out": True}, "timed out", "after 2.5 s"),
    ],
)
def test_a_death_has_a_kind_and_the_cell_it_happened_in(changes: dict[str, Any], kind: str, detail: str):
    """Signals have their names, and a time limit is told from a kill."""
    frame = of(begin("one"), cell("one"), begin("two"), **changes)
    assert (frame["kind"], frame["detail"], frame["cell"], frame["line"]) == (kind, detail, "two", 9)


def test_a_death_before_the_first_cell_has_no_cell():
    """Nothing is blamed that did not begin."""
    frame = of(status=1)
    assert (frame["kind"], frame["cell"], frame["line"], frame["cells"]) == ("exited", None, None, [])


def test_a_process_that_says_it_is_done_too_early_is_not():
    """Every cell has to have ended."""
    assert of(begin("one"), cell("one"), DONE)["kind"] == "exited"


def test_what_is_no_message_of_ours_is_told_as_that():
    """A snippet that writes to every descriptor fails alone, in one line."""
    for garbage in ({"kind": "begin"}, {"kind": "cell", "cell": "one", "left": 3}, {"kind": "failed"}):
        assert of(begin("one"), garbage)["kind"] == "invalid"


def test_a_death_after_the_last_message_is_no_success():
    """A crash at exit, past the last cell, is a crash."""
    frame = of(begin("one"), cell("one"), DONE, status=-signal.SIGSEGV)
    assert frame["kind"] == "crashed"


def test_a_failure_is_told_as_the_child_told_it():
    """Kind, message and line come from where they are known."""
    failed = {
        "kind": "failed",
        "failure": "raised",
        "detail": "E: x",
        "cell": "one",
        "line": 5,
        "duration_ns": 3,
    }
    frame = of(begin("one"), failed, status=1)
    assert (frame["kind"], frame["detail"], frame["cell"], frame["line"]) == ("raised", "E: x", "one", 5)
    assert frame["cells"][0]["duration_ns"] == 3
    assert of(begin("one"), failed, timed_out=True, status=-9)["kind"] == "timed out"


def test_another_backend_than_named_is_refused():
    """What JAX chose in the process counts, not what it chose in the probe."""
    both = [message for name in ("one", "two") for message in (begin(name), cell(name))]
    frame = of(*both, DONE | {"device": DEVICE | {"count": 2}})
    assert (frame["kind"], frame["detail"]) == ("refused", f"JAX chose 2 x cpu (cpu), not 1 {COUNT}")


@pytest.mark.parametrize(
    ("expected", "device", "said"),
    [
        ({}, {}, None),
        ({"count": None}, {"count": 8}, None),
        ({"device_kind": "c.u"}, {}, None),
        ({"platform": "gpu"}, {}, "JAX chose 1 x cpu (cpu), not gpu"),
        ({"device_kind": "cp"}, {}, "JAX chose 1 x cpu (cpu), not a cp"),
        ({"device_kind": "A"}, {"kinds": ["A", "B"]}, "JAX chose 1 x cpu (A, B), not a A"),
        ({"count": 8}, {}, f"JAX chose 1 x cpu (cpu), not 8 {COUNT}"),
        ({"jax": machine.version("jax")}, {}, None),
        ({"jax": "0.0.1"}, {}, f"it has JAX {machine.version('jax')}, not 0.0.1 {PYTHON}"),
    ],
)
def test_a_mismatch_says_what_was_found(expected: dict[str, Any], device: dict[str, Any], said: str | None):
    """Platform, every device's kind, count and version are those that were named, in full."""
    assert outcome.mismatch(Expected(**{**EXPECTED, **expected}), DEVICE | device) == said


def test_what_cells_left_is_put_together_and_remembers_whose_it_is():
    """The last value of a name counts, and belongs to the cell that set it last."""
    frame = of(
        begin("one"),
        cell("one", results={"a": 1, "b": 1}, figure=[{"kind": "bar"}]),
        begin("two"),
        cell("two", results={"a": 1, "b": 2, "c": 3}, measurements={"m": {}}, artefacts={"t": {}}),
        DONE,
    )
    assert frame["left"] == {
        "results": {"a": 1, "b": 2, "c": 3},
        "measurements": {"m": {}},
        "artefacts": {"t": {}},
        "figures": {"one": [{"kind": "bar"}]},
        "from": {
            "results.a": "one",
            "results.b": "two",
            "results.c": "two",
            "measurements.m": "two",
            "artefacts.t": "two",
        },
    }


@pytest.mark.parametrize(
    ("printed", "readable"),
    [
        (b"/folder/snippets/a/b.py", "snippets/a/b.py"),
        (b"in /folder", "in ."),
        (b"a\r\nb\rc", "a\nb\rc"),
        (b"\xff\x00", "\\xff\x00"),
        (f"{sys.prefix}/lib/python3.13/site-packages/jax/x.py".encode(), "jax/x.py"),
        (f"{sys.base_prefix}/lib/python3.13/json/__init__.py".encode(), "json/__init__.py"),
    ],
)
def test_output_is_text_whose_paths_are_relative(printed: bytes, readable: str):
    """Where this machine keeps snippets and Python is nobody's concern, and no byte is lost."""
    frame = of(begin("one"), cell("one"), DONE, outputs=[(stream(printed, 9), stream(printed))])
    (entry,) = frame["cells"]
    assert (entry["stdout"], entry["stderr"]) == (readable, readable)
    assert (entry["stdout_dropped"], entry["stderr_dropped"]) == (9, 0)


@pytest.mark.parametrize("printed", [os.fsencode("in /t\udcff/work"), b"in /t\\udcff/work"])
def test_a_folder_whose_name_is_no_text_is_cut_back_too(printed: bytes):
    """As its bytes, and as Python spells them where it prints the name."""
    frame = of(
        begin("one"),
        cell("one"),
        DONE,
        outputs=[(stream(printed), stream(b""))],
        folder=Path("/t\udcff/work"),
    )
    assert frame["cells"][0]["stdout"] == "in ."
