"""Numbers are shown with three significant digits and a unit of a readable size."""

import pytest

from benchbook.reading import interval, listed, text


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (5020, "ns", "5.02 µs"),
        (999.6, "ns", "1.00 µs"),
        (36_000_000, "ns", "36.0 ms"),
        (0.4, "ns", "0.4 ns"),
        (3.1e11, "ns", "310 s"),
        (0, "ns", "0 ns"),
        (1234567, "B", "1.23 MB"),
        (12.5, "widgets", "12.5 widgets"),
        (0.46, "", "0.46"),
        (0.46000000834, "", "0.460"),
        (12345.678, "", "12300"),
        (2.98e-8, "", "2.98\u00d710⁻⁸"),
        (10**12, "", "1\u00d710¹²"),
        (1234567, "", "1234567"),
        (2.0, "", "2"),
        (True, "", "True"),
        ("nan", "", "nan"),
        ([0.46, {"a": 1}], "", "[0.46, {a: 1}]"),
    ],
)
def test_a_value_is_readable(value: object, unit: str, shown: str) -> None:
    """Units scale, whole numbers stay exact, and nothing has more digits than it can bear."""
    assert text(value, unit) == shown


def test_an_interval_shares_the_unit_of_its_estimate() -> None:
    """Ends are read against the estimate, so they are in its unit."""
    assert interval(999, 990, 1100, "ns") == "999 ns [990, 1100]"
    assert interval(5020, 4980, 5100, "ns") == "5.02 µs [4.98, 5.10]"
    assert interval(5020, None, None, "ns") == "5.02 µs"


def test_names_are_listed_as_prose() -> None:
    """One, two or three names read as a phrase."""
    assert [listed(names, "or") for names in (["a"], ["a", "b"], ["a", "b", "c"])] == [
        "a",
        "a or b",
        "a, b or c",
    ]
