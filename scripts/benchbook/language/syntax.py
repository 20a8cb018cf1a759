"""The syntax of values and claims: an allow-listed part of Python's syntax tree. Standard library only.

An expression comes from a page, so from anyone who opens a pull request. It can reach the results and
measurements of a run and nothing else, and its size, its numbers and its powers are bounded.
"""

import ast
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchbook.language import quantity
from benchbook.language.quantity import ExpressionError, Quantity

LONGEST = 400
MOST_NODES = 120

ARITHMETIC: dict[type[ast.operator], Callable[[Quantity, Quantity], Quantity]] = {
    ast.Add: quantity.add,
    ast.Sub: quantity.subtract,
    ast.Mult: quantity.multiply,
    ast.Div: quantity.divide,
    ast.Pow: quantity.power,
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Gt: ">",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
CALLS: dict[str, Callable[..., Quantity]] = {
    "abs": quantity.absolute,
    "len": quantity.length,
    "max": quantity.largest,
    "min": quantity.smallest,
    "round": quantity.round_off,
    "sum": quantity.total,
}


@dataclass(frozen=True, slots=True)
class Names:
    """What an expression may name.

    Attributes:
        results: Named values of a run.
        measurements: Statistics by measurement: median, min, max, mad, low, high, processes, count.
        units: The unit of each measurement.
    """

    results: Mapping[str, Any]
    measurements: Mapping[str, Mapping[str, float | int | None]]
    units: Mapping[str, str]


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


def calculate(node: ast.expr, names: Names) -> Quantity:
    """The value of a tree.

    Raises:
        ExpressionError: A part is not in the language, a name is not there, or it cannot be calculated.
    """
    try:
        return _value(node, names)
    except (ArithmeticError, RecursionError) as error:
        raise ExpressionError(
            f"cannot be calculated: {error}", mend="check the numbers that it uses"
        ) from None


def _value(node: ast.expr, names: Names) -> Quantity:
    rule = RULES.get(type(node))
    if rule is None:
        raise _foreign(node)
    return rule(node, names)


def _foreign(node: ast.AST) -> ExpressionError:
    return ExpressionError(
        f"{type(node).__name__} is not in the language of values and claims",
        mend=f"use names, numbers, + - * / **, comparisons, and/or/not, subscripts, {', '.join(CALLS)}",
    )


def _constant(node: ast.Constant, _: Names) -> Quantity:
    if isinstance(node.value, bool | str):
        return Quantity(node.value)
    if isinstance(node.value, int | float):
        return quantity.bounded(node.value, "")
    raise _foreign(node)


def _name(node: ast.Name, names: Names) -> Quantity:
    if node.id in names.measurements and node.id in names.results:
        raise ExpressionError(
            f"{node.id} is both a result and a measurement", mend="rename one in the snippet"
        )
    if node.id in names.measurements:
        return _statistic(node.id, "median", names)
    if node.id in names.results:
        return Quantity(names.results[node.id])
    known = ", ".join(sorted([*names.results, *names.measurements])) or "none is there"
    raise ExpressionError(f"no result or measurement is named {node.id!r}", mend=f"use one of: {known}")


def _attribute(node: ast.Attribute, names: Names) -> Quantity:
    if not isinstance(node.value, ast.Name) or node.value.id not in names.measurements:
        raise ExpressionError(f"'.{node.attr}' of something that is no measurement", mend="write NAME.median")
    return _statistic(node.value.id, node.attr, names)


def _statistic(name: str, key: str, names: Names) -> Quantity:
    statistics = names.measurements[name]
    if key not in statistics:
        raise ExpressionError(f"{name!r} has no {key!r} here", mend=f"use one of: {', '.join(statistics)}")
    value = statistics[key]
    if value is None:
        raise ExpressionError(f"{name}.{key} needs more than one process", mend="record with --processes 10")
    return Quantity(value, "" if key in ("processes", "count") else names.units.get(name, ""))


def _subscript(node: ast.Subscript, names: Names) -> Quantity:
    container, index = _value(node.value, names).value, _value(node.slice, names).value
    if (type(container), type(index)) not in ((list, int), (dict, str)):
        raise ExpressionError(
            f"[{quantity.show(index)}] of {quantity.show(container)}",
            mend="index a list by number, a table by text",
        )
    try:
        return Quantity(container[index])
    except LookupError:
        raise ExpressionError(
            f"{quantity.show(container)} has no entry {quantity.show(index)}", mend="use one that is there"
        ) from None


def _unary(node: ast.UnaryOp, names: Names) -> Quantity:
    if isinstance(node.op, ast.USub):
        return quantity.negate(_value(node.operand, names))
    if isinstance(node.op, ast.Not):
        return Quantity(not _truth(node.operand, names))
    raise _foreign(node.op)


def _binary(node: ast.BinOp, names: Names) -> Quantity:
    operation = ARITHMETIC.get(type(node.op))
    if operation is None:
        raise _foreign(node.op)
    return operation(_value(node.left, names), _value(node.right, names))


def _comparison(node: ast.Compare, names: Names) -> Quantity:
    left, holds = _value(node.left, names), True
    for operator, operand in zip(node.ops, node.comparators, strict=True):
        if type(operator) not in COMPARISONS:
            raise _foreign(operator)
        right = _value(operand, names)
        holds = quantity.compare(COMPARISONS[type(operator)], left, right) and holds
        left = right
    return Quantity(holds)


def _boolean(node: ast.BoolOp, names: Names) -> Quantity:
    combine = all if isinstance(node.op, ast.And) else any
    return Quantity(combine(_truth(operand, names) for operand in node.values))


def _truth(node: ast.expr, names: Names) -> bool:
    value = _value(node, names).value
    if not isinstance(value, bool):
        raise ExpressionError(
            f"{quantity.show(value)} is neither true nor false", mend="compare it with something"
        )
    return value


def _call(node: ast.Call, names: Names) -> Quantity:
    if not isinstance(node.func, ast.Name) or node.func.id not in CALLS or node.keywords:
        raise _foreign(node)
    arguments = [_value(argument, names) for argument in node.args]
    try:
        return CALLS[node.func.id](*arguments)
    except TypeError:
        raise ExpressionError(
            f"{node.func.id} with {len(arguments)} arguments", mend="give it what Python's takes"
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
