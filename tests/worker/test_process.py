"""Processes: pipes that are read to a limit, limits of time, and ends of every kind."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbook.worker.process import Process, Stream, script_path, wait
from benchbook.worker.wire import Job
from tests.recording import left_alive

ENTER = "import sys; from benchbook.worker.process import enter_cold; enter_cold(sys.argv[1])"
STOP = "\nraise SystemExit  # before JAX is asked for its devices, which these tests do not need\n"


@pytest.fixture
def pipe() -> Iterator[tuple[Stream, int]]:
    """A stream that keeps four bytes, and the end to write to."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield Stream(reading, 4), writing
    for descriptor in (reading, writing):
        try:
            os.close(descriptor)
        except OSError:
            continue  # the test closed it


def test_a_stream_keeps_the_first_bytes_and_counts_the_rest(pipe: tuple[Stream, int]):
    """What is past the limit is not in memory, and not forgotten."""
    stream, writing = pipe
    for data in (b"ab", b"cdef", b"ghi"):
        os.write(writing, data)
        assert stream.read() is True
    assert (bytes(stream.kept), stream.dropped) == (b"abcd", 5)
    assert stream.read() is True  # nothing there, and not the end
    os.close(writing)
    assert stream.read() is False


def test_closing_a_stream_takes_what_is_there_and_does_not_wait(pipe: tuple[Stream, int]):
    """A grandchild that keeps the pipe open does not hold the recorder."""
    stream, writing = pipe
    os.write(writing, b"abcdef")
    stream.close()
    assert (bytes(stream.kept), stream.dropped) == (b"abcd", 2)


def job(*sources: str, timeout: float = 60) -> Job:
    """A job whose cells are these sources."""
    cells = [{"name": f"cell{n}", "source": source, "line": 1} for n, source in enumerate(sources)]
    text = "\n".join(sources)
    return Job(
        slug="a/b",
        text=text,
        sha256="",
        cells=cells,  # type: ignore[typeddict-item]  # plain dicts
        processes=1,
        fork=False,
        alone=False,
        timeout=timeout,
        inspect=False,
    )


def start(work: Job, folder: Path) -> Process:
    """A cold process, in a folder with the snippet's file."""
    script = Path(script_path(work, folder))
    script.parent.mkdir(parents=True)
    script.write_text(work["text"])
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    return Process(work, folder, cold=[sys.executable, "-c", ENTER], env=env, keep_out=set())


def ended(work: Job, folder: Path) -> Process:
    """The process at its end."""
    process = start(work, folder)
    assert wait([process], heard=lambda: True) is process
    return process


def outputs(process: Process) -> list[tuple[bytes, bytes]]:
    """What each cell printed."""
    return [(bytes(out.kept), bytes(err.kept)) for out, err in process.outputs]


def test_each_cell_has_pipes_of_its_own(tmp_path: Path):
    """Output belongs to the cell that was running, from Python, from C and from other programs."""
    process = ended(
        job(
            "import os, sys\nprint('one')\nprint('err', file=sys.stderr)",
            "os.write(1, b'two\\n'); os.system('echo three')",
            "print('four', end='')" + STOP,
        ),
        tmp_path,
    )
    assert outputs(process)[:2] == [(b"one\n", b"err\n"), (b"two\nthree\n", b"")]
    assert outputs(process)[2][0] == b"four"
    assert [message["kind"] for message in process.messages()] == [*["begin", "cell"] * 2, "begin", "failed"]
    assert process.status == 1
    assert process.ended_ns > process.started_ns


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


def test_a_message_that_death_cut_short_is_left_out(tmp_path: Path):
    """Half a line is no message."""
    process = ended(job("import os\nos._exit(3)"), tmp_path)
    process.control.kept += b'{"kind": "ce'
    assert process.messages() == [{"kind": "begin", "cell": "cell0"}]
    assert process.status == 3
