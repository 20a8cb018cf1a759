"""Notebooks: code from the snippet, outputs from the run, nothing else, and they run."""

import html
import json
import re
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from benchbook.building import builder, derived, shelf
from benchbook.building.site import BuildError
from benchbook.lesson import exercise, snippet
from benchbook.lesson.snippet import Snippet
from benchbook.project import Project
from benchbook.recording.comparison import same_text
from tests.built import PROJECT
from tests.factory import SNIPPET, make_project, run_tree, store_run

SLUG = "chapter/lesson"
PAGE = """\
---
title: A lesson
order: 2
---
# A lesson

/// figure | chapter/lesson total
    alt: Two bars of 3.
Both sums are equal.
///
"""
COMMENTS = ["# ls", "# %time", "# !pip install jax", "# %matplotlib inline", "# cd ..", "# help(x)?"]


@pytest.fixture
def lesson(project: Project) -> Project:
    """A project with a page and a run."""
    project.page_path(SLUG).parent.mkdir()
    project.page_path(SLUG).write_text(PAGE)
    store_run(project)
    return project


def _made(project: Project) -> dict[str, bytes]:
    """Every notebook that is derived, by its name below ``docs/``."""
    files = derived.derive(project, local=False, kept=())
    return {name.removeprefix("docs/"): data for name, data in files.items() if name.endswith(".ipynb")}


def _read(data: bytes) -> NotebookNode:
    notebook = nbformat.reads(data.decode(), as_version=4)
    nbformat.validate(notebook)
    return notebook


def _notebook(project: Project, slug: str = SLUG) -> NotebookNode:
    return _read(_made(project)[shelf.path(slug)])


def _code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _words(notebook: NotebookNode) -> str:
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def _printed(cell: NotebookNode, name: str = "stdout") -> str:
    streams = (output for output in cell.outputs if output.output_type == "stream")
    return "".join(output.text for output in streams if output.name == name)


def _parsed(project: Project, slug: str = SLUG) -> Snippet:
    path = project.snippet_path(slug)
    return snippet.load(path, slug=slug, shown=project.relative(path))


def _edit(project: Project, old: str, new: str) -> None:
    path = project.snippet_path(SLUG)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_a_notebook_says_what_it_is_and_where_its_outputs_come_from(lesson: Project):
    """Title, lesson, how to install, and the run with all that a page says of it."""
    words = _words(_notebook(lesson))
    run = next(lesson.runs.rglob("*.json")).name[-17:-5]
    assert words.startswith("# A lesson\n\nA small lesson.")
    assert "[the lesson](../../chapter/lesson/)" in words
    assert "pip install jax" in words
    for fact in ("cpu", "A CPU", "JAX 0.12.0", "2026-01-02", "5 processes, output of the first"):
        assert fact in words
    assert f"run [{run}](../../runs/chapter/lesson/#run-{run})" in words


def test_a_notebook_that_counts_compilations_says_that_each_cell_counts_once(lesson: Project):
    """A kernel that has met the code counts less; a notebook that counts nothing says nothing."""
    assert "fresh kernel" not in _words(_notebook(lesson))
    _edit(lesson, "# [tool.benchbook]\n", "# [tool.benchbook]\n# cold = true\n")
    assert "run its cells once, in their order, in a fresh kernel" in _words(_notebook(lesson))


def test_each_cell_is_there_under_its_name(lesson: Project):
    """In the snippet's order, with a heading, tags, and what the run printed."""
    cells = {cell.metadata.name: cell for cell in _code(_notebook(lesson))}
    assert list(cells) == ["inputs", "total", "exercise"]
    assert [cell.id for cell in cells.values()] == list(cells)
    assert [cell.source for cell in cells.values()][:2] == [cell.source for cell in _parsed(lesson).cells][:2]
    assert [_printed(cell) for cell in cells.values()] == ["", "total 3.0\n", ""]
    assert "## inputs\n\n## total" in _words(_notebook(lesson))


def test_the_figure_is_the_drawn_one_on_white_paper(lesson: Project):
    """The recorded drawing stands below the cell that left it, with the words of the lesson's page for it."""
    files = derived.derive(lesson, local=False, kept=())
    drawn = next(data for name, data in files.items() if name.endswith("total.light.svg"))
    output = _code(_notebook(lesson))[1].outputs[-1]
    assert output.output_type == "display_data"
    assert output.data["text/plain"] == "Two bars of 3."
    paper = '\n <rect width="100%" height="100%" fill="#fff"/>'
    assert paper in output.data["image/svg+xml"]
    assert output.data["image/svg+xml"].replace(paper, "") == drawn.decode()


def test_a_drawing_that_lies_right_is_not_drawn_again(lesson: Project):
    """It is read from where it lies, and the notebook is the same."""
    builder.build(lesson)
    first = _made(lesson)
    kept = {lesson.relative(path) for path in lesson.docs.rglob("*.svg")}
    files = derived.derive(lesson, local=False, kept=kept)
    assert {name: data for name, data in files.items() if name.endswith(".ipynb")} == {
        f"docs/{name}": data for name, data in first.items()
    }


def test_an_exercise_is_a_starter_that_stops_nobody(lesson: Project):
    """The solution is nowhere in it; the starter has no output, and may raise without ending a run."""
    starter = _code(_notebook(lesson))[-1]
    assert starter.source == exercise.starters(_parsed(lesson))["exercise"]
    assert starter.source.startswith("doubled = ...  # TODO")
    assert starter.metadata.tags == ["exercise", "raises-exception"]
    assert starter.outputs == []
    assert "2 * x" not in json.dumps(_notebook(lesson))


def test_no_comment_becomes_a_command(project: Project):
    """What other tools take for magics stays a comment, letter by letter; the header stays out."""
    source = "\n".join(COMMENTS) + "\nx = '''\n%time\n!ls\n'''"
    _edit(project, "import jax.numpy as jnp", f"{source}\nimport jax.numpy as jnp")
    cell = _code(_notebook(project))[0]
    assert cell.source.startswith(source)
    text = project.snippet_path(SLUG).read_text()
    assert "# %time" not in jupytext.reads(text, fmt="py:percent").cells[1].source  # this is the danger
    assert "/// script" not in json.dumps(_notebook(project))
    options = {"extension": ".py", "format_name": "percent", "comment_magics": False}
    cells = [cell for cell in jupytext.reads(text, fmt=options).cells if cell.cell_type == "code"]
    assert [cell.source for cell in _code(_notebook(project))[:2]] == [cell.source for cell in cells[1:3]]


def test_a_changed_cell_has_no_output_and_says_so(lesson: Project):
    """What the run still stands for keeps its output; from the first changed cell on there is none."""
    _edit(lesson, 'print("total", total)', 'print("sum", total)')
    notebook = _notebook(lesson)
    assert [cell.outputs for cell in _code(notebook)] == [[], [], []]
    assert _words(notebook).count("**No output is shown:**") == 1
    _edit(lesson, "jnp.arange(3.0)", "jnp.arange(4.0)")
    assert _words(_notebook(lesson)).count("**No output is shown:**") == 2


def test_a_lesson_without_a_run_has_a_notebook(project: Project):
    """Its cells are there without outputs, and it says why; without a page it leads to none."""
    notebook = _notebook(project)
    assert [cell.outputs for cell in _code(notebook)] == [[], [], []]
    assert "No run of this code is recorded yet" in _words(notebook)
    assert "](" not in _words(notebook)
    assert list(_made(project)) == [shelf.path(SLUG)]


def test_the_run_on_cpu_comes_first(lesson: Project):
    """Another backend's run is shown only where there is none on cpu."""
    printed = run_tree()["cells"]
    printed[1]["stdout"] = "total 4.0\n"
    store_run(
        lesson, backend="cuda", cells=printed, started="2026-01-03T00:00:00Z", ended="2026-01-03T00:00:09Z"
    )
    assert _printed(_code(_notebook(lesson))[1]) == "total 3.0\n"
    next(lesson.runs.rglob("cpu-*.json")).unlink()
    assert _printed(_code(_notebook(lesson))[1]) == "total 4.0\n"
    assert "recorded: cuda" in _words(_notebook(lesson))


def test_recorded_text_is_data(project: Project):
    """Neither a device's name nor what was printed is Markdown or a command of a terminal."""
    tree: dict[str, Any] = run_tree()
    tree["hardware"]["cpu"]["model"] = "[x](http://a) <b>$1$ `c`"
    tree["cells"][1] |= {"stdout": "\x1b[31mred\x1b[0m <i>\n", "stderr": "careful\n", "stderr_dropped": 7}
    store_run(project, **{name: tree[name] for name in ("hardware", "cells")})
    notebook = _notebook(project)
    provenance = next(cell.source for cell in notebook.cells if cell.id == "Provenance")
    assert html.unescape(provenance).count(tree["hardware"]["cpu"]["model"]) == 1
    assert re.findall(r"\[x\]|<b>|\$1", provenance) == []
    cell = _code(notebook)[1]
    assert (_printed(cell), _printed(cell, "stderr")) == ("red <i>\n", "careful\n")
    assert "7 more bytes were printed" in _words(notebook)


def test_the_same_lesson_gives_the_same_bytes(lesson: Project, tmp_path: Path):
    """In another folder, at another time: no moment, no counter and no path is in it."""
    other = make_project(tmp_path / "other")
    other.page_path(SLUG).parent.mkdir()
    other.page_path(SLUG).write_text(PAGE)
    store_run(other)
    assert _made(lesson) == _made(other)
    cells = _code(_notebook(lesson))
    assert {cell.execution_count for cell in cells} == {None}
    assert {key for cell in cells for key in cell.metadata} == {"name", "tags"}


def test_ids_are_of_the_format_whatever_a_cell_is_named(project: Project):
    """A name that is too long for an id is cut, and stays apart from the others."""
    long = "a" * 90
    _edit(
        project,
        "# %% total",
        f"# %% {long}1\nx = x\n\n# %% {long}2\nx = x\n\n# %% title\nx = x\n\n# %% total",
    )
    ids = [cell.id for cell in _notebook(project).cells]
    assert len(ids) == len(set(ids))
    assert max(map(len, ids)) == 64


def test_links_are_whole_where_the_address_is_known(lesson: Project, monkeypatch: pytest.MonkeyPatch):
    """A file leaves the site, so its links name it; those of a page start from the page."""
    (lesson.root / "mkdocs.yml").write_text("site_url: https://example.org/jax\n")
    made = _made(lesson)
    assert "[the lesson](https://example.org/jax/chapter/lesson/)" in _words(_read(made[shelf.path(SLUG)]))
    page = _words(_read(made[shelf.page_path(SLUG)]))
    assert "[the lesson](../../../chapter/lesson/)" in page
    assert "https://" not in page
    monkeypatch.setenv("PUBLISHED", "someone/somewhere@gh-pages")
    published = make_project(lesson.root)
    colab = "https://colab.research.google.com/github/someone/somewhere/blob/gh-pages/notebooks/chapter/lesson.ipynb"
    assert colab in _words(_read(_made(published)[shelf.page_path(SLUG)]))


def test_one_notebook_of_each_chapter_is_a_page(tmp_path: Path):
    """The first by order, and the same cells as the file's, below settings that keep it out of search."""
    orders = {"a/late": 3, "a/early": 1, "a/middle": 2, "b/only": 9, "c/pageless": None}
    project = make_project(tmp_path, dict.fromkeys(orders, SNIPPET))
    for slug, order in orders.items():
        if order is not None:
            project.page_path(slug).parent.mkdir(exist_ok=True)
            project.page_path(slug).write_text(f"---\ntitle: {slug}\norder: {order}\n---\n# {slug}\n")
    made = _made(project)
    assert [name for name in made if name.endswith("index.ipynb")] == [
        shelf.page_path("a/early"),
        shelf.page_path("b/only"),
    ]
    file, page = (_read(made[path("b/only")]) for path in (shelf.path, shelf.page_path))
    assert "search:\n  exclude: true" in page.cells[0].source
    assert [cell.id for cell in page.cells if cell.id not in ("Settings", "Offer")] == [
        c.id for c in file.cells
    ]
    assert _code(page) == _code(file)


def test_a_wrong_starter_is_told_once(project: Project):
    """A lesson whose fragment cannot be made is reported by that, and gets no notebook."""
    _edit(project, "doubled = 2 * x  # TODO", "print(x)  # TODO")
    with pytest.raises(BuildError) as caught:
        builder.build(project)
    assert [problem.message.partition(":")[0] for problem in caught.value.problems] == [
        "no starter can be derived"
    ]


@pytest.fixture(scope="module")
def committed(site: Path) -> dict[str, bytes]:
    """The notebooks of the site's own lessons, from their drawings as they lie."""
    assert site.exists()  # and the checkout is built
    kept = {PROJECT.relative(path) for path in (PROJECT.docs / "figures").rglob("*.svg")}
    files = derived.derive(PROJECT, local=False, kept=kept)
    return {name.removeprefix("docs/"): data or b"" for name, data in files.items()}


@pytest.mark.parametrize("slug", PROJECT.slugs())
def test_page_and_notebook_agree(slug: str, committed: dict[str, bytes]):
    """The code is the snippet's, cell by cell, and each output that the page shows stands below its cell."""
    notebook, lesson = _read(committed[shelf.path(slug)]), _parsed(PROJECT, slug)
    cells = {cell.metadata.name: cell for cell in _code(notebook)}
    told = [cells[cell.name].source for cell in lesson.cells if not cell.solution]
    assert "\n\n".join(told) + "\n" == lesson.example
    fragment = json.loads(committed[f".benchbook/fragments/{slug}.json"])
    exhibit = fragment["runs"][notebook.metadata.benchbook.run]
    shown = [
        (entry["name"], stream, html.unescape(re.sub(r"<[^>]+>", "", entry[stream])))
        for entry in exhibit["cells"]
        for stream in ("stdout", "stderr")
        if entry[stream] and not entry["solution"] and entry["name"] in exhibit["fresh"]
    ]
    assert shown
    assert [(n, s, _printed(cells[n], s).rstrip("\n")) for n, s, _ in shown] == shown
    figures = [
        name for name, cell in cells.items() if any(o.output_type == "display_data" for o in cell.outputs)
    ]
    assert figures == [cell.name for cell in lesson.cells if cell.name in exhibit["figures"]]


def test_a_notebook_runs_whole_and_alone(
    committed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """In a fresh kernel the recorded outputs come again, but where they vary, and starters stop nothing."""
    slug = "jit/compile"
    for name in ("JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    recorded = _read(committed[shelf.path(slug)])
    notebook = _read(committed[shelf.path(slug)])
    for cell in _code(notebook):
        cell.outputs = []
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    tolerance = _parsed(PROJECT, slug).header.tolerance
    compared = 0
    for old, new in zip(_code(recorded), _code(notebook), strict=True):
        tags = new.metadata.get("tags", [])
        failed = [output.ename for output in new.outputs if output.output_type == "error"]
        assert bool(failed) == ("exercise" in tags), (new.id, failed)
        if not {"exercise", "varies"} & set(tags):
            assert same_text(_printed(old), _printed(new), tolerance=tolerance), new.id
            compared += bool(_printed(new))
    assert compared >= 5
