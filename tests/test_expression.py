"""The language of values and claims: what it says, and that nothing else can be said in it."""

import ast
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbook.language import quantity
from benchbook.language.expression import (
    ExpressionError,
    Names,
    Quantity,
    Verdict,
    claims_time,
    decide,
    evaluate,
    sides,
)

STATISTICS = {
    "median": 6.0,
    "min": 5.0,
    "max": 9.0,
    "mad": 0.5,
    "low": 5.5,
    "high": 7.0,
    "processes": 10,
    "count": 200,
}
NAMES = Names(
    results={
        "loss": 0.46,
        "traces": 2,
        "losses": [0.5, 0.25],
        "by": {"eager": 3},
        "same": True,
        "top": "inf",
    },
    measurements={
        "compiled": STATISTICS,
        "eager": {key: 2 * value for key, value in STATISTICS.items()},
        "single": STATISTICS | {"low": None},
        "moved": STATISTICS,
    },
    units={"compiled": "ns", "eager": "ns", "single": "ns", "moved": "B"},
)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("loss", 0.46, ""),
        ("traces + 1", 3, ""),
        ("2 ** 10", 1024, ""),
        ("-traces", -2, ""),
        ("compiled", 6.0, "ns"),
        ("compiled.min", 5.0, "ns"),
        ("compiled.processes", 10, ""),
        ("eager.median/compiled.median", 2.0, ""),
        ("eager - compiled", 6.0, "ns"),
        ("2 * compiled", 12.0, "ns"),
        ("compiled / 2", 3.0, "ns"),
        ("moved / compiled", 1.0, "B/ns"),
        ("12 / compiled", 2.0, "1/ns"),
        ("max(compiled, eager)", 12.0, "ns"),
        ("losses[0]", 0.5, ""),
        ("losses[-1]", 0.25, ""),
        ("by['eager']", 3, ""),
        ("sum(losses)", 0.75, ""),
        ("min(losses)", 0.25, ""),
        ("len(losses)", 2, ""),
        ("abs(-3)", 3, ""),
        ("round(loss, 1)", 0.5, ""),
        ("round(2.6)", 3, ""),
        ("top == 'inf'", True, ""),
        ("loss == 'nan'", False, ""),
        ("0.4 < loss < 0.5", True, ""),
        ("loss < 0.1 or traces == 2", True, ""),
        ("not same", False, ""),
        ("len(losses) == 3 and losses[2] > 0", False, ""),
        ("compiled < eager", True, ""),
    ],
)
def test_an_expression_has_a_value_and_a_unit(text: str, value: object, unit: str) -> None:
    """What a page may write, and what it means."""
    assert evaluate(text, NAMES) == Quantity(value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "().__class__",
        "loss.real",
        "compiled.median.real",
        "compiled.__class__",
        "lambda: 1",
        "[x for x in losses]",
        "{1: 2}",
        "f'{loss}'",
        "loss if same else 1",
        "(x := 1)",
        "open('file')",
        "max(*losses)",
        "round(loss, ndigits=1)",
        "abs.x(1)",
        "losses[0:1]",
        "~traces",
        "traces % 2",
        "traces // 2",
        "1 << 9",
        "traces is 2",
        "1 in losses",
        "...",
        "b'bytes'",
        "1j",
        "None",
        "import os",
        "loss = 1",
        "",
        "loss loss",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    """No code, no attribute of an object, no syntax beyond the list."""
    with pytest.raises(ExpressionError):
        evaluate(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "9 ** 9 ** 9",
        "2 ** 65",
        "(2 ** 64) ** 64",
        "(-8) ** 0.5",
        "1e999",
        "1e300 * 1e300",
        "1 / 0",
        "0 ** -1",
        "'a' * 9",
        "'a' + 'b'",
        "losses + losses",
        "same + 1",
        "round(loss, 10 ** 9)",
        "9" * 390,
        "(" * 200 + "1" + ")" * 199,
        "-" * 399 + "1",
        "+".join("1" * 199),
        "loss + " * 100 + "1",
    ],
)
def test_size_is_bounded(text: str) -> None:
    """A pull request can neither hang a build nor fill its memory."""
    began = time.perf_counter()
    with pytest.raises(ExpressionError):
        evaluate(text, NAMES)
    assert time.perf_counter() - began < 5  # a hang fails, a busy machine does not


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("compiled + 1", "ns and a plain number do not go together"),
        ("compiled + moved", "ns and B do not go together"),
        ("compiled > 5", "ns and a plain number do not go together"),
        ("compiled * eager", "ns times ns has no name"),
        ("compiled ** 2", "a power of this size or unit"),
        ("1 / (moved / compiled)", "divided by B/ns has no name"),
        ("max(compiled, 1)", "do not go together"),
    ],
)
def test_units_that_do_not_go_together_are_refused(text: str, message: str) -> None:
    """A number is never added to, or compared with, what has another unit."""
    with pytest.raises(ExpressionError, match=message):
        evaluate(text, NAMES)


@pytest.mark.parametrize(
    ("text", "message", "mend"),
    [
        ("los", "no result or measurement is named 'los'", "use one of: by, compiled, eager, loss"),
        ("compiled.mean", "'compiled' has no 'mean'", "use one of: median, min"),
        ("single.low", "needs more than one process", "--processes"),
        ("losses[2]", "has no entry 2", "one that is there"),
        ("by[0]", "[0] of", "a list by number"),
        ("loss < top", "has no order", "two numbers"),
        ("same and 1", "1 is neither true nor false", "compare it"),
        ("max(loss)", "0.46 is not a list", "several numbers"),
        ("abs()", "abs with 0 arguments", "Python"),
    ],
)
def test_a_refusal_names_the_mend(text: str, message: str, mend: str) -> None:
    """A writer learns what is wrong and what to write instead."""
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, NAMES)
    assert message in caught.value.message
    assert mend in str(caught.value.mend)


def test_a_name_with_two_meanings_is_refused() -> None:
    """A result never hides behind a measurement of the same name."""
    both = Names({"eager": 0.46}, {"eager": STATISTICS}, {"eager": "ns"})
    with pytest.raises(ExpressionError, match="both a result and a measurement"):
        evaluate("eager", both)


WORDS = [
    *[
        "loss",
        "losses",
        "by",
        "same",
        "top",
        "compiled",
        "eager",
        "single",
        "median",
        "abs",
        "max",
        "len",
        "round",
    ],
    *[
        "sum",
        "1",
        "0",
        "2.5",
        "9" * 40,
        "'a'",
        "(",
        ")",
        "[",
        "]",
        "+",
        "-",
        "*",
        "/",
        "**",
        "<",
        ">=",
        "==",
        ".",
    ],
    *[
        ",",
        "and",
        "or",
        "not",
        "if",
        "else",
        "lambda",
        ":",
        "in",
        "is",
        "await",
        "yield",
        "{",
        "}",
        "@",
        "\\",
        "\0",
    ],
]


@settings(max_examples=300, deadline=5000)  # milliseconds: a hang fails, a busy machine does not
@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join),
        st.lists(st.sampled_from(WORDS), max_size=30).map("".join),
    )
)
def test_any_text_is_a_value_or_an_error_of_ours(text: str) -> None:
    """Nothing escapes but ExpressionError, and every outcome is a JSON value."""
    try:
        found = evaluate(text, NAMES)
    except ExpressionError:
        return
    assert isinstance(found.value, bool | int | float | str | list | dict)


@settings(deadline=None)  # a busy machine is no failure
@given(
    st.recursive(
        st.integers(-9, 9).map(str),
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(
            lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"
        ),
        max_leaves=12,
    )
)
def test_whole_numbers_calculate_as_python_does(text: str) -> None:
    """Inside its bounds the language is Python's arithmetic."""
    expected = eval(compile(ast.parse(text, mode="eval"), "", "eval"))  # noqa: S307  digits and operators, made above
    assert evaluate(text, NAMES).value == expected


def test_a_claim_over_results_holds_or_does_not() -> None:
    """`decide` says yes or no, and never inconclusive."""
    assert decide("abs(loss - 0.46) < 1e-6", NAMES) is Verdict.HOLDS
    assert decide("traces == 1", NAMES) is Verdict.FAILS


@pytest.mark.parametrize("text", ["loss", "traces + 1", "eager > compiled"])
def test_a_claim_over_results_is_a_comparison_of_results(text: str) -> None:
    """A bare value claims nothing, and times are not decided by yes or no."""
    with pytest.raises(ExpressionError):
        decide(text, NAMES)


def test_claims_over_times_are_recognised() -> None:
    """Wherever a measurement is named."""
    assert claims_time("eager.median / compiled > 2", NAMES.measurements)
    assert not claims_time("traces == 2", NAMES.measurements)
    assert not claims_time("top == 'eager'", NAMES.measurements)


def test_sides_are_evaluated_per_process() -> None:
    """Each process gives one value of A and one of B, from its own medians."""
    medians = {"eager": [30.0, 40.0], "compiled": [10.0, 10.0]}
    assert sides("eager > traces * compiled.median", medians, NAMES.results) == (">", [30, 40], [20, 20])
    assert sides("eager / compiled <= 3", medians, NAMES.results) == ("<=", [3, 4], [3, 3])
    assert sides("0 * eager < compiled", medians, NAMES.results) == ("<", [0, 0], [10, 10])


@pytest.mark.parametrize(
    "text",
    [
        "eager",
        "eager == compiled",
        "eager > compiled > 1",
        "eager > compiled and traces == 2",
        "eager.min > compiled",
        "eager - compiled > 0",
        "compiled - eager < compiled",
        "same > compiled",
    ],
)
def test_sides_that_have_no_ratio_are_refused(text: str) -> None:
    """One comparison of two numbers over medians, of which the second can divide."""
    with pytest.raises(ExpressionError):
        sides(text, {"eager": [30.0], "compiled": [10.0]}, NAMES.results)


def test_a_message_shows_little_of_a_large_value() -> None:
    """A list of a thousand numbers does not flood the terminal."""
    assert len(quantity.show(list(range(1000)))) < 80


def test_the_language_is_light() -> None:
    """The Markdown blocks import it: it brings in nothing but the standard library."""
    code = "import sys, benchbook.language.expression; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert "benchbook.language.quantity" in found.stdout.split()
    assert not {"pydantic", "numpy", "scipy", "jax", "yaml", "markdown"} & set(found.stdout.split())
