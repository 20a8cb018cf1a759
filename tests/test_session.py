"""Sessions: commands that start badly, talk too much or stop early, and a reader who goes."""

import errno
import os
import selectors
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchbook.errors import BenchbookError
from benchbook.project import Project
from benchbook.recording import command as commands
from benchbook.recording import program, session
from benchbook.worker.wire import Frame
from tests.processes import appearing, children, descendants, left_alive
from tests.recording import plan_for, snippet_text

CELLS = "# %% one\nprint('fine')\n"
FAR = "[tool.benchbook.backends.far]"
FAKE = "import sys; from benchbook.worker.wire import encode; out = sys.stdout.buffer; sys.stdin.read()\n"


def shell(script: str) -> list[str]:
    """A command: sh with a script, which finds this Python in ``$0``."""
    return ["sh", "-c", script, sys.executable]


def fake(script: str) -> list[str]:
    """A command: a Python that takes the program in, runs nothing of it, and does this instead."""
    return [sys.executable, "-c", FAKE + script]


def everything(command: Sequence[str], text: str = "", **options: Any) -> list[Frame]:
    """All frames of a session."""
    return list(session.frames(command, text, name="far", **options))


def failing(command: Sequence[str], text: str = "", **options: Any) -> str:
    """The one line with which a session fails."""
    with pytest.raises(BenchbookError) as caught:
        everything(command, text, **options)
    assert str(caught.value).isprintable()
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
        "(try the command of [tool.benchbook.backends.far] by hand)"
    )


def test_a_command_that_cannot_be_a_command_is_one_line():
    """A zero byte in a word is told as any other wrong word is."""
    assert failing(["python3", "\0"]).startswith("pyproject.toml: backend far: cannot start python3: ")


@pytest.mark.parametrize(
    ("script", "status", "mend"),
    [
        ("nowhere/python3", "127", f"(is there such a Python? correct the command of {FAR})"),
        ("kill -KILL $$", "-9 (SIGKILL)", f"(try the command of {FAR} by hand)"),
        ("kill -42 $$", "-42 (signal 42)", f"(try the command of {FAR} by hand)"),
        ("exit 255", "255", f"(try the command of {FAR} by hand)"),
        ("exit 137", "137", "(it was killed there, most often because memory ran out)"),
        ("exit 143", "143", "(it was ended from outside: cancelled, or at its limit of time)"),
    ],
)
def test_a_status_that_means_something_is_explained(script: str, status: str, mend: str):
    """Not everybody knows what a shell's 127 is."""
    said = failing(shell(script))
    assert f"ended with status {status} before it had finished" in said
    assert said.endswith(mend)


def test_a_connection_that_ssh_lost_is_called_so(tmp_path: Path):
    """255 is ssh's own status, wherever it lies."""
    ssh = tmp_path / "ssh"
    ssh.write_text("#!/bin/sh\necho 'ssh: connect to host far port 22: Connection refused' >&2\nexit 255\n")
    ssh.chmod(0o755)
    said = failing([str(ssh), "far", "python3"])
    assert ": ssh: connect to host far port 22: Connection refused (ssh could not connect, or lost" in said


def test_last_words_are_not_obeyed_by_a_terminal():
    """Colours, bells and cursors are shown as what they are not: harmless."""
    said = failing(shell("cat > /dev/null; printf '\\033[2Jgone\\007\\r\\n\\302\\205' >&2; exit 1"))
    assert ": \u241b[2Jgone\u2407 (try the command of [tool.benchbook.backends.far] by hand)" in said


@pytest.mark.parametrize("flood", ["yes", "cat /dev/zero"])
def test_a_command_that_floods_its_output_is_given_up(flood: str):
    """With or without lines, it costs neither memory nor time."""
    assert failing(shell(flood)).startswith("backend far: more than 1 MiB of its output is no answer: '")


def test_one_that_falls_silent_is_told_from_one_that_never_spoke():
    """More patience helps a queue, and seldom a connection that was lost."""
    said = failing(shell("cat > /dev/null; echo; sleep 600"), patience=1)
    assert said == (
        "backend far: it fell silent for 1 s: its machine or the connection may be gone "
        f"(record again, or give it longer: patience = 12 in {FAR})"
    )


def test_silence_beyond_patience_is_given_up():
    """The line says how long it was, what it may be, and where to give it longer."""
    said = failing(shell("cat > /dev/null; sleep 600"), patience=1)
    assert said == (
        "backend far: nothing was heard for 1 s; it may be gone or queued "
        "(give it longer: patience = 12 in [tool.benchbook.backends.far])"
    )


def test_a_host_that_takes_nothing_in_is_given_up():
    """A program that nobody reads does not hold the session."""
    assert "nothing was heard for 1 s" in failing(shell("sleep 600"), "x" * 1_000_000, patience=1)


def test_signs_of_life_are_heard():
    """An empty line now and then is enough, though an answer takes longer than patience."""
    script = "import time\nfor _ in range(6):\n    time.sleep(0.5); out.write(b'\\n'); out.flush()\n"
    frames = everything(fake(script + "out.write(encode({'type': 'end'})); out.flush()"), patience=2)
    assert [frame["type"] for frame in frames] == ["end"]


def test_what_a_reader_takes_its_time_for_is_no_silence(monkeypatch: pytest.MonkeyPatch):
    """Patience is for the worker: a run that takes long to write costs no session."""
    clock, late = time.monotonic, [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock() + late[0])
    script = "out.write(encode({'type': 'session'})); out.flush(); import time; time.sleep(0.5)\n"
    coming = session.frames(fake(script + "out.write(encode({'type': 'end'}))"), "", name="far", patience=60)
    assert next(coming)["type"] == "session"
    late[0] = 1000.0
    assert next(coming)["type"] == "end"


def test_a_wait_for_the_first_sign_is_told(monkeypatch: pytest.MonkeyPatch):
    """Once after a minute, then every ten, and not after a sign."""
    monkeypatch.setattr(session, "FIRST_NOTICE", 0.0)
    said: list[str] = []
    script = "import time; out.write(b'\\n'); out.flush(); time.sleep(1); out.write(encode({'type': 'end'}))"
    everything(fake(script), say=said.append)
    assert said == ["backend far: no answer yet"]


def test_a_note_is_said_and_not_handed_on():
    """What a worker wants a person to know is one line that no terminal obeys, cut to fit."""
    script = "out.write(encode({'type': 'note', 'detail': 'waiting\\x1b[2J\\n' + 'x' * 1000}))\n"
    script += "out.write(encode({'type': 'end'}))"
    said: list[str] = []
    assert [frame["type"] for frame in everything(fake(script), say=said.append)] == ["end"]
    assert said == ["backend far: waiting\u241b[2J\u240a" + "x" * 288]


def test_a_command_that_closes_its_output_and_stays_is_ended(monkeypatch: pytest.MonkeyPatch):
    """It is not waited for."""
    monkeypatch.setattr(session, "GRACE", 0.5)
    said = failing(shell("cat > /dev/null; exec >&-; sleep 600"))
    assert said.startswith("backend far: the worker closed its output before it had finished")


def test_what_a_command_left_behind_does_not_hold_the_session(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """A process in the background that has the pipes is neither waited for nor left."""
    monkeypatch.setattr(session, "GRACE", 0.5)
    monkeypatch.setattr(commands, "GRACE", 0.5)
    held = tmp_path / "pid"
    said = failing(shell(f"sleep 600 & echo $! > {held}; echo over >&2; exit 4"))
    assert "ended with status 4 before it had finished: over" in said
    assert left_alive([int(held.read_text())]) == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_no_group_of_somebody_else_is_signalled(monkeypatch: pytest.MonkeyPatch):
    """The number of a command that has ended is not free before its group was told to end."""
    signalled = []

    def killpg(group: int, number: int) -> None:
        signalled.append((number, Path(f"/proc/{group}").exists()))
        raise ProcessLookupError

    monkeypatch.setattr(os, "killpg", killpg)
    assert "ended with status 4 before" in failing(shell("exit 4"))
    assert signalled == [(signal.SIGTERM, True)]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_session_that_cannot_be_served_leaves_no_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Too many open files, when the command runs already."""

    def full() -> selectors.BaseSelector:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(commands, "SHORT_GRACE", 0.1)
    monkeypatch.setattr(selectors, "DefaultSelector", full)
    with pytest.raises(OSError, match="Too many open files"):
        everything(shell(f"sleep 600; true {tmp_path}"))
    assert children(os.getpid(), str(tmp_path)) == []


def test_a_session_that_is_stopped_ends_within_a_moment():
    """Its worker does not outlive it, whatever it was doing."""
    script = "import os, time; out.write(encode({'type': 'session', 'count': os.getpid()})); out.flush()\n"
    stopped: list[int] = []
    coming = session.frames(fake(script + "time.sleep(600)"), "", name="far", stopped=lambda: bool(stopped))
    stopped.append(next(coming)["count"])
    assert os.getsid(stopped[0]) == stopped[0]  # Control-C in a terminal does not reach it
    with pytest.raises(BenchbookError, match="backend far: stopped"):
        next(coming)
    assert left_alive(stopped, patience=0) == []


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
