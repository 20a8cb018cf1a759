"""The order of quantities: what a comparison of a page may be."""

import ast
import operator
from collections.abc import Callable
from typing import Any

from benchbook.language.quantity import ExpressionError, Quantity, is_number, require_like, show

Order = Callable[[Any, Any], bool]
ORDERS: dict[str, Order] = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}
EQUALITIES: dict[str, Order] = {"==": operator.eq, "!=": operator.ne}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Gt: ">",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.LtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


def compare(order: str, left: Quantity, right: Quantity) -> bool:
    """Whether ``left order right`` is true; only equality takes values of different types."""
    if is_number(left.value) and is_number(right.value):
        require_like(left, right)
    elif order in ORDERS and not (isinstance(left.value, str) and isinstance(right.value, str)):
        raise ExpressionError(
            f"{show(left.value)} {order} {show(right.value)} has no order",
            mend="compare two numbers or two texts",
        )
    return (ORDERS | EQUALITIES)[order](left.value, right.value)
