"""The text program: everything in one file, for any Python from 3.11 on, with nothing around it."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook.project import Project
from benchbook.recording import program
from benchbook.worker.wire import Frame, decode
from tests.recording import plan_for, snippet_text

TEXT = "'''\"\"\"\\ \\n {json} é \u2028 \x7f 😀"
CELLS = (
    f"# %% one\nimport os\ntext = {TEXT!a}\nprint(text)\n# %% two\nprint(__file__, sorted(os.listdir()))\n"
)


def python(version: str) -> str:
    """A Python of that version, or the reason why there is none."""
    places = [shutil.which(f"python{version}")]
    places += sorted(map(str, (Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python")))
    for place in places:
        words = [place, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if (
            place
            and subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip() == version
        ):
            return place
    pytest.skip(f"Python {version} is not here")


def answers(
    command: list[str], text: str, folder: Path
) -> tuple[list[Frame], subprocess.CompletedProcess[bytes]]:
    """What the program answers in an empty environment but for its folder of temporary files."""
    done = subprocess.run(
        [*command, "-"],
        input=text.encode(),
        cwd=folder,
        env={"TMPDIR": str(folder)},
        capture_output=True,
        check=False,
    )
    return [frame for frame in map(decode, done.stdout.splitlines()) if frame is not None], done


def test_the_program_needs_nothing_around_it(project: Project, tmp_path: Path):
    """An isolated interpreter, an empty environment, another folder: a whole run, and nothing left behind."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    text = program.text(plan_for(snippet_text(CELLS), project))
    frames, done = answers([sys.executable, "-I"], text, folder)
    assert [frame["type"] for frame in frames] == ["session", "process", "end"], done.stderr
    assert (frames[1]["kind"], frames[1]["detail"]) == ("completed", "")
    assert frames[1]["cells"][0]["stdout"] == f"{TEXT}\n"
    assert frames[1]["cells"][1]["stdout"] == "snippets/chapter/lesson.py ['snippets']\n"
    assert frames[2]["count"] == 2
    assert list(folder.iterdir()) == []
    assert done.returncode == 0


def test_python_3_11_gets_as_far_as_asking_for_jax(project: Project, tmp_path: Path):
    """On the oldest Python that is promised, the worker itself works; only JAX is missing there."""
    old = python("3.11")
    if subprocess.run([old, "-I", "-c", "import jax"], capture_output=True, check=False).returncode == 0:
        pytest.skip("that Python has JAX")
    frames, done = answers([old, "-I"], program.text(plan_for(snippet_text(CELLS), project)), tmp_path)
    assert [frame["type"] for frame in frames] == ["session", "end"], done.stderr
    assert frames[0]["refusal"] == "JAX cannot start 'cpu': ModuleNotFoundError: No module named 'jax'"
    assert frames[0]["machine"]["python"].startswith("3.11.")
    assert frames[0]["machine"]["clock"] == {}


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10"])
def test_an_older_python_gets_one_line(version: str, project: Project, tmp_path: Path):
    """No traceback about syntax that it does not know."""
    frames, done = answers(
        [python(version), "-I"], program.text(plan_for(snippet_text(CELLS), project)), tmp_path
    )
    assert frames == []
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith(f"benchbook's worker needs Python 3.11 or newer; this is {version}.")
    assert done.returncode == 1


def test_the_worker_is_of_the_standard_library():
    """Its modules import nothing else, but for JAX inside the functions that look at it."""
    for name, text in program.sources().items():
        tree = ast.parse(text)
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for imported in names:
                root = imported.partition(".")[0]
                assert root in {*sys.stdlib_module_names, "benchbook", "jax"}, name
                assert root != "benchbook" or imported.startswith("benchbook.worker"), name
                assert root != "jax" or node not in tree.body, name


def test_the_program_is_the_same_each_time_and_says_what_it_is(project: Project):
    """One plan has one text; its digest is of the worker's code alone."""
    plan = plan_for(snippet_text(CELLS), project)
    text = program.text(plan)
    assert text == program.text(plan)
    assert plan["program"] == program.digest()
    other = plan_for(snippet_text("# %% one\n"), project)
    assert other["program"] == plan["program"]
    assert program.text(other) != text
    assert text.isascii()
    assert "python3 FILE.py > results.jsonl" in (ast.get_docstring(ast.parse(text)) or "")


def test_a_snippet_cannot_end_the_literal_that_carries_it(project: Project):
    """Quotes and backslashes stay in the plan: the program is a call of two literals, whatever is in them."""
    evil = snippet_text("# %% one\ns = '''\\'''\n\"'); import os; os._exit(9)  # '''\n")
    call = ast.parse(program.text(plan_for(evil, project))).body[-1]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    sources, plan = (json.loads(ast.literal_eval(part.args[0])) for part in call.value.args)
    assert sources == program.sources()
    assert plan["jobs"][0]["text"] == evil
