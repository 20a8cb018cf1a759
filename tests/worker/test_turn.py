"""The turn: recorders of one machine do not disturb what another one measures."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbook.worker.answers import Answers
from benchbook.worker.turn import WAITING, Turn
from tests.processes import left_alive
from tests.recording import snippet_text
from tests.worker.live import answers as answered
from tests.worker.live import frames, planned, start


def test_one_has_the_machine_alone_or_many_share_it(tmp_path: Path):
    """Whoever cannot have it has nothing, and can have it once the others left."""
    one, two, three = (Turn(tmp_path) for _ in range(3))
    assert one.take(alone=False) == "had"
    assert two.take(alone=False) == "had"
    assert three.take(alone=True) == "busy"
    one.leave()
    assert three.take(alone=True) == "busy"
    two.leave()
    assert three.take(alone=True) == "had"
    assert one.take(alone=False) == "busy"
    assert one.take(alone=True) == "busy"
    three.leave()
    assert one.take(alone=True) == "had"
    assert list(tmp_path.iterdir()) == []


def test_one_that_ends_has_left(tmp_path: Path):
    """However it ends: the lock goes with its descriptor."""
    one, two = Turn(tmp_path), Turn(tmp_path)
    assert one.take(alone=True) == "had"
    os.close(one.descriptor)
    assert two.take(alone=True) == "had"


def test_one_knows_whether_it_has_the_machine(tmp_path: Path):
    """From when it entered until it left; nobody is asked to wait who need not."""
    one, answers = Turn(tmp_path), Answers(os.dup(1))
    assert not one.held
    assert one.enter(answers, alone=True)
    assert one.held
    one.leave()
    assert not one.held
    assert answers.count == 0
    os.close(answers.descriptor)


def test_one_whom_nobody_hears_does_not_wait(tmp_path: Path):
    """It says once that it waits, and goes with its reader."""
    other, one = Turn(tmp_path), Turn(tmp_path)
    assert other.take(alone=True) == "had"
    reading, writing = os.pipe()
    answers = Answers(writing)
    going = threading.Timer(0.3, os.close, [reading])
    going.start()
    assert not one.enter(answers, alone=False)
    going.join()
    assert answers.count == 1
    assert not one.held
    os.close(writing)


NO_LOCKS = """\
import errno, fcntl, os
def flock(*_): raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))
fcntl.flock = flock
"""


def test_where_there_is_no_lock_recording_goes_on_and_says_so(tmp_path: Path):
    """A folder that cannot be opened, a file system without locks: nobody can tell that it was alone."""
    nowhere = Turn(tmp_path / "nowhere")
    assert nowhere.take(alone=True) == "no locks"
    nowhere.leave()
    for name in ("tmp", "site"):
        (tmp_path / name).mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(NO_LOCKS)
    asked = planned(snippet_text("# %% one\nmeasurements = {}\n"), processes=1)
    for env, alone in (({"PYTHONPATH": str(tmp_path / "site")}, False), ({}, True)):
        _, process, _ = answered(asked, tmp_path / "tmp", env=env)
        assert (process["kind"], process["alone"]) == ("completed", alone)


class Log:
    """What snippets write when they begin and end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.path.touch()

    def snippet(self, *, alone: bool) -> str:
        """One that says so, and takes a moment."""
        word = "alone" if alone else "shared"
        say = f"with open({str(self.path)!r}, 'a') as log: log.write(f'{word} {{os.getpid()}}\\n')\n"
        text = f"# %% one\nimport os, time\n{say}time.sleep(0.1)\n{say}"
        return snippet_text(text + ("measurements = {}\n" if alone else ""))

    def overlaps(self) -> Iterator[list[str]]:
        """Those that ran at one time, at each moment that one began."""
        running: list[str] = []
        for line in self.path.read_text().splitlines():
            if line in running:
                running.remove(line)
            else:
                running.append(line)
                yield list(running)


def test_two_recorders_at_once_measure_one_after_the_other(tmp_path: Path):
    """No process that measures runs beside any other; those that do not share; both come to their end."""
    log = Log(tmp_path / "log")
    (tmp_path / "tmp").mkdir()
    texts = [log.snippet(alone=alone) for alone in (False, False, False, True)]
    workers = [start(planned(*texts, processes=2), tmp_path / "tmp") for _ in range(2)]
    found = [list(frames(worker)) for worker in workers]
    assert [worker.wait() for worker in workers] == [0, 0]
    for told in found:
        notes = [frame["detail"] for frame in told if frame["type"] == "note"]
        assert notes in ([], [WAITING])
        assert told[-1]["count"] == len(told) - 1
    together = list(log.overlaps())
    assert len(together) == 2 * (3 + 2)
    for running in together:
        assert len(running) == 1 or not any(line.startswith("alone") for line in running)


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are listed in /proc")
def test_who_waits_says_so_once_gives_signs_of_life_and_can_be_ended(tmp_path: Path):
    """Before it starts JAX, whose start would disturb what the other measures; no child has the lock."""
    held = Turn(tmp_path)
    assert held.take(alone=True) == "had"
    worker = start(planned(snippet_text("# %% one\nprint(1)\n")), tmp_path)
    assert worker.stdout is not None
    lines = iter(worker.stdout.readline, b"")
    assert WAITING.encode() in next(line for line in lines if line != b"\n")
    assert next(lines) == b"\n"
    assert not any("probe-" in path.name for path in tmp_path.glob("*/*"))
    worker.terminate()
    assert [line for line in lines if line != b"\n"] == []
    assert worker.wait() == 143
    assert left_alive([worker.pid], patience=0) == []
    held.leave()
    assert held.take(alone=False) == "had"
    listing = "import os\nprint([os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd')"
    listing += " if os.path.exists(f'/proc/self/fd/{n}')])\n"
    worker = start(planned(snippet_text(f"# %% one\n{listing}")), tmp_path)
    _, frame, _ = frames(worker)
    assert worker.wait() == 0
    assert repr(str(tmp_path)) not in frame["cells"][0]["stdout"]
    assert "/benchbook-" not in frame["cells"][0]["stdout"]
