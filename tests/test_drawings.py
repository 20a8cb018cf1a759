"""Drawing on every core: what is interrupted, killed or started oddly ends in words and not in tracebacks."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook.building import drawings, manifest
from benchbook.project import Project
from tests.factory import make_project, store_run
from tests.processes import children, heeding, left_alive

PROGRAM = (
    "import os; os.cpu_count = lambda: 2\n"
    "from benchbook import cli\n"
    "if __name__ == '__main__':\n"
    "    cli.main()\n"
)
POOLED = "--multiprocessing-fork"


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with as many figures as several processes draw."""
    project = make_project(tmp_path_factory.mktemp("many") / "project")
    for day in range(drawings.MANY):
        store_run(project, started=f"2026-{1 + day // 28:02}-{1 + day % 28:02}T00:00:00Z")
    return project


def build(project: Project, *command: str, **options: int) -> subprocess.Popen[str]:
    """A build that is under way, in a process group of its own."""
    manifest.path(project).unlink(missing_ok=True)  # so that every figure is drawn
    variables = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "scripts")}
    return subprocess.Popen(
        heeding([sys.executable, *command, "build"]),
        cwd=project.root,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,
    )


def drawing(running: subprocess.Popen[str]) -> list[int]:
    """The processes of a build that draw, as soon as both have begun."""
    while len(found := children(running.pid, POOLED)) < 2:
        assert running.poll() is None, running.communicate()
    return found


@pytest.fixture
def program(tmp_path: Path) -> str:
    """The command line, on a machine of two cores."""
    (tmp_path / "program.py").write_text(PROGRAM)
    return str(tmp_path / "program.py")


def test_control_c_is_one_line_as_soon_as_processes_draw(many: Project, program: str):
    """While they are still starting, too: no process prints a traceback, and none stays behind."""
    running = build(many, program)
    workers = drawing(running)
    while not any("numpy" in Path(f"/proc/{worker}/maps").read_text() for worker in workers):
        assert running.poll() is None, running.communicate()
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate()
    assert (running.returncode, out) == (130, "")
    assert err == "benchbook: interrupted; what was written is whole\n"
    assert left_alive(workers) == []


def test_a_process_that_was_killed_is_said_to_be(many: Project, program: str):
    """One line with its mend, and no mistake of ours."""
    running = build(many, program)
    os.kill(drawing(running)[0], signal.SIGKILL)
    _, err = running.communicate()
    assert running.returncode == 1
    assert err == (
        "benchbook: a process that draws figures was ended from outside "
        "(build again; if it was killed for memory, end other programs first)\n"
    )


def test_a_program_from_standard_input_draws_here(many: Project):
    """It has no file that a new process could start from, so nothing is started."""
    running = build(many, "-", stdin=subprocess.PIPE)
    out, err = running.communicate(PROGRAM)
    assert (running.returncode, err) == (0, "")
    assert "build" in out
