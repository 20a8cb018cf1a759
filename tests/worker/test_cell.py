"""A cell: executed under its own line numbers, and described when it fails."""

import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from benchbook.worker import cell

SCRIPT = "snippets/a/b.py"


def test_a_cell_keeps_its_line_numbers(capsys: pytest.CaptureFixture[str]):
    """A failure names the line of the snippet's file, and its traceback has none of our frames."""
    source, module = "x = 1\nraise ValueError('no')", types.ModuleType("m")
    error, duration = cell.execute(source, 7, cell.Compiler(SCRIPT), module)
    assert isinstance(error, ValueError)
    assert duration > 0
    assert cell.describe(error, SCRIPT) == {"failure": "raised", "detail": "ValueError: no", "line": 8}
    trace = capsys.readouterr().err
    assert f'File "{SCRIPT}", line 8' in trace
    assert Path(cell.__file__).name not in trace


def test_cells_share_their_namespace():
    """What one cell defines, the next one finds."""
    module, compiler = types.ModuleType("m"), cell.Compiler(SCRIPT)
    assert cell.execute("x = 1", 1, compiler, module)[0] is None
    assert cell.execute("y = x + 1", 2, compiler, module)[0] is None
    assert module.__dict__["y"] == 2


def test_a_future_import_holds_for_later_cells():
    """As it does in one file; and in another file it does not hold."""
    module, compiler = types.ModuleType("m"), cell.Compiler(SCRIPT)
    assert cell.execute("from __future__ import annotations", 1, compiler, module)[0] is None
    assert cell.execute("def f(x: unknown): ...", 2, compiler, module)[0] is None
    error, _ = cell.execute("def f(x: unknown): ...", 2, cell.Compiler(SCRIPT), types.ModuleType("m"))
    assert isinstance(error, NameError) or sys.version_info >= (3, 14)  # which evaluates them lazily


def test_an_exit_is_told_from_an_exception():
    """With the code that was given."""
    error, _ = cell.execute("raise SystemExit(3)", 1, cell.Compiler(SCRIPT), types.ModuleType("m"))
    assert error is not None
    assert cell.describe(error, SCRIPT) == {"failure": "exited", "detail": "sys.exit(3)", "line": 1}


def test_source_that_is_no_python_names_its_line():
    """It fails like any other cell, and nothing of it runs."""
    error, _ = cell.execute("x = 1\nx = (", 4, cell.Compiler(SCRIPT), types.ModuleType("m"))
    assert isinstance(error, SyntaxError)
    described = cell.describe(error, SCRIPT)
    assert (described["failure"], described["line"]) == ("raised", 5)


def test_the_last_line_is_one_line():
    """Of an exception with a long message only the first line, cut to 500 characters."""
    assert cell.last_line(ValueError("one\ntwo")) == "ValueError: one"
    assert len(cell.last_line(ValueError("x" * 1000))) == 500


def test_assertions_hold_however_python_was_started():
    """With -O, which strips them from what is imported, those of a snippet are still executed."""
    script = "import sys, types; from benchbook.worker import cell; assert False\n"
    script += "made = cell.execute('assert 1 == 2', 1, cell.Compiler('x.py'), types.ModuleType('x'))\n"
    script += "print(type(made[0]).__name__)"
    env = {**os.environ, "PYTHONPATH": str(Path(cell.__file__).parents[2])}
    words = [sys.executable, "-O", "-c", script]
    assert subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout == (
        "AssertionError\n"
    )
