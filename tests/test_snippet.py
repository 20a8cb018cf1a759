"""Snippets: a clear line for every mistake, and one reading of a file however it is stored."""

from pathlib import Path

import pytest

from benchbook.errors import SnippetError
from benchbook.lesson.snippet import load, parse
from tests.factory import SNIPPET

HEADER = "# /// script\n# dependencies = []\n# ///\n"
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
    "too deep": (
        HEADER + f"# %% one\nx = {'-' * 100_000}1\n",
        None,
        "nested too deeply for Python to parse",
        "use shorter expressions",
    ),
    "tags too deep": (HEADER + f"# %% one tags={'[' * 100_000}]\n", 4, "tags=[[", 'write tags=["varies"]'),
    "tags too large": (HEADER + f"# %% one tags=[{'1' * 5_000}]\n", 4, "tags=[11", 'write tags=["varies"]'),
    "header too deep": (
        f"# /// script\n# x = {'[' * 9_000}\n# ///\n# %% one\n",
        1,
        "its header is not TOML",
        "correct it",
    ),
    "header too large": (
        f"# /// script\n# x = {'1' * 5_000}\n# ///\n# %% one\n",
        1,
        "its header is not TOML",
        "correct it",
    ),
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


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake_names_file_line_and_mend(name: str):
    """A mistake is one error with its place and what to write instead."""
    text, line, message, mend = MISTAKES[name]
    with pytest.raises(SnippetError) as caught:
        parse(text, slug="a/b", path="snippets/a/b.py")
    assert (caught.value.path, caught.value.line) == ("snippets/a/b.py", line)
    assert message in caught.value.message
    assert mend in (caught.value.mend or "")


def test_line_ends_of_windows_are_read_as_plain_ones(tmp_path: Path):
    """A file with CRLF parses to what the same file with LF parses to."""
    path = tmp_path / "lesson.py"
    path.write_bytes(SNIPPET.replace("\n", "\r\n").encode())
    assert load(path, slug="a/b", shown="p") == parse(SNIPPET, slug="a/b", path="p")


def test_a_signature_of_utf_8_is_no_part_of_a_snippet(tmp_path: Path):
    """What an editor of Windows writes before the first letter changes no digest."""
    path = tmp_path / "lesson.py"
    path.write_bytes(b"\xef\xbb\xbf" + SNIPPET.encode())
    assert load(path, slug="a/b", shown="p") == parse(SNIPPET, slug="a/b", path="p")


def test_a_carriage_return_in_a_text_from_elsewhere_is_named():
    """A stranger's results hold a snippet's text, which was never a file here."""
    with pytest.raises(SnippetError, match=r"^p:2: a carriage return without a newline"):
        parse("# %% one\nx = 1\ry = 2\n", slug="a/b", path="p")


def test_a_carriage_return_within_a_line_is_named(tmp_path: Path):
    """Python would end a line there and an editor would not; mixed ends of lines are read."""
    path = tmp_path / "lesson.py"
    path.write_bytes(SNIPPET.encode().replace(b"\n", b"\r\n", 3))
    assert load(path, slug="a/b", shown="p").text == SNIPPET
    path.write_bytes(SNIPPET.encode().replace(b"\nx = ", b"\r\nx\r = "))
    with pytest.raises(SnippetError, match=r"^p:12: a carriage return without a newline \(save it with"):
        load(path, slug="a/b", shown="p")
    path.write_bytes(SNIPPET.encode().replace(b"\n", b"\r"))
    with pytest.raises(SnippetError, match=r"^p:1: a carriage return"):
        load(path, slug="a/b", shown="p")


def test_a_file_that_is_not_there_or_not_utf_8_is_named(tmp_path: Path):
    """All are errors of the snippet, with a mend; so is a folder."""
    path = tmp_path / "lesson.py"
    with pytest.raises(SnippetError, match=r"^p: there is no such snippet \(benchbook new a/b\)$"):
        load(path, slug="a/b", shown="p")
    path.mkdir()
    with pytest.raises(SnippetError, match=r"^p: cannot be read: .* \(write a file\)$"):
        load(path, slug="a/b", shown="p")
    path.rmdir()
    path.write_bytes(HEADER.encode() + b"# %% one\nx = '\xff'\n")
    with pytest.raises(SnippetError, match=r"^p: not UTF-8: .* \(save it as UTF-8\)$"):
        load(path, slug="a/b", shown="p")


def test_the_example_is_every_cell_but_the_exercises():
    """It is one block that runs by itself, without solutions."""
    snippet = parse(SNIPPET, slug="a/b", path="p")
    assert snippet.example == f"{snippet.cell('inputs').source}\n\n{snippet.cell('total').source}\n"
    with pytest.raises(KeyError):
        snippet.cell("nothing")
