"""The watch: limits of time, readers who have gone, and which process ended."""

from pathlib import Path

from benchbook.worker.watch import wait
from tests.processes import left_alive
from tests.worker.cold import STOP, ended, job, outputs, start


def test_a_process_that_takes_too_long_is_killed_with_its_group(tmp_path: Path):
    """What it printed before is kept, and what it started is gone."""
    source = "import subprocess, sys, time\n"
    source += (
        "print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid, flush=True)\n"
    )
    source += "time.sleep(600)"
    process = ended(job(source, timeout=3), tmp_path)
    assert process.timed_out
    assert process.status == -9
    (printed, _), *_ = outputs(process)
    assert left_alive([int(printed)]) == []


def test_nobody_who_listens_ends_every_process(tmp_path: Path):
    """A worker whose reader has gone does not go on for nobody."""
    processes = [start(job("import time; time.sleep(600)"), tmp_path / name) for name in ("one", "two")]
    assert wait(processes, heard=lambda: False) is None
    for process in processes:
        assert wait([process], heard=lambda: True) is process
        assert process.status == -9


def test_the_one_that_ends_is_returned(tmp_path: Path):
    """The others go on, and are read meanwhile."""
    slow = start(job("import time\nprint('begun', flush=True)\ntime.sleep(600)"), tmp_path / "slow")
    quick = start(job("print('done')" + STOP), tmp_path / "quick")
    assert wait([slow, quick], heard=lambda: True) is quick
    slow.kill()
    assert wait([slow], heard=lambda: True) is slow
