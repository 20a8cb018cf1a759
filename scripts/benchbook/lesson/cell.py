"""A cell: the part of a snippet under one ``# %% name`` line.

The format is jupytext's py:percent; a test proves that jupytext reads the same cells. Cutting them here
keeps the build light: jupytext imports nbformat, which takes longer than everything else a build does.
"""

import ast
import json
import re
from dataclasses import dataclass

from benchbook.errors import SnippetError
from benchbook.lesson import tree

MARK = re.compile(r"# %%(?:[ \t]+(?P<title>[^ \t].*)?)?$")
NEARLY = re.compile(r"[ \t]*#[ \t]*(?:%%|<(?:code|markdown)cell>)")  # other tools cut a file there too
TAGS = re.compile(r"^(?P<name>.*?)\btags=(?P<tags>\[.*\])$")
NAME = re.compile(r"[a-z][a-z0-9_-]*")
KNOWN_TAGS = ("varies", "solution")


@dataclass(frozen=True, slots=True)
class Cell:
    """The part under one ``# %% name`` line.

    Attributes:
        name: Unique in the file.
        tags: Of ``varies`` and ``solution``.
        source: The text, without the mark and without blank lines at either end.
        line: The 1-based line on which ``source`` starts.
    """

    name: str
    tags: tuple[str, ...]
    source: str
    line: int

    @property
    def varies(self) -> bool:
        """Whether what it prints differs from run to run."""
        return "varies" in self.tags

    @property
    def solution(self) -> bool:
        """Whether it is an exercise's reference solution."""
        return "solution" in self.tags


def split(text: str, *, path: str) -> tuple[Cell, ...]:
    """Cuts a text at its ``# %% name`` lines.

    Raises:
        SnippetError: There is no cell, code stands before the first one, or a name or tag is not right.
    """
    lines = text.split("\n")
    marks = [(number, MARK.match(line)) for number, line in enumerate(lines)]
    starts = [(number, match) for number, match in marks if match]
    if not starts:
        raise SnippetError("no cell", path=path, line=1, mend="start one with a line '# %% name'")
    _check_preamble("\n".join(lines[: starts[0][0]]), path)
    ends = [number for number, _ in starts[1:]] + [len(lines)]
    cells = tuple(
        _cell((match["title"] or "").rstrip(" \t"), lines[start + 1 : end], start + 1, path)
        for (start, match), end in zip(starts, ends, strict=True)
    )
    seen: set[str] = set()
    for cell in cells:
        if cell.name in seen:
            raise SnippetError(
                f"two cells are named {cell.name!r}", path=path, line=cell.line, mend="rename one"
            )
        seen.add(cell.name)
    return cells


def _cell(title: str, body: list[str], mark_line: int, path: str) -> Cell:
    match = TAGS.match(title)
    name = (match.group("name") if match else title).strip()
    tags = _tags(match.group("tags"), path, mark_line) if match else ()
    if not NAME.fullmatch(name):
        raise SnippetError(
            f"a cell is named {name!r}",
            path=path,
            line=mark_line,
            mend="name it with a-z, 0-9, _ or -, as in '# %% losses'; prose belongs in the page",
        )
    blank = next((index for index, line in enumerate(body) if line.strip()), 0)
    return Cell(name, tags, "\n".join(body[blank:]).rstrip(), mark_line + 1 + blank)


def _tags(text: str, path: str, line: int) -> tuple[str, ...]:
    try:
        tags = json.loads(text)
    except (ValueError, RecursionError):  # no JSON, or absurd numbers and nesting
        tags = None
    if not isinstance(tags, list) or not all(tag in KNOWN_TAGS for tag in tags):
        raise SnippetError(
            f"tags={text}", path=path, line=line, mend=f'write tags=["varies"]; known: {KNOWN_TAGS}'
        )
    return tuple(sorted(tags))


def check_marks(text: str, path: str) -> None:
    """Proves that no other tool would cut the text in more places.

    Raises:
        SnippetError: A line is nearly a mark.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        if NEARLY.match(line) and not MARK.match(line):
            raise SnippetError("nearly a cell's mark", path=path, line=number, mend="write '# %% name'")


def _check_preamble(text: str, path: str) -> None:
    for node in tree.parse(text, path).body:
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            raise SnippetError(
                "code before the first cell", path=path, line=node.lineno, mend="put '# %% name' above it"
            )
