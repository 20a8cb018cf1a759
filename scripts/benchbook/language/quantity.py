"""A value with its unit, and what must hold of one that is calculated with. Standard library only."""

import math
import reprlib
from dataclasses import dataclass
from typing import Any

from benchbook.errors import BenchbookError

LARGEST_BITS = 1024


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


def is_number(value: object) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def require_numbers(*operands: Quantity) -> None:
    """Proves that each operand is a number of moderate size.

    Raises:
        ExpressionError: One is not.
    """
    for operand in operands:
        if not is_number(operand.value):
            raise ExpressionError(
                f"{show(operand.value)} is not a number", mend="calculate with numbers only"
            )
        bounded(operand.value, operand.unit)


def require_like(first: Quantity, *others: Quantity) -> None:
    """Proves that all are numbers of one unit.

    Raises:
        ExpressionError: One is no number, or has another unit.
    """
    require_numbers(first, *others)
    for other in others:
        if first.unit != other.unit:
            raise ExpressionError(
                f"{first.unit or 'a plain number'} and {other.unit or 'a plain number'} do not go together",
                mend="bring both sides to one unit, or divide the units away",
            )
