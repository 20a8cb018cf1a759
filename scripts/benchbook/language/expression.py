"""Expressions of pages: the value of one, and what a claim says of a run. Standard library only."""

import ast
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any

from benchbook.language import syntax
from benchbook.language.calculation import calculate
from benchbook.language.names import Names
from benchbook.language.order import COMPARISONS, ORDERS
from benchbook.language.quantity import ExpressionError, Quantity, show

__all__ = [
    "ExpressionError",
    "Names",
    "Quantity",
    "Verdict",
    "claims_time",
    "decide",
    "evaluate",
    "sides",
]


class Verdict(StrEnum):
    """What a run says to a claim."""

    HOLDS = "holds"
    FAILS = "does not hold"
    INCONCLUSIVE = "inconclusive"


def evaluate(text: str, names: Names) -> Quantity:
    """The value of an expression; a bare measurement means its median.

    Raises:
        ExpressionError: It is not in the language, names what is not there, or cannot be calculated.
    """
    return calculate(syntax.parse(text), names)


def claims_time(text: str, measurements: Collection[str]) -> bool:
    """Whether a claim names a measurement, so that intervals decide it.

    Raises:
        ExpressionError: It is no expression.
    """
    return any(
        isinstance(node, ast.Name) and node.id in measurements for node in ast.walk(syntax.parse(text))
    )


def decide(text: str, names: Names) -> Verdict:
    """What a run says to a claim over results alone; never inconclusive.

    Raises:
        ExpressionError: It is wrong, is no comparison, or names a measurement.
    """
    if claims_time(text, names.measurements):
        raise ExpressionError(f"{text!r} names a measurement", mend="let the interval of the ratio decide it")
    outcome = evaluate(text, names).value
    if not isinstance(outcome, bool):
        raise ExpressionError(f"{text!r} is no claim", mend="compare something, as in 'loss < 0.5'")
    return Verdict.HOLDS if outcome else Verdict.FAILS


def sides(
    text: str, medians: Mapping[str, Sequence[float]], results: Mapping[str, Any]
) -> tuple[str, list[float], list[float]]:
    """The two sides of a claim over measurements, one value per process each.

    Args:
        text: ``A > B``, or with ``<``, ``>=`` or ``<=``.
        medians: The process medians of each measurement.
        results: Named values of the run.

    Returns:
        The operator, the values of A and the values of B.

    Raises:
        ExpressionError: It has another form, A is no number or negative, or B is not positive.
    """
    node = syntax.parse(text)
    order = (
        COMPARISONS.get(type(node.ops[0])) if isinstance(node, ast.Compare) and len(node.ops) == 1 else None
    )
    if not isinstance(node, ast.Compare) or order not in ORDERS:
        raise ExpressionError(f"{text!r} is no comparison of two sides", mend="write 'A > B' or 'A < B'")
    processes = [
        Names(results, {name: {"median": value} for name, value in zip(medians, row, strict=True)}, {})
        for row in zip(*medians.values(), strict=True)
    ]
    left = [_number(node.left, names) for names in processes]
    right = [_number(node.comparators[0], names) for names in processes]
    if min(right) == 0:
        raise ExpressionError("the right side of the claim is 0", mend="what may be 0 belongs on the left")
    return order, left, right


def _number(node: ast.expr, names: Names) -> float:
    value = calculate(node, names).value
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise ExpressionError(
            f"a side of the claim is {show(value)}",
            mend="compare positive numbers: their ratio decides",
        )
    return float(value)
