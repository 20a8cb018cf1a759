"""The memory of a recorder, with a real one: a thousand results pass through it and do not stay."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.project import Project
from benchbook.recording import program, session
from tests.factory import make_project
from tests.recording import plan_for, snippet_text

RESULTS = 1000
LARGEST = 50_000  # bytes of output in the largest of them
LIMIT_MIB = 200
CELLS = """\
# %% one
print("fine")
results = {"one": 1}
visual_data = {"kind": "bar", "labels": ["a"], "ylabel": "y", "series": [{"label": "b", "y": [1.0]}]}
"""
LONG = "".join(f"# line {number} of a lesson of the usual length\n" for number in range(300))
# A worker that has recorded already: it takes the program, and answers for every job what one process said.
ANSWERING = """\
import json, sys
sys.stdin.buffer.read()
head, process, end = (json.loads(line) for line in open({frames!r}))
head["plan"]["expected"]["backend"] = "far"
head["plan"]["jobs"] *= {results}
def say(frame):
    sys.stdout.write(json.dumps(frame) + "\\n")
say(head)
for job in range({results}):
    process["job"] = job
    process["cells"][0]["stdout"] = "x" * (job * {largest} // {results})
    say(process)
say(end)
"""
# The memory of a child counts as that of its descendants at most: these are the recorder and its worker.
MEASURING = """\
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "benchbook", *sys.argv[1:]])
unit = 1024 if sys.platform == "linux" else 1
print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)
sys.exit(done.returncode)
"""


@pytest.fixture
def answering(project: Project, tmp_path: Path) -> Project:
    """A project of a thousand snippets, with a backend that answers for all of them."""
    text = snippet_text(CELLS + LONG)
    plan = plan_for(text, project)
    frames = list(session.frames([sys.executable], program.text(plan), name="cpu"))
    assert [frame["type"] for frame in frames] == ["session", "process", "end"]
    (tmp_path / "frames").write_text("".join(json.dumps(frame) + "\n" for frame in frames))
    worker = tmp_path / "worker.py"
    said = ANSWERING.format(frames=str(tmp_path / "frames"), results=RESULTS, largest=LARGEST)
    worker.write_text(said)
    many = make_project(tmp_path / "many", {f"many/lesson-{n}": text for n in range(RESULTS)})
    settings = many.root / "pyproject.toml"
    command = json.dumps([sys.executable, str(worker)])
    far = f'[tool.benchbook.backends.far]\nplatform = "cpu"\ncommand = {command}\n'
    settings.write_text(settings.read_text() + far)
    return many


def test_a_thousand_results_stay_below_the_limit(answering: Project):
    """Every run is written and told, and the recorder holds one of them at a time."""
    command = [sys.executable, "-c", MEASURING, "record", "--backend", "far"]
    done = subprocess.run(command, cwd=answering.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + done.stdout[-2000:]
    *_, summary, peak = done.stdout.splitlines()
    assert summary == f"{RESULTS} new; {RESULTS} runs written to .benchbook/runs"
    for number in (0, RESULTS - 1):
        assert len(archive.load_all(answering, answering.local_runs, f"many/lesson-{number}")) == 1
    assert int(peak.split()[1]) < LIMIT_MIB * 2**20
