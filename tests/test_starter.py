"""Starters: derived from solutions, so that the two cannot drift."""

import ast

import pytest

from benchbook.lesson.starter import derive


@pytest.mark.parametrize(
    ("solution", "starter"),
    [
        ("y = f(x)  # TODO: call it", "y = ...  # TODO: call it"),
        ("def f(x):\n    return x + 1  # TODO: next", "def f(x):\n    return ...  # TODO: next"),
        ("assert y == 2, 'no'  # TODO: check", "assert ..., 'no'  # TODO: check"),
        ("y: int = 3  # TODO: a number\nz = y", "y: int = ...  # TODO: a number\nz = y"),
        ("y = (\n    a\n    + b\n)  # TODO: add", "y = ...  # TODO: add"),
        ("y = (  # TODO: add\n    a\n    + b\n)\nz = 1", "y = (  # TODO: add\n    ...\n)\nz = 1"),
        ("y = f(\n    'é',  # TODO: a letter\n)", "y = ...  # TODO: a letter"),
        ("ü = 'é' + g(1)  # TODO: é", "ü = ...  # TODO: é"),
        ("a = b = (1, 2)  # TODO: pair", "a = b = ...  # TODO: pair"),
        ("a += (1 + 2) * 3  # TODO: grow", "a += ...  # TODO: grow"),
        ("f = lambda x: x  # TODO: one\ns = '# TODO: no'", "f = ...  # TODO: one\ns = '# TODO: no'"),
    ],
)
def test_the_right_hand_side_becomes_an_ellipsis(solution: str, starter: str) -> None:
    """Assignments, returns and asserts lose their expression, keep their comment, and still parse."""
    assert derive(solution) == starter
    ast.parse(derive(solution))


@pytest.mark.parametrize("solution", ["y = 1", "f(x)  # TODO: call", "s = '''\n# TODO: in a string\n'''"])
def test_a_solution_without_a_usable_todo_is_refused(solution: str) -> None:
    """A TODO that stands on no assignment, return or assert is a mistake with a line number."""
    with pytest.raises(ValueError, match=r"line 1: "):
        derive(solution)
