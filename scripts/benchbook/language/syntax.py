"""The syntax of values and claims: Python's, of bounded size. Standard library only."""

import ast
import warnings

from benchbook.language.quantity import ExpressionError

LONGEST = 400
MOST_NODES = 120


def parse(text: str) -> ast.expr:
    """The tree of an expression, when it is one of bounded size; its parts are not looked at.

    Raises:
        ExpressionError: It is not.
    """
    if len(text) > LONGEST:
        raise ExpressionError(f"an expression of {len(text)} characters", mend=f"use at most {LONGEST}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a SyntaxWarning is about style, and has no place to go
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ExpressionError(f"{text!r} is no expression", mend="write one as in 'loss < 0.5'") from None
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
        raise ExpressionError(f"an expression of more than {MOST_NODES} parts", mend="make it smaller")
    return tree
