"""Values and claims: the small language of pages, which anyone may write into a pull request."""

import ast
import json
import re

from benchbook import reading
from benchbook.language import expression
from benchbook.language.expression import Names
from tests.fuzzing.seeds import pages
from tests.fuzzing.target import refusing

STATISTICS = {"median": 6.0, "min": 5, "max": 9.5, "mad": 0.0, "low": 5.5, "processes": 10, "count": 200}
NAMES = Names(
    results={
        "loss": 0.46, "n": 2, "xs": [0.5, -2, 3], "by": {"eager": 3, "k": [1]}, "same": True, "top": "inf",
        "big": 2**63, "none": None, "mixed": [1, "a", None, [2]], "empty": [],
    },
    measurements={"compiled": STATISTICS, "eager": STATISTICS | {"median": 12.0, "low": None}},
    units={"compiled": "ns", "eager": "B"},
)  # fmt: skip
LANGUAGE = (
    *(ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.UnaryOp, ast.BinOp, ast.Compare, ast.BoolOp),
    *(ast.Call, ast.Load, ast.And, ast.Or, ast.Not, ast.USub, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow),
    *(ast.Gt, ast.Lt, ast.GtE, ast.LtE, ast.Eq, ast.NotEq),
)
FUNCTIONS = {"abs", "len", "max", "min", "round", "sum"}
MEDIANS = {"compiled": [1.0, 2.0], "eager": [3.0, 0.0]}


def take(data: bytes) -> None:
    """Evaluates, decides and splits a text."""
    text = data.decode("utf-8", "surrogateescape")
    with refusing():
        found = expression.evaluate(text, NAMES)
        _check_tree(ast.parse(text.strip(), mode="eval").body)
        json.dumps(found.value)
        reading.text(found.value, found.unit)
    with refusing():
        assert expression.decide(text, NAMES) in expression.Verdict
    with refusing():
        _, left, right = expression.sides(text, MEDIANS, NAMES.results)
        assert len(left) == len(right) == 2
        assert min(left) >= 0 < min(right)


def _check_tree(tree: ast.expr) -> None:
    """What has a value is made of the language's parts alone, and calls and reads only what is listed."""
    for node in ast.walk(tree):
        assert isinstance(node, LANGUAGE), f"{type(node).__name__} passed"
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            assert node.func.id in FUNCTIONS
        if isinstance(node, ast.Attribute):
            assert isinstance(node.value, ast.Name)
            assert not node.attr.startswith("_")


def seeds() -> list[bytes]:
    """The claims and values of the site's own pages, and some that use more of the language."""
    own = re.compile(r"holds: (.+)|:value\[\S+ ([^\n]+?)\]")
    found = {match[1] or match[2] for text in pages() for match in own.finditer(text)}
    more = (
        "abs(loss - 0.46) < 1e-6 and not same", "by['eager'] * 2 ** 10", "max(compiled, eager) / 2",
        "round(sum(xs), 2) == 1.5 or len(top) > 1", "mixed[3][0] != -n", "(2 ** 64) ** 8 * 1e300",
        "1 == 2 and [x for x in xs]", "f'{loss}' if same else (lambda: 1)", "(n := 1).real", "by.get('k')",
    )  # fmt: skip
    return [text.encode() for text in sorted(found | set(more))]
