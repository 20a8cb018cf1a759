"""Bad input, with real processes: one clear line each, the right exit status, nothing lost, no half file."""

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.project import Project
from benchbook.worker.identity import SHORTEST
from tests.factory import make_project, run_tree, store_run

HEADER = "# /// script\n# dependencies = []\n# [tool.benchbook]\n# timeout = {timeout}\n# ///\n"
GOOD = "# %% one\nprint('fine')\nresults = {'one': 1}\n"
METHOD = '"inputs": (), "warmup": 1, "calls": 1, "wait": "each call", "excludes": "nothing"'

# slug: (cells, line within the file that must be named or None, what the outcome must say)
BAD = {
    "raises/error": ("# %% one\nprint('before')\nx = 1 / 0\n", 8, "cell one: raised: ZeroDivisionError"),
    "raises/syntax-in-exec": ("# %% one\nexec('1 +')\n", 7, "cell one: raised: "),
    "ends/exit": ("# %% one\nimport sys\nsys.exit(3)\n", 8, "cell one: exited: sys.exit(3)"),
    "ends/exit-zero": ("# %% one\nraise SystemExit\n", 7, "cell one: exited: sys.exit(None)"),
    "ends/os-exit": ("# %% one\nimport os\nos._exit(0)\n", 7, "cell one: exited: with status 0"),
    "ends/segfault": (
        "# %% one\nprint('partial')\nimport ctypes\nctypes.string_at(0)\n",
        7,
        "cell one: crashed: by SIGSEGV",
    ),
    "ends/abort": ("# %% one\nimport os\nos.abort()\n", 7, "cell one: crashed: by SIGABRT"),
    "ends/killed": (
        "# %% one\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
        7,
        "cell one: killed: by SIGKILL",
    ),
    "ends/never": ("# %% one\nprint('spinning')\nwhile True: pass\n", 7, "cell one: timed out: after 4 s"),
    "leaves/nan": (
        f"# %% one\nmeasurements = {{'m': {{'samples': [float('nan')], {METHOD}}}}}\n",
        7,
        "measurements['m']['samples'][0] is nan",
    ),
    "leaves/infinity": (
        f"# %% one\nmeasurements = {{'m': {{'samples': [1.0, float('inf')], {METHOD}}}}}\n",
        7,
        "measurements['m']['samples'][1] is inf",
    ),
    "leaves/text": (
        f"# %% one\nmeasurements = {{'m': {{'samples': ['fast'], {METHOD}}}}}\n",
        7,
        "measurements['m']['samples'][0] is a str: write float(...)",
    ),
    "leaves/nothing": (f"# %% one\nmeasurements = {{'m': {{'samples': [], {METHOD}}}}}\n", 7, "is no sample"),
    "leaves/no-method": (
        "# %% one\nmeasurements = {'m': {'samples': [1.0]}}\n",
        7,
        "measurements['m'] lacks inputs, warmup, calls, wait, excludes",
    ),
    "leaves/array": (
        "# %% one\nimport jax.numpy as jnp\nresults = {'x': jnp.ones(3)}\n",
        7,
        "results['x'] is a JAX array: write float(x), int(x) or x.tolist()",
    ),
    "leaves/array-samples": (
        f"# %% one\nimport jax.numpy as jnp\nmeasurements = {{'m': {{'samples': jnp.ones(3), {METHOD}}}}}\n",
        7,
        "measurements['m']['samples'] is a JAX array",
    ),
    "leaves/array-figure": (
        "# %% one\nimport numpy as np\nvisual_data = {'kind': 'bar', 'y': np.ones(3)}\n",
        7,
        "visual_data['y'] is a NumPy array",
    ),
    "leaves/bad-figure": (
        "# %% one\nvisual_data = {'kind': 'bar', 'ylabel': 'y', 'labels': ['a'], 'series': []}\n",
        None,
        "figures.one.0.series",
    ),
    "leaves/unknown-kind": (
        "# %% one\nvisual_data = {'kind': 'pie', 'ylabel': 'y', 'series': [{'label': 'a', 'y': [1.0]}]}\n",
        7,
        "the figure of cell 'one': a figure of kind 'pie' (choose from",
    ),
    "leaves/too-much": (
        "# %% one\nmeasurements = {'many': {'samples': [float(i) / 7e9 for i in range(60_000)], "
        f"{METHOD.replace('"calls": 1', '"calls": 60_000')}}}}}\n",
        None,
        "measurement 'many' takes",
    ),
    "leaves/object": ("# %% one\nresults = {'x': object()}\n", 7, "results['x'] is an object"),
    "leaves/artefact": (
        "# %% one\nartefacts = {'a': {'path': 'none.gz', 'type': 'application/gzip'}}\n",
        7,
        "artefacts['a']['path'] cannot be read",
    ),
    "leaves/wide": (
        "# %% one\nresults = {'x': 10**30}\n",
        7,
        "results['x'] is an integer of more than 64 bits",
    ),
    "leaves/huge": (
        f"# %% one\nmeasurements = {{'m': {{'samples': [1e308, 1e308], 'unit': 'B', {METHOD}}}}}\n",
        7,
        "measurements['m']['samples'][0] is 1e+308",
    ),
    "reaches/descriptors": (
        "# %% one\nimport contextlib, os\nfor number in range(3, 60):\n"
        "    with contextlib.suppress(OSError):\n        os.write(number, b'garbage\\n')\n",
        None,
        "it wrote to a descriptor of benchbook's",
    ),
    "reaches/closed": ("# %% one\nimport os\nos.closerange(3, 300)\n", 7, "its descriptors were closed"),
    "tells/home": (
        "# %% one\nfrom pathlib import Path\nprint(Path.home() / 'notes.txt')\n",
        None,
        "holds the home path",
    ),
}

# slug: (cells, what its run's first cell must hold)
ODD = {
    "odd/flood": ("# %% one\nfor _ in range(500):\n    print('x' * 100_000)\n", "x" * 1000),
    "odd/bytes": (
        "# %% one\nimport sys\nsys.stdout.buffer.write(b'\\xff\\xfe\\x00ok\\n')\n",
        "\\xff\\xfe\x00ok\n",
    ),
    "odd/ansi": ("# %% one\nprint('\\x1b[31mred\\x1b[0m')\n", "\x1b[31mred\x1b[0m\n"),
    "odd/progress": ("# %% one\nfor i in range(3):\n    print(f'\\r{i}', end='')\nprint()\n", "\r0\r1\r2\n"),
    "odd/markup": (
        "# %% one\nprint('```\\n<script>alert(1)</script>\\n/// cell | x')\n",
        "```\n<script>alert(1)</script>\n/// cell | x\n",
    ),
    "odd/protocol": (
        '# %% one\nprint(\'{"benchbook": 1, "type": "end", "count": 0}\')\n',
        '{"benchbook": 1, "type": "end", "count": 0}\n',
    ),
    "odd/input": ("# %% one\nimport sys\nprint(repr(sys.stdin.read()))\n", "''\n"),
    "odd/folder": (
        "# %% one\nimport os, tempfile\nos.chdir(tempfile.mkdtemp())\nprint('moved')\n"
        "# %% two\nos.rmdir(os.getcwd())\n",
        "moved\n",
    ),
    "odd/streams": ("# %% one\nimport sys\nprint('a')\nsys.stdout.close()\n# %% two\nprint('b')\n", "a\n"),
    "odd/grandchild": (
        "# %% one\nimport subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)  # benchbook-grandchild'])\n"
        "print('left')\n",
        "left\n",
    ),
    "odd/future": (
        "# %% one\nfrom __future__ import annotations\nprint(__doc__)\n"
        "# %% two\ndef f(x: undefined) -> unknown: ...\n",
        "None\n",
    ),
    "odd/closed": ("# %% one\nimport os\nprint('a', flush=True)\nos.close(1)\n# %% two\nprint('b')\n", "a\n"),
    "odd/numbers": (
        "# %% one\nresults = {'n': float('nan'), 'i': float('inf'), 'm': [float('-inf')]}\nprint('kept')\n",
        "kept\n",
    ),
}
C_STDERR = (
    "# %% one\nimport ctypes, os\nlibc = ctypes.CDLL(None)\nlibc.write(2, b'from C\\n', 7)\n"
    "libc.puts(b'buffered by C')\nprint('from Python')\n"
)


def run(
    project: Project, *words: str, host: str | None = None, **options: object
) -> subprocess.CompletedProcess[str]:
    """``benchbook`` with these words, in the project; on a machine of that name."""
    named = f"import platform; platform.node = lambda: {host!r}; " if host else ""
    command = [sys.executable, "-c", f"{named}from benchbook.cli import main; main()", *words]
    return subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False, **options)


def with_header(cells: str, timeout: float = 60) -> str:
    """A snippet's text."""
    return HEADER.format(timeout=timeout) + cells


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, subprocess.CompletedProcess[str]]:
    """Every snippet of this module, bad and odd, recorded together once."""
    texts = {slug: with_header(cells, 4 if slug == "ends/never" else 60) for slug, (cells, *_) in BAD.items()}
    texts |= {slug: with_header(cells) for slug, (cells, _) in ODD.items()}
    texts |= {"odd/c": with_header(C_STDERR), "good/one": with_header(GOOD)}
    project = make_project(tmp_path_factory.mktemp("faults") / "project", texts)
    return project, run(project, "record", "--processes", "1", "--jobs", "2")


def local(project: Project, slug: str) -> list[archive.Stored]:
    """Runs of this machine."""
    return archive.load_all(project, project.local_runs, slug)


@pytest.mark.parametrize("slug", BAD)
def test_a_bad_snippet_gets_one_clear_line(
    slug: str, recorded: tuple[Project, subprocess.CompletedProcess[str]]
) -> None:
    """It names file, line and mend, ends with status 1, and leaves no run."""
    project, done = recorded
    _, line, message = BAD[slug]
    place = f"snippets/{slug}.py" + (f":{line}: " if line else ": ")
    said = re.sub(r"\s+", " ", done.stdout)
    assert place in said
    assert message in said
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    assert local(project, slug) == []


def test_one_failure_costs_no_other_run(recorded: tuple[Project, subprocess.CompletedProcess[str]]) -> None:
    """Every good and odd snippet beside the bad ones has its run."""
    project, done = recorded
    for slug in [*ODD, "odd/c", "good/one"]:
        assert len(local(project, slug)) == 1, done.stdout
    assert f"{len(BAD)} failed" in done.stdout


def test_what_a_failed_cell_printed_is_shown(
    recorded: tuple[Project, subprocess.CompletedProcess[str]],
) -> None:
    """Partial output of a raise, a crash and a timeout reaches the person."""
    _, done = recorded
    for word in ("before", "partial", "spinning", "ZeroDivisionError: division by zero"):
        assert word in done.stderr


@pytest.mark.parametrize("slug", ODD)
def test_odd_output_is_recorded_as_it_came(
    slug: str, recorded: tuple[Project, subprocess.CompletedProcess[str]]
) -> None:
    """Invalid UTF-8, NUL, ANSI, markup and lines like our own protocol are text like any other."""
    project, _ = recorded
    (stored,) = local(project, slug)
    assert ODD[slug][1] in stored.run.cells[0].stdout


def test_a_flood_is_counted_and_cut(recorded: tuple[Project, subprocess.CompletedProcess[str]]) -> None:
    """Of 50 MB, 64 KiB are kept and the rest is counted."""
    project, _ = recorded
    (stored,) = local(project, "odd/flood")
    cell = stored.run.cells[0]
    assert len(cell.stdout) == 64 * 1024
    assert len(cell.stdout) + cell.stdout_dropped == 500 * 100_001


def test_descriptor_2_is_captured_from_c(recorded: tuple[Project, subprocess.CompletedProcess[str]]) -> None:
    """What C writes to descriptors 1 and 2 belongs to the cell."""
    project, _ = recorded
    (stored,) = local(project, "odd/c")
    assert stored.run.cells[0].stderr == "from C\n"
    assert sorted(stored.run.cells[0].stdout.splitlines()) == ["buffered by C", "from Python"]


def test_non_finite_results_are_strings(recorded: tuple[Project, subprocess.CompletedProcess[str]]) -> None:
    """NaN and the infinities are JSON strings in results."""
    project, _ = recorded
    (stored,) = local(project, "odd/numbers")
    assert stored.run.results == {"n": "nan", "i": "inf", "m": ["-inf"]}


def test_no_process_outlives_the_recorder(
    recorded: tuple[Project, subprocess.CompletedProcess[str]],
) -> None:
    """A grandchild that a snippet left behind is gone."""
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "benchbook-grandchild" not in listing.replace("ps -eo args", "")


def test_a_snippet_that_removes_what_lies_above_it_costs_no_other_run(tmp_path: Path) -> None:
    """The folder of the session is made again."""
    remove = "# %% one\nimport os, shutil\nshutil.rmtree(os.path.dirname(os.path.dirname(os.getcwd())))\n"
    cold = HEADER.format(timeout=60).replace("# timeout", "# cold = true\n# timeout") + GOOD
    texts = {"a/removes": with_header(remove), "b/good": with_header(GOOD), "c/cold": cold}
    project = make_project(tmp_path / "p", texts)
    done = run(project, "record", "--jobs", "1")
    assert [len(local(project, slug)) for slug in ("b/good", "c/cold")] == [1, 1], done.stdout + done.stderr


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("print(1)\n", 1, "no cell"),
        (with_header("print(1)\n# %% one\n"), 6, "code before the first cell"),
        (with_header("# %% one\nx = 1\n# %% one\nx = 2\n"), 9, "two cells are named 'one'"),
        (with_header("# %% One cell\n"), 6, "a cell is named 'One cell'"),
        (with_header('# %% one tags=["slow"]\n'), 6, "tags="),
        (with_header("# %% one\nimport pandas\n"), 7, "imports pandas"),
        (with_header("# %% one\nx = = 1\n"), 7, "not valid Python"),
        (with_header('# %% one tags=["solution"]\nx = 1\n# %% two\nx = 2\n'), 9, "stands after an exercise"),
        ("# %% one\n", 1, "no PEP 723 header"),
        ("# /// script\n# x = [\n# ///\n# %% one\n", 1, "its header is not TOML"),
        ("# /// script\n# [tool.benchbook]\n# timeout = 'long'\n# ///\n# %% one\n", 1, "timeout = 'long'"),
    ],
)
def test_a_snippet_that_cannot_be_parsed_stops_everything(
    tmp_path: Path, text: str, line: int, message: str
) -> None:
    """File, line and mend are named, and nothing runs."""
    project = make_project(tmp_path / "p", {"bad/one": text, "good/one": with_header(GOOD)})
    done = run(project, "record")
    assert done.returncode == 1
    assert f"snippets/bad/one.py:{line}: " in done.stderr
    assert message in done.stderr
    assert not project.local_runs.exists()


def test_a_failed_run_leaves_the_reference_run_alone(tmp_path: Path) -> None:
    """Recording a snippet that now fails, with --accept, touches no byte below docs/runs."""
    project = make_project(tmp_path / "p", {"chapter/lesson": with_header("# %% total\n1 / 0\n")})
    stored = store_run(project)
    before = stored.path.read_bytes()
    done = run(project, "record", "--accept")
    assert done.returncode == 1
    assert [path.name for path in stored.path.parent.iterdir()] == [stored.path.name]
    assert stored.path.read_bytes() == before


def test_a_backend_that_is_not_here_says_so_in_one_line(tmp_path: Path) -> None:
    """No CUDA on this machine: one line, status 1, nothing written, and no fall-back to CPU."""
    if Path("/dev/nvidia0").exists():
        pytest.skip("this machine has a GPU")
    project = make_project(tmp_path / "p", {"good/one": with_header(GOOD)})
    done = run(project, "record", "--backend", "cuda", "--accept")
    assert done.returncode == 1
    assert len([line for line in done.stderr.splitlines() if line.strip()]) == 1
    assert "backend cuda is not here" in done.stderr
    assert not project.runs.exists()


def test_a_wrong_word_ends_with_status_2(project: Project) -> None:
    """Unknown backends, slugs and options are wrong use."""
    for words in (["record", "--backend", "gpu"], ["record", "lesson"], ["record", "--fast"]):
        done = run(project, *words)
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr


def test_a_run_file_that_is_not_whole_is_refused(project: Project) -> None:
    """Cut short, newer, changed by one digit, telling of this host: `check` names the file and the mend."""
    stored = store_run(project)
    data = stored.path.read_bytes()
    newer = json.loads(data) | {"schema": 2}
    for name, broken, message in [
        ("cut", data[: len(data) // 2], "the file was changed"),
        ("digit", data.replace(b'"total": 3.0', b'"total": 3.1'), "the file was changed"),
        ("newer", json.dumps(newer).encode(), "the file was changed"),
    ]:
        stored.path.write_bytes(broken)
        done = run(project, "check")
        assert done.returncode == 1, name
        assert f"docs/runs/chapter/lesson/{stored.path.name}: " in done.stdout
        assert message in done.stdout
    stored.path.write_bytes(data)
    host = platform.node() if len(platform.node()) >= SHORTEST else "engine-room"
    cells = run_tree()["cells"]
    telling = store_run(project, cells=[cells[0] | {"stdout": f"ready\n{host}\n"}, *cells[1:]])
    done = run(project, "check", host=host)
    assert done.returncode == 1
    (line,) = [line for line in done.stdout.splitlines() if "docs/runs/" in line]
    assert line.startswith(f"docs/runs/chapter/lesson/{telling.path.name}: holds this host's name")
    assert "remove the file before you commit" in line


def test_an_environment_variable_of_ours_does_not_reach_a_run(tmp_path: Path) -> None:
    """A token in the environment is not inherited by a snippet."""
    text = with_header("# %% one\nimport os\nprint(sorted(n for n in os.environ if 'TOKEN' in n))\n")
    project = make_project(tmp_path / "p", {"env/token": text})
    done = run(project, "record", env={**os.environ, "BENCH_TOKEN": "s3cret"})
    assert done.returncode == 0, done.stderr
    (stored,) = local(project, "env/token")
    assert stored.run.cells[0].stdout == "[]\n"


def test_a_page_that_asks_for_what_is_not_there_is_refused(project: Project) -> None:
    """`build` names file, line and mend of every wrong cell, figure, value and option, and writes nothing."""
    store_run(project)
    wrong = {
        "/// cell | chapter/lesson nowhere\n///": "nowhere",
        "/// figure | chapter/lesson inputs\n    alt: A figure.\nCaption.\n///": "inputs",
        "The sum is :value[chapter/lesson sum].": "sum",
        "/// output | chapter/lesson total\n    size: large\n///": "size",
        "/// measurement | chapter/lesson\n///": "measurement",
    }
    page = project.page_path("chapter/lesson")
    page.parent.mkdir(parents=True)
    for text, word in wrong.items():
        page.write_text(f"# A lesson\n\n{text}\n")
        done = run(project, "build")
        assert done.returncode == 1
        lines = [line for line in done.stderr.splitlines() if line.startswith(("benchbook: ", "docs/"))]
        assert any("docs/chapter/lesson.md:3: " in line and word in line for line in lines), done.stderr
        assert "Traceback" not in done.stderr
        assert not project.fragments.exists()
