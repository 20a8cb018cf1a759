"""The launcher: processes in folders of their own, on the worker's own code."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchbook.recording import program
from benchbook.worker.folder import Folder
from benchbook.worker.launcher import DUMPS, Launcher
from benchbook.worker.watch import wait
from benchbook.worker.wire import Plan
from tests.worker.cold import STOP, job, outputs


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Launcher]:
    """One that forks nothing, and whose answers nobody reads."""
    reading, writing = os.pipe()
    plan: Any = {"jobs": [job("")]}
    yield Launcher(Plan(**plan), program.sources(), Folder(tmp_path), {writing})
    os.close(reading)
    os.close(writing)


def test_a_cold_process_runs_on_the_carried_code(launcher: Launcher, tmp_path: Path):
    """Its folder is its own, holds the snippet's file, and is not where the worker's code lies."""
    process = launcher.start(job("import os\nprint(os.getcwd())" + STOP), inspects=False, keep_out=set())
    assert wait([process], heard=lambda: True) is process
    assert not process.fork
    assert outputs(process)[0][0].decode().strip() == str(process.folder)
    assert process.folder.parent.parent == tmp_path
    assert (process.folder / "snippets/a/b.py").exists()
    assert (tmp_path / "code/benchbook/worker/entry.py").exists()


def test_only_a_process_that_inspects_writes_programs_out(launcher: Launcher):
    """The variables for it are in no other process."""
    source = "import os\nprint(os.environ.get('JAX_DUMP_IR_TO'))" + STOP
    for inspects in (True, False):
        process = launcher.start(job(source), inspects=inspects, keep_out=set())
        assert wait([process], heard=lambda: True) is process
        expected = str(process.folder / DUMPS / "ir") if inspects else "None"
        assert outputs(process)[0][0].decode().strip() == expected
        assert not any("DUMP" in name for name in launcher.flags(process))


def test_a_start_that_fails_leaves_no_folder(launcher: Launcher, tmp_path: Path):
    """Where a disk is full, what was made for the process is room that others need."""
    before = sorted(tmp_path.iterdir())
    launcher._cold[0] = str(tmp_path / "no-python")  # as one that was uninstalled meanwhile
    with pytest.raises(FileNotFoundError):
        launcher.start(job("print(1)"), inspects=False, keep_out=set())
    assert sorted(tmp_path.iterdir()) == before
