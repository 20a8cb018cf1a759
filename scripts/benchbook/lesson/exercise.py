"""The exercises of a lesson: what a learner begins each one with."""

from benchbook.errors import SnippetError
from benchbook.lesson import starter
from benchbook.lesson.cell import Cell
from benchbook.lesson.snippet import Snippet


def starters(snippet: Snippet) -> dict[str, str]:
    """The starter of each exercise that has a ``# TODO: ...``, by the name of its cell, in file order.

    Raises:
        SnippetError: A ``# TODO: ...`` belongs to nothing that a learner could write.
    """
    exercises = (cell for cell in snippet.cells if cell.solution and _has_todo(cell))
    return {cell.name: _starter(cell, snippet.path) for cell in exercises}


def _has_todo(cell: Cell) -> bool:
    return any(starter.TODO.search(line) for line in cell.source.splitlines())


def _starter(cell: Cell, path: str) -> str:
    try:
        return starter.derive(cell.source)
    except ValueError as error:
        raise SnippetError(
            f"no starter can be derived: {error}",
            path=path,
            line=cell.line,
            mend="end a line in '# TODO: ...'",
        ) from error
