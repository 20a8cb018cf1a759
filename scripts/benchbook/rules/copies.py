"""The rule about shared cells: a lesson's copy of a harness cell is identical to it, and can be written."""

from collections.abc import Iterator

from benchbook import archive
from benchbook.errors import SnippetError
from benchbook.lesson.cell import Cell, split
from benchbook.lesson.snippet import Snippet, read
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem


def identical(inventory: Inventory) -> Iterator[Problem]:
    """Every cell that is named like one of snippets/harness.py equals it."""
    try:
        shared = _shared(inventory)
    except SnippetError as error:
        yield Problem.of(error, path="snippets/harness.py")
        return
    for lesson in inventory.snippets.values():
        for cell in _different(lesson, shared):
            message = f"cell {cell.name!r} is not that of snippets/harness.py"
            yield Problem(lesson.path, cell.line, message, "benchbook check --fix", fixable=True)


def write(inventory: Inventory) -> Iterator[str]:
    """Writes the harness's cells over the copies that differ; says which, snippet by snippet.

    Raises:
        SnippetError: The harness is no snippet.
        OSError: A snippet cannot be written.
    """
    shared = _shared(inventory)
    for lesson in inventory.snippets.values():
        different = _different(lesson, shared)
        lines = lesson.text.split("\n")
        for cell in reversed(different):
            lines[cell.line - 1 : cell.line - 1 + len(cell.source.splitlines())] = shared[cell.name].split(
                "\n"
            )
        if different:
            path = inventory.project.snippet_path(lesson.slug)
            archive.write_whole(path, "\n".join(lines).encode())
        for cell in different:
            yield f"{lesson.path}: cell {cell.name!r} written from snippets/harness.py"


def _shared(inventory: Inventory) -> dict[str, str]:
    path = inventory.project.snippets / "harness.py"
    if not path.exists(follow_symlinks=False):
        return {}
    shown = inventory.project.relative(path)
    return {cell.name: cell.source for cell in split(read(path, shown=shown), path=shown)}


def _different(lesson: Snippet, shared: dict[str, str]) -> list[Cell]:
    return [cell for cell in lesson.cells if shared.get(cell.name, cell.source) != cell.source]
