"""Tests side by side: what processes make once, how tests are handed out, who has the machine alone.

`make test` starts pytest with a few workers (pytest-xdist). Without them everything here does nothing.
"""

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
# The tests of a module stay together and in order, since its fixtures are made once. The longest modules
# start first, and are handed out in pieces: those tests together in whose name the same piece is found.
LONGEST = {
    "tests/test_lessons.py": re.compile(r"\[([a-z0-9-]+/[a-z0-9-]+)[\]:]"),
    "tests/test_access.py": re.compile(r"\[(part \d+)\]"),
    "tests/test_elsewhere.py": None,
    "tests/test_keyboard.py": None,
    "tests/test_parity.py": re.compile(r"[\[-](properdocs|zensical)[\]-]"),
}


def unit(name: str) -> str:
    """What a test is handed out with: those of one unit run in one process, one after another."""
    module, _, test = name.partition("::")
    pattern = LONGEST.get(module)
    piece = pattern.search(test) if pattern else None
    return f"{module} {piece[1]}" if piece else module


def rank(name: str) -> int:
    """The longest modules first, so that no process is left with one of them at the end."""
    module = name.partition("::")[0]
    return [*LONGEST, module].index(module)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Holds a lock that processes share; it is released when a process ends, however it ends."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Path]) -> Path:
    """What ``make`` gives for a new folder, made by the first process that asks, for all of one run."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    said = shared / f"{name}.made"
    with locked(shared / f"{name}.lock"):
        if not said.exists():
            said.write_text(str(make(factory.mktemp(name))))
        return Path(said.read_text())


class Machine:
    """The machine that the tests of a run share: many use it side by side, or one alone.

    Who wants it alone holds the door, so that no new test comes in before those inside have left.
    """

    def __init__(self, folder: Path) -> None:
        """Opens the two locks, which lie in a folder of the run."""
        self.door = (folder / "door").open("a")
        self.inside = (folder / "inside").open("a")

    def enter(self, *, alone: bool = False) -> None:
        """Waits until this process may use the machine, beside others or alone."""
        self.leave()
        fcntl.flock(self.door, fcntl.LOCK_EX)
        fcntl.flock(self.inside, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        fcntl.flock(self.door, fcntl.LOCK_UN)

    def leave(self) -> None:
        """Lets others in."""
        fcntl.flock(self.inside, fcntl.LOCK_UN)
