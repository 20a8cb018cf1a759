"""The schedule: what one snippet leaves running does not meet the next (Linux)."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.processes import left_alive
from tests.recording import snippet_text
from tests.worker.live import COLD, QUICK, after, answers, planned

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

# A module-level assignment makes a snippet one that measures: it runs alone, after the others.
ALONE = "measurements = {}\n"
BELOW = """\
import os
def below(pid):
    for task in os.listdir(f'/proc/{pid}/task'):
        for child in open(f'/proc/{pid}/task/{task}/children').read().split():
            yield int(child)
            yield from below(int(child))
print([pid for pid in below(os.getppid()) if pid != os.getpid()])
"""
SERVER = """\
import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        words = [sys.executable, '-m', 'http.server', '0', '--bind', '127.0.0.1']
        os.execv(words[0], words)
    os._exit(0)
os.wait()
"""
THREADS = (
    "import threading, time\nfor _ in range(20): threading.Thread(target=time.sleep, args=(600,)).start()\n"
)
SIGNALS = """\
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD, signal.SIGALRM):
    signal.signal(number, lambda *_: None)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
"""
HOLDER = """\
import os, sys, time
if os.fork() == 0:
    time.sleep(600)
print('left')
"""
KINDS = {
    "server": (SERVER, ("completed", "")),
    "threads": (THREADS, ("completed", "")),
    "signals": (SIGNALS, ("completed", "")),
    "holder": (HOLDER, ("completed", "")),
    "closes the standard ones": ("import os\nfor n in (0, 1, 2): os.close(n)\n", ("completed", "")),
    "closes all": (
        "import os\nos.closerange(0, 4096)\n",
        ("exited", "benchbook could not go on in it: most often its descriptors were closed"),
    ),
    "forks and goes on": (
        "import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)\n",
        ("invalid", "a process that it forked went on past its end: end it there with os._exit(0)"),
    ),
    "forks and exits": (
        "import os, sys\npid = os.fork()\nif pid == 0: sys.exit(3)\nprint(os.waitpid(pid, 0)[1] >> 8)\n",
        ("completed", ""),
    ),
    "forks and raises": (
        "import os\npid = os.fork()\nif pid == 0: 1 / 0\nprint(os.waitpid(pid, 0)[1] >> 8)\n",
        ("completed", ""),
    ),
}


def after_all(folder: Path, names: Iterable[str], *, word: str = "") -> dict[str, list[str]]:
    """What the cells of these snippets printed; the next one finds no process of theirs.

    Args:
        folder: For temporary files.
        names: Of `KINDS`.
        word: What each of them begins with.
    """
    texts = [snippet_text(f"# %% one\n{word}{KINDS[name][0]}\n# %% two\nprint('on')\n") for name in names]
    last = snippet_text(f"# %% one\n{ALONE}{BELOW}")
    found = answers(planned(*texts, last, processes=1), folder)
    told = sorted((frame for frame in found if frame["type"] == "process"), key=lambda frame: frame["job"])
    expected = [*(KINDS[name][1] for name in names), ("completed", "")]
    assert [(frame["kind"], frame["detail"]) for frame in told] == expected
    *printed, below = ([cell["stdout"] for cell in frame["cells"]] for frame in told)
    assert below == ["[]\n"]
    return dict(zip(names, printed, strict=True))


def test_nothing_of_snippets_that_run_together_outlives_them(tmp_path: Path):
    """Daemons, threads, handlers, closed descriptors: a run or one line, and the next is undisturbed."""
    printed = after_all(tmp_path, KINDS)
    assert printed["server"] == printed["threads"] == printed["signals"] == ["", "on\n"]
    assert printed["holder"] == ["left\n", "on\n"]
    assert printed["forks and exits"] == ["3\n", "on\n"]
    assert printed["forks and raises"] == ["1\n", "on\n"]


def test_nothing_of_a_snippet_that_runs_alone_outlives_it(tmp_path: Path):
    """Started afresh, it leaves as little behind."""
    printed = after_all(tmp_path, ["server", "signals", "closes all"], word=ALONE)
    assert printed["server"] == printed["signals"] == ["", "on\n"]


def test_what_runs_beside_others_takes_its_session_along(tmp_path: Path):
    """At its own end, and not only at theirs: a process in another group of it is gone before they are."""
    group = "import os, time\nif os.fork() == 0:\n    os.setpgid(0, 0)\n"
    group += f"    open({str(tmp_path / 'number')!r}, 'w').write(str(os.getpid()))\n    time.sleep(600)\n"
    group += f"while not os.path.exists({str(tmp_path / 'number')!r}): time.sleep(0.01)\n"
    waits = "import os, time\n"
    waits += f"while not os.path.exists({str(tmp_path / 'number')!r}): time.sleep(0.01)\n"
    waits += f"number = 0\nwhile not number: number = int(open({str(tmp_path / 'number')!r}).read() or 0)\n"
    waits += "while os.path.exists(f'/proc/{number}'): time.sleep(0.01)\n"
    (tmp_path / "tmp").mkdir()
    texts = [snippet_text(f"# %% one\n{text}") for text in (group, waits)]
    found = answers(planned(*texts), tmp_path / "tmp")
    assert [frame["kind"] for frame in found if frame["type"] == "process"] == ["completed"] * 2
    assert left_alive([int((tmp_path / "number").read_text())], patience=0) == []


def test_temporary_files_of_a_snippet_go_with_it(tmp_path: Path):
    """Those that it forgot, forked or cold: they lie in a folder of its own, and nowhere else."""
    text = "# %% one\nimport os, tempfile\nmade = tempfile.mkdtemp()\n"
    text += "print(made)\nprint(len(os.listdir(os.path.dirname(made))))\n"
    found = answers(planned(snippet_text(text), snippet_text(text, more=COLD)), tmp_path)
    for frame in (frame for frame in found if frame["type"] == "process"):
        place, beside = frame["cells"][0]["stdout"].split()
        assert place.startswith("tmp/")
        assert beside == "1"


def test_a_process_that_cannot_be_started_costs_its_own_snippet(tmp_path: Path):
    """Where a disk or a limit stands against it: one line, and the others have their answers."""
    many = snippet_text("".join(f"# %% c{n}\nprint({n})\n" for n in range(60)))
    few = snippet_text(QUICK)
    found = answers(planned(many, few), tmp_path, command=after("ulimit -n 100"))
    told = [frame for frame in found if "job" in frame]
    told.sort(key=lambda frame: frame["job"])
    assert [(frame["kind"], frame["detail"]) for frame in told] == [
        (
            "invalid",
            "the system starts no process: Too many open files (raise the limit of open files, ulimit -n)",
        ),
        ("completed", ""),
    ]


def test_what_is_withheld_has_failed(tmp_path: Path):
    """A snippet that tells whose machine this is: its other processes are not started; the status is 1."""
    telling = "# %% one\nimport os\nmeasurements = {}\nprint(os.path.expanduser('~'))\n"
    home = {"HOME": "/Users/ada.lovelace"}
    told = [frame for frame in answers(planned(snippet_text(telling)), tmp_path, env=home) if "job" in frame]
    assert [frame["kind"] for frame in told] == ["invalid", "abandoned", "abandoned"]


def test_who_watches_is_told_of_each_snippet_once(tmp_path: Path):
    """In a terminal, one line when it has ended or failed; in a file there is the last line only."""
    fails = snippet_text("# %% one\nmeasurements = {}\n1 / 0\n")
    measures = snippet_text("# %% one\nmeasurements = {}\n")
    asked = planned(snippet_text(QUICK), measures, fails)
    ours, theirs = os.openpty()
    answers(asked, tmp_path, stderr=theirs)
    os.close(theirs)
    last = "benchbook: backend cpu: 5 processes ended, snippets that failed: 1"
    assert os.read(ours, 65536).decode().splitlines() == [
        "benchbook: 1 of 3 snippets, a/s0: completed",
        "benchbook: 2 of 3 snippets, a/s1: completed",
        "benchbook: 3 of 3 snippets, a/s2: raised",
        last,
    ]
    os.close(ours)
    with (tmp_path.parent / "words").open("w+") as file:
        answers(asked, tmp_path, stderr=file.fileno())
        file.seek(0)
        assert file.read().splitlines() == [last]
