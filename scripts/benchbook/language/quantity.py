"""A value with its unit, and what may be calculated with it. Standard library only.

Every function is bounded: no operand, exponent or outcome is larger than a page could show.
"""

import math
import operator
import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchbook.errors import BenchbookError

LARGEST_BITS = 1024
LARGEST_EXPONENT = 64
MOST_DIGITS = 20

Order = Callable[[Any, Any], bool]
ORDERS: dict[str, Order] = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}
EQUALITIES: dict[str, Order] = {"==": operator.eq, "!=": operator.ne}


class ExpressionError(BenchbookError):
    """An expression of a page that says nothing, or says too much."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value of any JSON type.

    Attributes:
        value: The value.
        unit: Its unit; empty when it has none.
    """

    value: Any
    unit: str = ""


def add(left: Quantity, right: Quantity) -> Quantity:
    """The sum of two numbers of one unit."""
    _require_like(left, right)
    return bounded(left.value + right.value, left.unit)


def subtract(left: Quantity, right: Quantity) -> Quantity:
    """The difference of two numbers of one unit."""
    _require_like(left, right)
    return bounded(left.value - right.value, left.unit)


def multiply(left: Quantity, right: Quantity) -> Quantity:
    """The product of two numbers, at most one of which has a unit."""
    _require_numbers(left, right)
    if left.unit and right.unit:
        raise ExpressionError(
            f"{left.unit} times {right.unit} has no name here", mend="divide one of them first"
        )
    return bounded(left.value * right.value, left.unit or right.unit)


def divide(left: Quantity, right: Quantity) -> Quantity:
    """The quotient of two numbers; like units cancel, unlike ones become ``B/ns`` or ``1/ns``."""
    _require_numbers(left, right)
    unit = left.unit if not right.unit else f"{left.unit or 1}/{right.unit}"
    if left.unit == right.unit:
        unit = ""
    if unit.count("/") > 1:
        raise ExpressionError(
            f"{left.unit or 1} divided by {right.unit} has no name here", mend="keep one division of units"
        )
    return bounded(left.value / right.value, unit)


def power(base: Quantity, exponent: Quantity) -> Quantity:
    """A number without unit to a small power."""
    _require_numbers(base, exponent)
    if base.unit or exponent.unit or abs(exponent.value) > LARGEST_EXPONENT:
        raise ExpressionError(
            "a power of this size or unit", mend=f"use plain numbers and at most {LARGEST_EXPONENT}"
        )
    return bounded(base.value**exponent.value, "")


def negate(operand: Quantity) -> Quantity:
    """The number with the other sign."""
    _require_numbers(operand)
    return Quantity(-operand.value, operand.unit)


def compare(order: str, left: Quantity, right: Quantity) -> bool:
    """Whether ``left order right`` is true; only equality takes values of different types."""
    if _is_number(left.value) and _is_number(right.value):
        _require_like(left, right)
    elif order in ORDERS and not (isinstance(left.value, str) and isinstance(right.value, str)):
        raise ExpressionError(
            f"{show(left.value)} {order} {show(right.value)} has no order",
            mend="compare two numbers or two texts",
        )
    return (ORDERS | EQUALITIES)[order](left.value, right.value)


def round_off(number: Quantity, digits: Quantity | None = None) -> Quantity:
    """Python's ``round``."""
    _require_numbers(number)
    if digits is None:
        return bounded(round(number.value), number.unit)
    if not isinstance(digits.value, int) or abs(digits.value) > MOST_DIGITS:
        raise ExpressionError(
            f"round to {show(digits.value)} digits", mend=f"use a whole number up to {MOST_DIGITS}"
        )
    return bounded(round(number.value, digits.value), number.unit)


def absolute(number: Quantity) -> Quantity:
    """Python's ``abs``."""
    _require_numbers(number)
    return Quantity(abs(number.value), number.unit)


def length(container: Quantity) -> Quantity:
    """Python's ``len``."""
    if not isinstance(container.value, list | dict | str):
        raise ExpressionError(
            f"{show(container.value)} has no length", mend="give len a list, a table or a text"
        )
    return Quantity(len(container.value))


def total(container: Quantity) -> Quantity:
    """Python's ``sum`` of a list of numbers."""
    return bounded(sum(item.value for item in _items((container,))), "")


def smallest(*operands: Quantity) -> Quantity:
    """Python's ``min`` of a list, or of several numbers of one unit."""
    return min(_items(operands), key=lambda item: item.value)


def largest(*operands: Quantity) -> Quantity:
    """Python's ``max`` of a list, or of several numbers of one unit."""
    return max(_items(operands), key=lambda item: item.value)


def bounded(value: object, unit: str) -> Quantity:
    """A calculated number, when it is one that can be shown.

    Raises:
        ExpressionError: It is complex, not finite, or too large.
    """
    if isinstance(value, int):
        fits = value.bit_length() <= LARGEST_BITS
    else:
        fits = isinstance(value, float) and math.isfinite(value)
    if not fits:
        raise ExpressionError("not a finite number of moderate size", mend="calculate something smaller")
    return Quantity(value, unit)


def show(value: object) -> str:
    """A value in a message, cut to a readable length."""
    return reprlib.repr(value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _require_numbers(*operands: Quantity) -> None:
    for operand in operands:
        if not _is_number(operand.value):
            raise ExpressionError(
                f"{show(operand.value)} is not a number", mend="calculate with numbers only"
            )
        bounded(operand.value, operand.unit)


def _require_like(first: Quantity, *others: Quantity) -> None:
    _require_numbers(first, *others)
    for other in others:
        if first.unit != other.unit:
            raise ExpressionError(
                f"{first.unit or 'a plain number'} and {other.unit or 'a plain number'} do not go together",
                mend="bring both sides to one unit, or divide the units away",
            )


def _items(operands: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    if len(operands) == 1:
        values = operands[0].value
        if not isinstance(values, list):
            raise ExpressionError(f"{show(values)} is not a list", mend="give a list, or several numbers")
        operands = tuple(Quantity(value) for value in values)
    if not operands:
        raise ExpressionError("an empty list", mend="give at least one number")
    _require_like(*operands)
    return operands
