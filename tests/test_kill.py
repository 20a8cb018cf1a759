"""SIGKILL of any part of a recording, at any moment: nothing half, nothing left behind, nothing lost."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.project import Project
from tests.factory import make_project
from tests.processes import appearing, children, descendants, left_alive, marked, none_marked
from tests.recording import snippet_text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")

SEED = 8  # so that a moment that fails can be tried again
DICE = random.Random(SEED)  # noqa: S311  # no secret
VICTIMS = ("child", "dispatcher", "engine", "warden")
DRAWN = [(VICTIMS[number % 4], round(DICE.random(), 2)) for number in range(200)]
SOAK = bool(os.environ.get("SOAK"))
DAEMON = """\
# %% one
import subprocess, sys
words = [sys.executable, "-c", "import time; time.sleep(600)  # {marker}"]
subprocess.Popen(words, start_new_session=True)
print("started")
"""
TEXTS = {
    "a/daemon": DAEMON,
    "b/quick": "# %% one\nprint('fine')\n",
    "c/alone": DAEMON + "measurements = {{}}\n",
}
EARLY = ("before it had finished",)
TOLD = {
    "child": (": killed: by SIGKILL", "JAX did not start: it ended with status -9"),
    "dispatcher": EARLY,
    "warden": EARLY,
}
ENGINE = [sys.executable, "-c", "from benchbook.cli import main; main()"]


@dataclass
class Recording:
    """A project, and a recording of all of it with a folder for temporary files of its own."""

    project: Project
    folder: Path

    @classmethod
    def made(cls, root: Path) -> "Recording":
        """A new one."""
        texts = {slug: snippet_text(text.format(marker=root)) for slug, text in TEXTS.items()}
        (root / "tmp").mkdir()
        return cls(make_project(root / "p", texts), root / "tmp")

    def start(self) -> "subprocess.Popen[str]":
        """The engine, which is at work."""
        return subprocess.Popen(
            [*ENGINE, "record", "--accept", "--jobs", "2", "--processes", "2"],
            cwd=self.project.root,
            env={**os.environ, "TMPDIR": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def stored(self) -> set[str]:
        """The slugs of the runs that are there: every file is whole."""
        found = set()
        for path in self.project.runs.rglob("*") if self.project.runs.exists() else []:
            if path.suffix == ".json" and not path.name.startswith(".writing-"):
                found.add(archive.Stored.load(path, shown=str(path)).run.slug)
            else:
                assert path.is_dir() or path.name.startswith(".writing-")
        return found

    def leaves_nothing(self) -> bool:
        """No process of it lives, and no file is left where temporary files go."""
        return none_marked(str(self.folder)) and list(self.folder.iterdir()) == []


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    """One to be killed; what it leaves in spite of everything is ended with the test."""
    made = Recording.made(tmp_path)
    yield made
    for pid in marked(str(made.folder)):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def duration(tmp_path_factory: pytest.TempPathFactory) -> float:
    """Seconds that a recording takes here when nobody kills it; then nothing is left either."""
    made = Recording.made(tmp_path_factory.mktemp("whole"))
    begun = time.monotonic()
    engine = made.start()
    said, _ = engine.communicate()
    assert engine.returncode == 0, said
    assert made.stored() == set(TEXTS)
    assert made.leaves_nothing()
    return time.monotonic() - begun


def victim(engine: "subprocess.Popen[str]", who: str) -> int | None:
    """The process to kill, as soon as there is one; ``None`` when the recording has ended before."""
    while engine.poll() is None:
        line = [engine.pid]
        for _ in range(("engine", "warden", "dispatcher").index(who) if who != "child" else 2):
            line = children(line[0], "-") if line else []
        if who == "child" and line:
            line = descendants(line[0])
        if line:
            return line[0]
    return None


@pytest.mark.parametrize(("who", "moment"), DRAWN if SOAK else DRAWN[:6])
def test_who_is_killed_leaves_nothing_half_and_loses_nothing(
    recording: Recording, duration: float, who: str, moment: float
):
    """Engine, warden, dispatcher or child: what was reported is there, one line says what happened."""
    engine = recording.start()
    try:
        engine.wait(moment * duration)
    except subprocess.TimeoutExpired:
        pid = victim(engine, who)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
    said, _ = engine.communicate()
    assert recording.leaves_nothing()
    stored = recording.stored()
    assert "Traceback" not in said
    reported = {line.split()[0] for line in said.splitlines() if line.endswith("  new")}
    assert reported <= stored
    if engine.returncode in (0, -signal.SIGKILL):
        assert stored == set(TEXTS) or engine.returncode != 0
        return
    assert engine.returncode == 1
    assert reported == stored
    told = [line for line in said.splitlines() if any(word in line for word in TOLD[who])]
    assert len(told) == 1, said
    assert who != "child" or len(stored) == len(TEXTS) - 1 or "did not start" in told[0]


def test_the_next_recording_removes_what_a_killed_worker_could_not(recording: Recording):
    """Warden and dispatcher killed at once: their children go with them, their folder goes next time."""
    engine = recording.start()
    daemon = appearing(f"# {recording.folder.parent}")
    (warden,) = children(engine.pid, "-")
    below = descendants(warden)
    for pid in [warden, *children(warden, "-")]:
        os.kill(pid, signal.SIGKILL)
    said, _ = engine.communicate()
    assert engine.returncode == 1
    assert "Traceback" not in said
    assert left_alive([pid for pid in below if pid != daemon]) == []
    for path in recording.folder.iterdir():
        os.utime(path, (0, 0))
    engine = recording.start()
    said, _ = engine.communicate()
    assert engine.returncode == 0, said
    assert recording.stored() == set(TEXTS)
    assert list(recording.folder.iterdir()) == []
