"""A snippet: a lesson's Python file, with its header and its cells. Standard library only."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from benchbook.errors import SnippetError
from benchbook.lesson import header, tree
from benchbook.lesson.cell import Cell, check_marks, split
from benchbook.lesson.header import Header

LARGEST = 128 * 1024


@dataclass(frozen=True, slots=True)
class Snippet:
    """A parsed lesson.

    Attributes:
        slug: Its name in every tree.
        path: The file, relative to the project.
        text: The whole file.
        header: Its settings.
        cells: In file order, exercises last.
        measures: Whether it assigns ``measurements`` at module level.
    """

    slug: str
    path: str
    text: str
    header: Header
    cells: tuple[Cell, ...]
    measures: bool

    def cell(self, name: str) -> Cell:
        """The cell of that name.

        Raises:
            KeyError: There is none.
        """
        return {cell.name: cell for cell in self.cells}[name]

    @property
    def sha256(self) -> str:
        """The digest of ``text``, as runs hold it."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def example(self) -> str:
        """Every cell but the exercises, as one block that can be copied."""
        return "\n\n".join(cell.source for cell in self.cells if not cell.solution) + "\n"


def load(path: Path, *, slug: str, shown: str) -> Snippet:
    """Reads and parses one file.

    Args:
        path: The file.
        slug: Its name.
        shown: The path as messages spell it.

    Raises:
        SnippetError: As `read` and `parse`.
    """
    return parse(read(path, shown=shown, missing=f"benchbook new {slug}"), slug=slug, path=shown)


def read(path: Path, *, shown: str, missing: str = "write it") -> str:
    """The text of a file of Python, the same whichever line ends and signature an editor or git gave it.

    Args:
        path: The file.
        shown: The path as messages spell it.
        missing: What to do where there is none.

    Raises:
        SnippetError: It cannot be read, is not UTF-8, or holds a carriage return that ends no line.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError as error:
        raise SnippetError("there is no such snippet", path=shown, mend=missing) from error
    except OSError as error:
        raise SnippetError(f"cannot be read: {error.strerror}", path=shown, mend="write a file") from error
    except UnicodeDecodeError as error:
        raise SnippetError(f"not UTF-8: {error.reason}", path=shown, mend="save it as UTF-8") from error
    check_line_ends(text, shown)
    return text


def check_line_ends(text: str, path: str) -> None:
    """Refuses a carriage return, at which Python ends a line and git does not.

    Raises:
        SnippetError: There is one.
    """
    if "\r" in text:
        line = text[: text.index("\r")].count("\n") + 1
        mend = "save it with the line ends of Unix, or write '\\r' in a string"
        raise SnippetError("a carriage return without a newline", path=path, line=line, mend=mend)


def parse(text: str, *, slug: str, path: str) -> Snippet:
    """Parses a snippet's text.

    Raises:
        SnippetError: With file, line and mend.
    """
    if len(text) > LARGEST:  # which no run file can hold
        raise SnippetError(f"a snippet of {len(text)} characters", path=path, mend=f"use at most {LARGEST}")
    check_line_ends(text, path)
    check_marks(text, path)
    cells = split(text, path=path)
    settings = header.parse(text, path)
    module = tree.parse(text, path)
    tree.check_imports(module, path)
    _check_order(cells, path)
    _check_whole(cells, path)
    return Snippet(slug, path, text, settings, cells, tree.measures(module))


def _check_order(cells: tuple[Cell, ...], path: str) -> None:
    solutions = False
    for cell in cells:
        if solutions and not cell.solution:
            raise SnippetError(
                f"cell {cell.name!r} stands after an exercise", path=path, line=cell.line, mend="move it up"
            )
        solutions = cell.solution


def _check_whole(cells: tuple[Cell, ...], path: str) -> None:
    for cell in cells:
        try:
            tree.parse(cell.source, path)
        except SnippetError as error:  # the whole file is Python
            raise SnippetError(
                f"cell {cell.name!r} is cut in the middle of a statement or a string",
                path=path,
                line=cell.line,
                mend="put the next '# %%' line after its end",
            ) from error
