"""A starter: what a learner begins an exercise with, derived from its solution so that they cannot drift."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

TODO = re.compile(r"#\s*TODO:.*$")


def derive(solution: str) -> str:
    """Replaces what a learner has to write with ``...``.

    On a line that ends in ``# TODO: ...`` the right-hand side of the assignment that the line belongs to, or
    the expression of its ``return`` or ``assert``, becomes ``...``. The comment stays.

    Args:
        solution: The source of a solution cell.

    Raises:
        ValueError: There is no such line, or one belongs to no assignment, return or assert; the message
            names the line within the cell.
    """
    todos = dict(_todos(solution))
    if not todos:
        raise ValueError("line 1: no line ends in '# TODO: ...'")
    nodes = (node for node in ast.walk(ast.parse(solution)) if isinstance(node, ast.stmt))
    statements = [node for node in nodes if _hole(node) is not None]
    edits = []
    for line, comment in todos.items():
        owner = min(
            (node for node in statements if node.lineno <= line <= (node.end_lineno or 0)),
            key=lambda node: (node.end_lineno or 0) - node.lineno,
            default=None,
        )
        hole = None if owner is None else _hole(owner)
        if owner is None or hole is None:
            raise ValueError(f"line {line}: its TODO belongs to no assignment, return or assert")
        edits.append((_span(solution, hole, owner), comment))
    for (start, end), comment in sorted(edits, reverse=True):
        tail = f"  {comment}" if comment in solution[start:end] else ""
        solution = solution[:start] + "..." + tail + solution[end:]
    return solution


def _todos(source: str) -> Iterator[tuple[int, str]]:
    """Line numbers and comments; a TODO inside a string is none."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and TODO.fullmatch(token.string):
            yield token.start[0], token.string


def _hole(node: ast.AST) -> ast.expr | None:
    """The expression that a learner writes in this statement."""
    match node:
        case ast.Assign() | ast.AugAssign():
            return node.value
        case ast.AnnAssign() | ast.Return():
            return node.value
        case ast.Assert():
            return node.test
    return None


def _span(source: str, hole: ast.expr, owner: ast.AST) -> tuple[int, int]:
    """Offsets of the expression, with the parentheses that stand around it in its statement."""
    lines = source.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    start = offset(hole.lineno, hole.col_offset)
    end = offset(hole.end_lineno or hole.lineno, hole.end_col_offset or 0)
    limit = offset(getattr(owner, "end_lineno", 1), getattr(owner, "end_col_offset", 0))
    return _with_parentheses(source, start, end, limit, isinstance(owner, ast.Assert))


def _with_parentheses(source: str, start: int, end: int, limit: int, keep_tail: bool) -> tuple[int, int]:
    """Widens the span over parentheses that surround the expression and belong to no node."""
    while True:
        before = len(source[:start].rstrip())
        after = re.compile(r"(?:\s|#[^\n]*\n)*\)").match(source, end, limit)
        if keep_tail and source[end:limit].lstrip().startswith(","):
            return start, end
        if not source[:before].endswith("(") or after is None:
            return start, end
        start, end = before - 1, after.end()
