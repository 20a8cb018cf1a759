"""The functions that a page may call: Python's ``abs``, ``len``, ``max``, ``min``, ``round``, ``sum``."""

from collections.abc import Callable

from benchbook.language.quantity import (
    ExpressionError,
    Quantity,
    bounded,
    require_like,
    require_numbers,
    show,
)

MOST_DIGITS = 20


def round_off(number: Quantity, digits: Quantity | None = None) -> Quantity:
    """Python's ``round``."""
    require_numbers(number)
    if digits is None:
        return bounded(round(number.value), number.unit)
    if not isinstance(digits.value, int) or abs(digits.value) > MOST_DIGITS:
        raise ExpressionError(
            f"round to {show(digits.value)} digits", mend=f"use a whole number up to {MOST_DIGITS}"
        )
    return bounded(round(number.value, digits.value), number.unit)


def absolute(number: Quantity) -> Quantity:
    """Python's ``abs``."""
    require_numbers(number)
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


def _items(operands: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    if len(operands) == 1:
        values = operands[0].value
        if not isinstance(values, list):
            raise ExpressionError(f"{show(values)} is not a list", mend="give a list, or several numbers")
        operands = tuple(Quantity(value) for value in values)
    if not operands:
        raise ExpressionError("an empty list", mend="give at least one number")
    require_like(*operands)
    return operands


CALLS: dict[str, Callable[..., Quantity]] = {
    "abs": absolute,
    "len": length,
    "max": largest,
    "min": smallest,
    "round": round_off,
    "sum": total,
}
