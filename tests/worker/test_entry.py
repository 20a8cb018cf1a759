"""The entry: what a snippet finds in its process, and what the programs that it starts do not hold."""

import json
import sys
from pathlib import Path

import pytest

from tests.worker.cold import STOP, ended, job, outputs


def test_a_snippet_sees_its_folder_its_file_and_an_empty_input(tmp_path: Path):
    """As `python FILE` would give it, in a folder that is its own."""
    source = "import os, sys\nprint(os.getcwd(), sys.argv, __name__, __file__, repr(sys.stdin.read()))\n"
    source += "print(sys.modules['__main__'].__dict__ is globals(), os.listdir(), sys.path[0])" + STOP
    (printed, _), *_ = outputs(ended(job(source), tmp_path))
    script = tmp_path / "snippets/a/b.py"
    assert printed.decode().splitlines() == [
        f"{tmp_path} ['{script}'] __main__ {script} ''",
        f"True ['snippets'] {script.parent}",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are listed in /proc")
def test_a_program_that_a_snippet_starts_holds_none_of_our_pipes(tmp_path: Path):
    """It has the three standard descriptors and nothing of the worker's."""
    program = "import os; print(sorted(int(n) for n in os.listdir('/proc/self/fd')))"
    source = "import subprocess, sys\n"
    source += f"subprocess.run([sys.executable, '-c', {program!r}], close_fds=False)" + STOP
    (printed, _), *_ = outputs(ended(job(source, "", ""), tmp_path))
    assert json.loads(printed)[:3] == [0, 1, 2]
    assert len(json.loads(printed)) == 4  # the fourth is that of the listing itself


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's choice is told in /proc")
def test_the_kernel_prefers_a_snippet_when_memory_runs_out(tmp_path: Path):
    """And what it starts, before the worker."""
    source = "import os\nos.system('cat /proc/self/oom_score_adj')" + STOP
    (printed, _), *_ = outputs(ended(job(source), tmp_path))
    assert int(printed) >= 500
