"""The warden: whoever is killed, no process and no folder is left (Linux)."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import appearing, children, descendants, left_alive
from tests.recording import snippet_text
from tests.worker.live import COLD, QUICK, answers, frames, outcomes, planned, start

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")


def daemons(word: str) -> str:
    """A snippet that starts a daemon with this word in its command, and waits."""
    command = f"import os, time; os.fork() and os._exit(0); os.setsid(); time.sleep(600)  # {word}"
    text = f"# %% one\nimport subprocess, sys, time\nsubprocess.run([sys.executable, '-c', {command!r}])\n"
    return snippet_text(text + "time.sleep(600)\n", more=COLD)


def begun(folder: Path) -> tuple["subprocess.Popen[bytes]", int, list[int]]:
    """A worker whose snippet has a daemon: it, its dispatcher, and everything below."""
    (folder / "tmp").mkdir()
    worker = start(planned(daemons(f"daemon {folder}")), folder / "tmp")
    assert next(frames(worker))["type"] == "session"
    appearing(f"daemon {folder}")
    (dispatcher,) = children(worker.pid, "-")
    return worker, dispatcher, descendants(worker.pid)


@pytest.mark.parametrize("victim", ["warden", "dispatcher"])
def test_a_killed_worker_leaves_nothing(tmp_path: Path, victim: str):
    """SIGKILL of either: the other one ends what is left, also a daemon, and removes the folder."""
    worker, dispatcher, below = begun(tmp_path)
    os.kill(worker.pid if victim == "warden" else dispatcher, signal.SIGKILL)
    assert list(frames(worker)) == []
    assert worker.wait() == (-signal.SIGKILL if victim == "warden" else 128 + signal.SIGKILL)
    assert len(below) >= 3
    assert left_alive(below) == []
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_dispatcher_that_was_stopped_ends_when_its_warden_is_asked(tmp_path: Path):
    """A snippet can stop it; SIGTERM reaches it all the same."""
    worker, dispatcher, below = begun(tmp_path)
    os.kill(dispatcher, signal.SIGSTOP)
    worker.terminate()
    assert worker.wait() == 128 + signal.SIGTERM
    assert left_alive(below) == []
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_status_says_which_signal_it_was(tmp_path: Path, how: signal.Signals):
    """As a shell would say it, also where a terminal sends the signal to all of them."""
    worker, dispatcher, below = begun(tmp_path)
    os.kill(dispatcher, how)
    worker.send_signal(how)
    assert worker.wait() == 128 + how
    assert left_alive(below) == []
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_warden_holds_the_answers_and_no_input(tmp_path: Path):
    """It sees that a reader has gone, and what feeds the worker is told when nobody reads."""
    script = (
        "import os\nabove = os.getppid()\nabove = [line.split()[1] for line in open(f'/proc/{above}/status')"
    )
    script += " if line.startswith('PPid')][0]\n"
    script += "print([os.readlink(f'/proc/{above}/fd/{n}') for n in os.listdir(f'/proc/{above}/fd')])\n"
    _, frame, _ = answers(planned(snippet_text("# %% one\n" + script)), tmp_path)
    held = frame["cells"][0]["stdout"]
    assert "/dev/null" in held
    assert held.count("pipe") == 1


def test_a_stopped_dispatcher_ends_when_its_reader_has_gone(tmp_path: Path):
    """Else it would keep the machine's turn for ever: a killed engine asks nobody to end."""
    worker, dispatcher, below = begun(tmp_path)
    os.kill(dispatcher, signal.SIGSTOP)
    assert worker.stdout is not None
    worker.stdout.close()
    assert worker.wait() == 128 + signal.SIGTERM
    assert left_alive(below) == []
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_worker_whose_starter_ignored_the_end_of_children_waits_for_its_own(tmp_path: Path):
    """As some schedulers and containers do: what it started is waited for, forked or cold."""
    asked = planned(snippet_text(QUICK), snippet_text(QUICK, more=COLD))
    ignoring = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    words = [sys.executable, "-c", f"{ignoring}; os.execv(sys.argv[1], sys.argv[1:])", sys.executable]
    assert outcomes(asked, tmp_path, command=words) == [("completed", "")] * 2


def test_a_signal_that_comes_after_the_dispatchers_end_is_no_fault():
    """It was waited for a moment ago, and its number is nobody's."""
    script = "import os, signal, subprocess\nfrom benchbook.worker import warden\n"
    script += "gone = subprocess.Popen(['true'])\ngone.wait()\n"
    script += "warden._forward({signal.SIGTERM}, gone.pid)\nos.kill(os.getpid(), signal.SIGTERM)\n"
    script += "signal.raise_signal(signal.SIGALRM)\nsignal.alarm(0)\nprint('goes on')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "goes on\n"
