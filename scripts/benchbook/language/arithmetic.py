"""Arithmetic over quantities: no operand, exponent or outcome is larger than a page could show."""

from benchbook.language.quantity import ExpressionError, Quantity, bounded, require_like, require_numbers

LARGEST_EXPONENT = 64


def add(left: Quantity, right: Quantity) -> Quantity:
    """The sum of two numbers of one unit."""
    require_like(left, right)
    return bounded(left.value + right.value, left.unit)


def subtract(left: Quantity, right: Quantity) -> Quantity:
    """The difference of two numbers of one unit."""
    require_like(left, right)
    return bounded(left.value - right.value, left.unit)


def multiply(left: Quantity, right: Quantity) -> Quantity:
    """The product of two numbers, at most one of which has a unit."""
    require_numbers(left, right)
    if left.unit and right.unit:
        raise ExpressionError(
            f"{left.unit} times {right.unit} has no name here", mend="divide one of them first"
        )
    return bounded(left.value * right.value, left.unit or right.unit)


def divide(left: Quantity, right: Quantity) -> Quantity:
    """The quotient of two numbers; like units cancel, unlike ones become ``B/ns`` or ``1/ns``."""
    require_numbers(left, right)
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
    require_numbers(base, exponent)
    if base.unit or exponent.unit or abs(exponent.value) > LARGEST_EXPONENT:
        raise ExpressionError(
            "a power of this size or unit", mend=f"use plain numbers and at most {LARGEST_EXPONENT}"
        )
    return bounded(base.value**exponent.value, "")


def negate(operand: Quantity) -> Quantity:
    """The number with the other sign."""
    require_numbers(operand)
    return Quantity(-operand.value, operand.unit)
