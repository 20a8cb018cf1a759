"""A mistake planted into a snippet, and the cells that have a part in what its two claims say."""

import ast
from collections.abc import Mapping

from benchbook.lesson.cell import Cell
from benchbook.lesson.snippet import Snippet
from tests import cell_names
from tests.lies import Lie


def planted(lie: Lie, lesson: Snippet, set_by: Mapping[str, int], *, whole: bool = False) -> str:
    """The snippet with the mistake in it, without the cells that have no part in the verdicts.

    Those are the cells below the one by which the values of both claims are there, and those above it that
    only measure. With ``whole`` all cells are kept.
    """
    assert lesson.text.count(lie.right) == 1, lie
    needed = [name for claim in (lie.claim, lie.blind) for name in results_in(claim)]
    if whole or any(name not in set_by for name in needed):
        return lesson.text.replace(lie.right, lie.wrong)
    last = max(set_by[name] for name in needed)
    text = kept(lesson, last=last, mistake=lie.right, lines={set_by[name] for name in needed})
    assert lie.right in text, f"{lie}: it is planted below the last cell that its claims depend on"
    return text.replace(lie.right, lie.wrong)


def results_in(claim: str) -> set[str]:
    """The names whose values a claim uses, without the functions that it calls."""
    tree = ast.parse(claim, mode="eval")
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called)
    return {node.id for node in names}


def last_line(cell: Cell) -> int:
    """The 1-based line of the snippet on which a cell ends."""
    return cell.line + cell.source.count("\n")


def kept(lesson: Snippet, *, last: int, mistake: str, lines: set[int]) -> str:
    """The text up to a line, with cells that only measure made empty.

    Such a cell is tagged ``varies``, sets no value that is asked for, holds no mistake, and has no hand in a
    name that a cell kept below it reads.
    """
    text = lesson.text.splitlines(keepends=True)[:last]
    modules = {name for cell in lesson.cells for name in cell_names.imports(cell.source)}
    read: set[str] = set()
    for cell in reversed([cell for cell in lesson.cells if last_line(cell) <= last]):
        needed = last_line(cell) in lines or not _apart(cell.source, mistake)
        made = cell_names.binds(cell.source) | (cell_names.changes(cell.source) - modules)
        if cell.varies and not needed and read.isdisjoint(made):
            text[cell.line - 1 : last_line(cell)] = ["\n"] * (cell.source.count("\n") + 1)
        else:
            read |= cell_names.reads(cell.source)
    return "".join(text)


def _apart(source: str, mistake: str) -> bool:
    """Whether a mistake lies in another cell than this one, and does not begin or end in it."""
    return mistake.strip() not in source
