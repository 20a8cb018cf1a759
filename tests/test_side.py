"""Tests side by side: nothing is made twice, no unit is torn, and who asks for the machine has it alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import side

HOLD = """
import sys
from pathlib import Path
from tests.side import Machine
machine = Machine(Path(sys.argv[1]))
machine.enter(alone=sys.argv[2] == "alone")
print("inside", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("tests/test_run.py::test_a[jit/compile]", "tests/test_run.py"),
        ("tests/test_lessons.py::test_a[jit/compile]", "tests/test_lessons.py jit/compile"),
        ("tests/test_lessons.py::test_a[jit/compile: a[0] / b]", "tests/test_lessons.py jit/compile"),
        ("tests/test_lessons.py::test_a[hint]", "tests/test_lessons.py"),
        ("tests/test_access.py::test_a[part 3]", "tests/test_access.py part 3"),
        ("tests/test_access.py::test_a[light]", "tests/test_access.py"),
        ("tests/test_parity.py::test_a[/runs/jit/compile/-zensical]", "tests/test_parity.py zensical"),
        ("tests/test_parity.py::test_a[properdocs]", "tests/test_parity.py properdocs"),
        ("tests/test_parity.py::test_a[jit/compile]", "tests/test_parity.py"),
    ],
)
def test_what_shares_a_fixture_stays_together(test: str, expected: str):
    """A module is handed out whole, and the longest ones by lesson, part or builder."""
    assert side.unit(test) == expected


def test_what_is_made_once_is_made_once(tmp_path_factory: pytest.TempPathFactory):
    """The second who asks gets what the first one made."""
    made = []

    def make(folder: Path) -> Path:
        made.append(folder)
        return folder / "within"

    name = "made-by-a-test"
    assert side.once(tmp_path_factory, name, make) == side.once(tmp_path_factory, name, make)
    assert len(made) == 1


def start(folder: Path, how: str) -> "subprocess.Popen[str]":
    """A process that enters the machine, says so, and stays until its input ends."""
    words = [sys.executable, "-c", HOLD, str(folder), how]
    root = Path(__file__).parents[1]
    return subprocess.Popen(words, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_who_asks_for_the_machine_has_it_alone(tmp_path: Path):
    """Who wants it alone comes in when the others are gone, and nobody comes after it until it leaves."""
    one, two = start(tmp_path, "beside"), start(tmp_path, "beside")
    assert (one.stdout.readline(), two.stdout.readline()) == ("inside\n", "inside\n")
    alone = start(tmp_path, "alone")
    for other in (one, two):
        with pytest.raises(subprocess.TimeoutExpired):
            alone.wait(0.2)
        other.communicate()
    assert alone.stdout.readline() == "inside\n"
    late = start(tmp_path, "beside")
    alone.communicate()
    assert late.stdout.readline() == "inside\n"
    late.communicate()
