"""Syntax trees: whether a snippet measures."""

import pytest

from benchbook.lesson.snippet import parse

HEADER = "# /// script\n# dependencies = []\n# ///\n"


@pytest.mark.parametrize(
    ("code", "measures"),
    [
        ("measurements = {}", True),
        ("measurements: dict = {}", True),
        ("measurements |= {}", True),
        ("measurements['a'] = 1", True),
        ("measurements['a']['b'] = 1", True),
        ("if True:\n    measurements = {}", True),
        ("with open('x') as f:\n    results = measurements = {}", True),
        ("def f():\n    measurements = {}", False),
        ("class A:\n    measurements = {}", False),
        ("f = lambda measurements: measurements", False),
        ("x = {}  # measurements = {}", False),
        ("print(measurements)", False),
        ("x.measurements = {}", False),
    ],
)
def test_a_snippet_measures_when_it_assigns_measurements_at_module_level(code: str, measures: bool):
    """Assignments in functions and classes, reads and comments do not count."""
    assert parse(f"{HEADER}# %% one\n{code}\n", slug="a/b", path="p").measures is measures
