"""Snippets: the file of a lesson, or the text that a results file says was run."""

import ast
import re

from benchbook import listing
from benchbook.errors import SnippetError
from benchbook.freshness import fresh_cells, stands_for
from benchbook.lesson import exercise, snippet
from tests.factory import SNIPPET
from tests.fuzzing.seeds import SMALL, pieces, snippets
from tests.fuzzing.target import refusing

SHORT = 100  # characters of a listing: colours are slow
HEADER = (
    '# /// script\n# dependencies = ["jax"]\n# [tool.benchbook]\n# tolerance = 1e-5\n# cold = true\n# ///\n'
)


def take(data: bytes) -> None:
    """Parses a text, and derives from it what a build derives."""
    text = data.decode("utf-8", "surrogateescape")
    with refusing():
        _check(snippet.parse(text, slug="chapter/lesson", path="snippets/chapter/lesson.py"))


def _check(found: snippet.Snippet) -> None:
    names = [cell.name for cell in found.cells]
    assert names
    assert len(set(names)) == len(names)
    assert fresh_cells(found.text, found.cells) == set(names)
    assert stands_for(found.text, found.cells)
    assert len(found.sha256) == 64
    assert 0 < float(found.header.timeout) < float("inf")
    assert 0 < float(found.header.tolerance) < float("inf")
    lines = found.text.split("\n")
    for cell in found.cells:
        assert not cell.source or lines[cell.line - 1].startswith(cell.source.split("\n")[0])
    source = found.cells[0].source[:SHORT].replace("\r", "\n").removeprefix("\ufeff")
    assert "".join(text for _, text in listing.pieces(source)) == source
    try:
        starters = exercise.starters(found)
    except SnippetError:
        return
    for text in starters.values():
        ast.parse(text)


def seeds() -> list[bytes]:
    """The repository's own, cell by cell, each with its header."""
    found = {SNIPPET, HEADER + '# %% a tags=["varies"]\nx = 1\n'}
    for text in snippets():
        head, *cells = re.split(r"(?m)^(?=# %%)", text)
        found |= {head + cell for cell in cells if len(head + cell) <= SMALL}
        found |= set(pieces(text, "\n\n"))
    return [text.encode() for text in sorted(found)]
