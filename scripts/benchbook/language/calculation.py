"""The calculation of values and claims, over an allow-listed part of Python's syntax tree.

An expression comes from a page, so from anyone who opens a pull request. It can reach the results and
measurements of a run and nothing else, and its size, its numbers and its powers are bounded.
"""

import ast
from collections.abc import Callable
from typing import Any

from benchbook.language import arithmetic
from benchbook.language.function import CALLS
from benchbook.language.names import Names
from benchbook.language.order import COMPARISONS, compare
from benchbook.language.quantity import ExpressionError, Quantity, bounded, show

ARITHMETIC: dict[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: arithmetic.add,
    ast.Sub: arithmetic.subtract,
    ast.Mult: arithmetic.multiply,
    ast.Div: arithmetic.divide,
    ast.Pow: arithmetic.power,
}


def calculate(node: ast.expr, names: Names) -> Quantity:
    """The value of a tree.

    Raises:
        ExpressionError: A part is not in the language, a name is not there, or it cannot be calculated.
    """
    for part in ast.walk(node):  # also where no value is asked for, as behind an `and`
        _check(part)
    try:
        return _value(node, names)
    except (ArithmeticError, RecursionError) as error:
        raise ExpressionError(
            f"cannot be calculated: {error}", mend="check the numbers that it uses"
        ) from None


def _check(part: ast.AST) -> None:
    """Proves that a part is of the language, whatever its names mean."""
    if type(part) not in PARTS:
        raise _foreign(part)
    if isinstance(part, ast.Constant) and not isinstance(part.value, bool | str | int | float):
        raise _foreign(part)
    if isinstance(part, ast.Call):
        is_known = isinstance(part.func, ast.Name) and part.func.id in CALLS
        if not is_known or part.keywords:
            raise _foreign(part)
    if isinstance(part, ast.Attribute) and (not isinstance(part.value, ast.Name) or part.attr[0] == "_"):
        raise _statistic_of_nothing(part)


def _statistic_of_nothing(node: ast.Attribute) -> ExpressionError:
    return ExpressionError(f"'.{node.attr}' of something that is no measurement", mend="write NAME.median")


def _value(node: ast.expr, names: Names) -> Quantity:
    return RULES[type(node)](node, names)


def _foreign(node: ast.AST) -> ExpressionError:
    return ExpressionError(
        f"{type(node).__name__} is not in the language of values and claims",
        mend=f"use names, numbers, + - * / **, comparisons, and/or/not, subscripts, {', '.join(CALLS)}",
    )


def _constant(node: ast.Constant, _: Names) -> Quantity:
    if isinstance(node.value, bool | str):
        return Quantity(node.value)
    return bounded(node.value, "")


def _name(node: ast.Name, names: Names) -> Quantity:
    return names.value(node.id)


def _attribute(node: ast.Attribute, names: Names) -> Quantity:
    if not isinstance(node.value, ast.Name) or node.value.id not in names.measurements:
        raise _statistic_of_nothing(node)
    return names.statistic(node.value.id, node.attr)


def _subscript(node: ast.Subscript, names: Names) -> Quantity:
    container, index = _value(node.value, names).value, _value(node.slice, names).value
    if (type(container), type(index)) not in ((list, int), (dict, str)):
        raise ExpressionError(
            f"[{show(index)}] of {show(container)}",
            mend="index a list by number, a table by text",
        )
    try:
        return Quantity(container[index])
    except LookupError:
        raise ExpressionError(
            f"{show(container)} has no entry {show(index)}", mend="use one that is there"
        ) from None


def _unary(node: ast.UnaryOp, names: Names) -> Quantity:
    if isinstance(node.op, ast.USub):
        return arithmetic.negate(_value(node.operand, names))
    return Quantity(not _truth(node.operand, names))


def _binary(node: ast.BinOp, names: Names) -> Quantity:
    return ARITHMETIC[type(node.op)](_value(node.left, names), _value(node.right, names))


def _comparison(node: ast.Compare, names: Names) -> Quantity:
    left, holds = _value(node.left, names), True
    for operator, operand in zip(node.ops, node.comparators, strict=True):
        right = _value(operand, names)
        holds = compare(COMPARISONS[type(operator)], left, right) and holds
        left = right
    return Quantity(holds)


def _boolean(node: ast.BoolOp, names: Names) -> Quantity:
    combine = all if isinstance(node.op, ast.And) else any
    return Quantity(combine(_truth(operand, names) for operand in node.values))


def _truth(node: ast.expr, names: Names) -> bool:
    value = _value(node, names).value
    if not isinstance(value, bool):
        raise ExpressionError(f"{show(value)} is neither true nor false", mend="compare it with something")
    return value


def _call(node: ast.Call, names: Names) -> Quantity:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    arguments = [_value(argument, names) for argument in node.args]
    try:
        return CALLS[name](*arguments)
    except TypeError:
        raise ExpressionError(
            f"{name} with {len(arguments)} arguments", mend="give it what Python's takes"
        ) from None


RULES: dict[type[ast.expr], Callable[[Any, Names], Quantity]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _comparison,
    ast.BoolOp: _boolean,
    ast.Call: _call,
}
PARTS = frozenset(
    {*RULES, *ARITHMETIC, *COMPARISONS, ast.USub, ast.Not, ast.And, ast.Or, ast.Load}
)  # all that a tree may be made of
