"""Sessions: commands that start badly, talk too much or stop early, and a reader who goes."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchbook.errors import BenchbookError
from benchbook.project import Project
from benchbook.recording import program, session
from benchbook.worker.wire import Frame
from tests.processes import appearing, children, descendants, left_alive
from tests.recording import plan_for, snippet_text

CELLS = "# %% one\nprint('fine')\n"
FAKE = "import sys; from benchbook.worker.wire import encode; out = sys.stdout.buffer; sys.stdin.read()\n"


def shell(script: str) -> list[str]:
    """A command: sh with a script, which finds this Python in ``$0``."""
    return ["sh", "-c", script, sys.executable]


def fake(script: str) -> list[str]:
    """A command: a Python that takes the program in, runs nothing of it, and does this instead."""
    return [sys.executable, "-c", FAKE + script]


def everything(command: Sequence[str], text: str = "") -> list[Frame]:
    """All frames of a session."""
    return list(session.frames(command, text, name="far"))


def failing(command: Sequence[str], text: str = "") -> str:
    """The one line with which a session fails."""
    with pytest.raises(BenchbookError) as caught:
        everything(command, text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_command_that_does_not_exist_is_one_line():
    """The backend, the word and the setting to correct are named."""
    said = failing(["nowhere/python3"])
    assert said.startswith(
        "pyproject.toml: backend far: cannot start nowhere/python3: No such file or directory"
    )
    assert "correct the command of [tool.benchbook.backends.far]" in said


def test_a_command_that_may_not_be_started_is_one_line(tmp_path: Path):
    """A file that is no program is not taken for one that failed."""
    assert "cannot start" in failing([str(tmp_path)])


@pytest.mark.parametrize("size", [10, 10_000_000])
def test_a_command_that_ends_early_says_its_last_words(size: int):
    """Whether it read the program or not, its status and the last line of its stderr are told."""
    said = failing(shell("echo first >&2; echo 'no route to host' >&2; exit 3"), "x" * size)
    assert said == "backend far: the worker ended with status 3 before it had finished: no route to host " + (
        "(try it by hand)"
    )


def test_a_command_that_says_nothing_still_has_a_line():
    """The status is all there is."""
    assert failing(shell("cat > /dev/null")).startswith("backend far: the worker ended with status 0 before")


def test_frames_before_an_early_end_are_not_lost():
    """What came whole is used, and then the end is told."""
    coming = session.frames(
        fake("out.write(encode({'type': 'session'})); out.flush(); sys.exit(5)"), "", name="far"
    )
    assert next(coming)["type"] == "session"
    with pytest.raises(BenchbookError, match="ended with status 5 before it had finished"):
        next(coming)


def test_last_words_without_an_end_are_cut():
    """A flood of stderr without a newline becomes a line that fits, whatever bytes it is of."""
    said = failing(shell("cat > /dev/null; head -c 3000000 /dev/zero | tr '\\0' '\\377' >&2; exit 1"))
    assert len(said) < 500


def test_a_banner_and_a_flood_of_stderr_do_not_reach_the_results(project: Project):
    """A login banner, even one that does not end its line, and 20 MB of log: the results are clean."""
    text = program.text(plan_for(snippet_text(CELLS), project))
    script = "echo Welcome; echo '{\"benchbook\": 2}'; printf 'last login: today'; "
    script += 'head -c 20000000 /dev/zero | tr \'\\0\' x >&2; exec "$0" "$@"'
    frames = everything(shell(script), text)
    assert [frame["type"] for frame in frames] == ["session", "process", "end"]
    assert frames[1]["cells"][0]["stdout"] == "fine\n"
    assert frames[1]["cells"][0]["stderr"] == ""


def test_a_worker_that_stays_after_its_last_frame_is_ended():
    """The session is over with the last frame, and its process too."""
    script = "import os, time; out.write(encode({'type': 'end', 'count': os.getpid()})); out.flush()\n"
    script += "time.sleep(600)"
    (end,) = everything(fake(script))
    assert left_alive([end["count"]], patience=0) == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_closing_the_iterator_leaves_no_process(project: Project, tmp_path: Path):
    """A reader who goes takes worker, child and grandchild along."""
    command = f"import time; time.sleep(600)  # {tmp_path}"
    cells = f"# %% one\nimport subprocess, sys\nsubprocess.run([sys.executable, '-c', {command!r}])\n"
    coming = session.frames(
        [sys.executable], program.text(plan_for(snippet_text(cells), project)), name="cpu"
    )
    assert next(coming)["type"] == "session"
    (worker,) = children(os.getpid(), "-")
    grandchild = appearing(str(tmp_path))
    below = descendants(worker)
    assert grandchild in below
    coming.close()
    assert left_alive([worker, *below]) == []
