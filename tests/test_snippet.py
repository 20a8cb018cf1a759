"""Snippets: the cells that jupytext reads, a header, and a clear line for every mistake."""

import re
from pathlib import Path

import jupytext
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbook.errors import SnippetError
from benchbook.lesson.snippet import Cell, Header, load, parse, split
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


MISTAKES = {
    "no cell": ("x = 1\n", 1, "no cell", "# %% name"),
    "code before": (HEADER + "x = 1\n# %% one\n", 4, "code before the first cell", "above it"),
    "two of a name": (
        HEADER + "# %% one\n\nx = 1\n# %% one\ny = 1\n",
        8,
        "two cells are named 'one'",
        "rename",
    ),
    "no name": (HEADER + "# %%\nx = 1\n", 4, "a cell is named ''", "a-z"),
    "capitals": (HEADER + "# %% One\nx = 1\n", 4, "a cell is named 'One'", "a-z"),
    "markdown": (HEADER + "# %% [markdown]\n# text\n", 4, "a cell is named '[markdown]'", "prose belongs"),
    "another option": (HEADER + '# %% one active="py"\n', 4, "a cell is named", "a-z"),
    "unknown tag": (HEADER + '# %% one tags=["slow"]\n', 4, 'tags=["slow"]', "known: "),
    "tags no JSON": (HEADER + "# %% one tags=['varies']\n", 4, "tags=['varies']", 'write tags=["varies"]'),
    "tags no list of texts": (HEADER + "# %% one tags=[[1]]\n", 4, "tags=[[1]]", 'write tags=["varies"]'),
    "no space": (HEADER + "# %% one\nx = 1\n#%% two\n", 6, "nearly a cell's mark", "write '# %% name'"),
    "indented": (HEADER + "# %% one\nx = 1\n  # %% two\n", 6, "nearly a cell's mark", "write '# %% name'"),
    "a cell magic": (HEADER + "# %% one\n# %%time\nx = 1\n", 5, "nearly a cell's mark", "write '# %% name'"),
    "cut in a string": (
        HEADER + "# %% one\ns = '''\n# %% two\n'''\n",
        5,
        "cell 'one' is cut",
        "after its end",
    ),
    "cut in a block": (
        HEADER + "# %% one\nif 1:\n# %% two\n    x = 1\n",
        5,
        "cell 'one' is cut",
        "after its end",
    ),
    "not Python": (HEADER + "# %% one\nx = = 1\n", 5, "not valid Python", "correct it"),
    "a NUL": (HEADER + "# %% one\nx = '\0'\n", None, "not valid Python", "correct it"),
    "an import": (HEADER + "# %% one\nimport os, pandas.io\n", 5, "imports pandas.io", "use only JAX"),
    "an import from": (
        HEADER + "# %% one\ndef f():\n    from flax import nnx\n",
        6,
        "imports flax",
        "use only",
    ),
    "a relative import": (HEADER + "# %% one\nfrom . import x\n", 5, "imports .", "use only JAX"),
    "after an exercise": (
        HEADER + '# %% one tags=["solution"]\nx = 1\n# %% two\ny = 1\n',
        7,
        "cell 'two' stands after an exercise",
        "move it up",
    ),
    "no header": ("# %% one\nx = 1\n", 1, "no PEP 723 header", "# /// script"),
    "header no TOML": ("# /// script\n# x = [\n# ///\n# %% one\n", 1, "its header is not TOML", "correct it"),
    "header no table": ("# /// script\n# tool = 1\n# ///\n# %% one\n", 1, "its header is not right", "give"),
    "dependencies no list": (
        '"""Doc."""\n# /// script\n# dependencies = "jax"\n# ///\n# %% one\n',
        2,
        "its header is not right",
        'dependencies = ["jax"]',
    ),
}
SETTINGS = (
    "tolerance = 0",
    "tolerance = nan",
    "timeout = -1",
    "timeout = inf",
    "tolerance = true",
    "cold = 1",
)


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake_names_file_line_and_mend(name: str):
    """A mistake is one error with its place and what to write instead."""
    text, line, message, mend = MISTAKES[name]
    with pytest.raises(SnippetError) as caught:
        parse(text, slug="a/b", path="snippets/a/b.py")
    assert (caught.value.path, caught.value.line) == ("snippets/a/b.py", line)
    assert message in caught.value.message
    assert mend in (caught.value.mend or "")


@pytest.mark.parametrize("setting", [*SETTINGS, "minimum-jax = 0.9", "speed = 1"])
def test_a_wrong_setting_of_the_header_is_named(setting: str):
    """Unknown names, wrong types and numbers that are no limit are refused with the setting's own words."""
    text = f"# /// script\n# [tool.benchbook]\n# {setting}\n# ///\n# %% one\nx = 1\n"
    with pytest.raises(SnippetError, match=f"^p:1: its header sets {setting.partition(' ')[0]} = "):
        parse(text, slug="a/b", path="p")


def test_the_header_sets_what_it_names_and_the_rest_stays():
    """Settings are read from the PEP 723 block, with the documented defaults."""
    text = '# /// script\n# dependencies = ["jax"]\n#\n# [tool.benchbook]\n# cold = true\n'
    text += '# minimum-jax = "0.9"\n# tolerance = 1\n# ///\n# %% one\nx = 1\n'
    expected = Header(dependencies=("jax",), tolerance=1, cold=True, timeout=120.0, minimum_jax="0.9")
    assert parse(text, slug="a/b", path="p").header == expected
    assert parse(HEADER + "# %% one\n", slug="a/b", path="p").header == Header()


@pytest.mark.parametrize(
    ("code", "measures"),
    [
        ("measurements = {}", True),
        ("measurements: dict = {}", True),
        ("measurements |= {}", True),
        ("measurements['a'] = 1", True),
        ("measurements['a']['b'] = 1", True),
        ("if True:\n    measurements = {}", True),
        ("with open('x') as f:\n    results = measurements = {}", True),
        ("def f():\n    measurements = {}", False),
        ("class A:\n    measurements = {}", False),
        ("f = lambda measurements: measurements", False),
        ("x = {}  # measurements = {}", False),
        ("print(measurements)", False),
        ("x.measurements = {}", False),
    ],
)
def test_a_snippet_measures_when_it_assigns_measurements_at_module_level(code: str, measures: bool):
    """Assignments in functions and classes, reads and comments do not count."""
    assert parse(f"{HEADER}# %% one\n{code}\n", slug="a/b", path="p").measures is measures


def test_line_ends_of_windows_are_read_as_plain_ones(tmp_path: Path):
    """A file with CRLF parses to what the same file with LF parses to."""
    path = tmp_path / "lesson.py"
    path.write_bytes(SNIPPET.replace("\n", "\r\n").encode())
    assert load(path, slug="a/b", shown="p") == parse(SNIPPET, slug="a/b", path="p")


def test_a_file_that_is_not_there_or_not_utf_8_is_named(tmp_path: Path):
    """Both are errors of the snippet, with a mend."""
    path = tmp_path / "lesson.py"
    with pytest.raises(SnippetError, match=r"^p: there is no such snippet \(benchbook new a/b\)$"):
        load(path, slug="a/b", shown="p")
    path.write_bytes(HEADER.encode() + b"# %% one\nx = '\xff'\n")
    with pytest.raises(SnippetError, match=r"^p: not UTF-8: .* \(save it as UTF-8\)$"):
        load(path, slug="a/b", shown="p")


def test_the_example_is_every_cell_but_the_exercises():
    """It is one block that runs by itself, without solutions."""
    snippet = parse(SNIPPET, slug="a/b", path="p")
    assert snippet.example == f"{snippet.cell('inputs').source}\n\n{snippet.cell('total').source}\n"
    with pytest.raises(KeyError):
        snippet.cell("nothing")
