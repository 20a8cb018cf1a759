"""Freshness: which cells of a run still say what the snippet says."""

import ast
from collections.abc import Sequence
from functools import lru_cache

from benchbook.errors import SnippetError
from benchbook.lesson.cell import Cell, split


def fresh_cells(recorded: str, current: Sequence[Cell]) -> frozenset[str]:
    """Names of the cells that are fresh.

    A cell is fresh when it and all before it parse to the same syntax tree in both sources, under this
    interpreter. So comments, layout and later exercises make nothing stale.

    Args:
        recorded: The snippet's text as it ran.
        current: The snippet's cells now.
    """
    return _fresh(_ran(recorded), current)


def stands_for(recorded: str, current: Sequence[Cell]) -> bool:
    """Whether a run as a whole is fresh: what it says rests on the lesson's cells, all of them and no others.

    Results and measurements may come from any cell that is no exercise. So each of those is fresh, and each
    that ran is still there; exercises do not count.

    Args:
        recorded: The snippet's text as it ran.
        current: The snippet's cells now.
    """
    ran = _ran(recorded)
    return bool(ran) and _lesson(ran) | _lesson(current) <= _fresh(ran, current)


@lru_cache(maxsize=1024)  # most runs of a lesson ran the same text
def _ran(recorded: str) -> tuple[Cell, ...]:
    """The cells of a source as it ran; none where today's rules for snippets refuse it."""
    try:
        return split(recorded, path="the recorded source")
    except SnippetError:
        return ()


def _fresh(ran: Sequence[Cell], current: Sequence[Cell]) -> frozenset[str]:
    fresh = set()
    for before, now in zip(ran, current, strict=False):
        if before.name != now.name or _tree(before.source) != _tree(now.source):
            break
        fresh.add(now.name)
    return frozenset(fresh)


def _lesson(cells: Sequence[Cell]) -> frozenset[str]:
    return frozenset(cell.name for cell in cells if not cell.solution)


@lru_cache(maxsize=16384)
def _tree(source: str) -> str:
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, RecursionError, MemoryError):  # the last two: nested too deeply
        return source
