"""Cells: cut where jupytext cuts them, and known by the line on which they stand."""

import re
from pathlib import Path

import jupytext
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbook.errors import SnippetError
from benchbook.lesson.cell import Cell, split
from benchbook.lesson.snippet import parse
from benchbook.project import find
from tests.factory import SNIPPET

ROOT = Path(__file__).parents[1]
HEADER = "# /// script\n# dependencies = []\n# ///\n"
TRICKY = {
    "blank lines": "# %% one\n\n\nx = 1\n\n\n\n# %% two\n\n  \ny = 2\n\n\n",
    "tags": '# %% one tags=["varies"]\nx = 1\n# %% two tags=["varies", "solution"]  \ny = 2\n',
    "spaces about a name": "# %%   one   \nx = 1\n# %%\ttwo\ny = 2\n",
    "only a comment": "# %% one\n# nothing here\n# %% two\n# a word\ny = 2\n",
    "an empty cell": "# %% one\n# %% two\n\n# %% three\n",
    "a mark after code": "# %% one\nx = 1  # %% two\n",
    "marks of other formats": "# %% one\nx = 1\n# In [1]:\n# +\ny = 2\n# -\n",
    "blank lines in a string": "# %% one\ns = '''a\n\n\n\nb\n'''\n# %% two\nt = 1\n",
    "decorators": "# %% one\nimport jax\n\n\n@jax.jit\ndef f():\n\n    return 1\n\n\n# %% two\nf()\n",
    "no newline at the end": "# %% one\nx = 1",
    "a docstring before": '"""What it is about.\n\nAnd more.\n"""\n\n# %% one\nx = 1\n',
}


def as_jupytext_reads(text: str) -> list[tuple[str, tuple[str, ...], str]]:
    """Name, tags and source of every cell; the part before the first mark has no name and is left out."""
    cells = jupytext.reads(text, fmt="py:percent").cells
    assert all(cell.cell_type == "code" for cell in cells)
    return [
        (
            cell.metadata["title"],
            tuple(sorted(cell.metadata.get("tags", []))),
            re.sub(r"\A(?:[ \t]*\n)+", "", cell.source).rstrip(),
        )
        for cell in cells
        if "title" in cell.metadata
    ]


def as_we_read(cells: tuple[Cell, ...]) -> list[tuple[str, tuple[str, ...], str]]:
    """The same of our own cells."""
    return [(cell.name, cell.tags, cell.source) for cell in cells]


@pytest.mark.parametrize("slug", find(ROOT).slugs())
def test_jupytext_reads_the_same_cells_of_every_lesson(slug: str):
    """Names, tags and sources of the site's snippets are those that jupytext finds."""
    text = find(ROOT).snippet_path(slug).read_text(encoding="utf-8")
    assert as_we_read(split(text, path=slug)) == as_jupytext_reads(text)


@pytest.mark.parametrize("name", TRICKY)
def test_jupytext_reads_the_same_cells_of_tricky_files(name: str):
    """Blank lines, tags, comments, strings and empty cells are cut where jupytext cuts them."""
    text = HEADER + TRICKY[name]
    assert as_we_read(parse(text, slug="a/b", path="p").cells) == as_jupytext_reads(text)


GOOD = ["", "  ", "x = 1", "# a word", "# %% {}", '# %% {} tags=["varies"]', "def f():\n    return 1"]
ODD = [
    "'''",
    "if x:",
    "#%% {}",
    "  # %% {}",
    "# %%% {}",
    "#  %% {}",
    "# %%{}",
    "# <codecell>",
    "# %% [markdown]",
]
LINES = st.sampled_from([*GOOD, *GOOD, *GOOD, *ODD])


@settings(deadline=None)  # the machine may be busy
@given(st.lists(LINES, max_size=12))
def test_jupytext_reads_the_same_cells_of_whatever_is_accepted(lines: list[str]):
    """Any file that `parse` accepts is cut as jupytext cuts it; one that they read differently is refused."""
    numbered = [line.format(f"cell{number}") for number, line in enumerate(lines)]
    text = "\n".join([HEADER + "# %% first", *numbered])
    try:
        cells = parse(text, slug="a/b", path="p").cells
    except SnippetError:
        return
    assert as_we_read(cells) == as_jupytext_reads(text)


def test_a_cells_source_stands_on_the_line_it_names():
    """`line` is the 1-based line of the file on which the source starts."""
    for cell in split(SNIPPET, path="p"):
        rows = cell.source.split("\n")
        assert SNIPPET.split("\n")[cell.line - 1 : cell.line - 1 + len(rows)] == rows
