"""Plain values: phrases, whole numbers and tables, and names for what is none."""

import jax.numpy as jnp
import numpy as np
import pytest

from benchbook.worker import plain
from tests.worker.refusal import refused


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (jnp.ones(2), "a JAX array"),
        (np.ones(2), "a NumPy array"),
        (np.float32(1), "a NumPy scalar"),
        (object(), "an object"),
        (None, "a NoneType"),
    ],
)
def test_things_are_named_in_words(value: object, said: str):
    """A message says what stands there, with its article."""
    assert plain.kind(value) == said


def test_phrases_have_no_white_space_around_them():
    """And are UTF-8."""
    assert plain.text(" each \ud800call\n", "x") == "each \\ud800call"
    assert refused(lambda value: plain.text(value, "x"), "\n") == "x is empty: give a phrase"


def test_whole_numbers_have_a_least():
    """The least itself is one, and a flag is none."""
    assert plain.whole(1, 1, "x") == 1
    for value in (0, 1.0, True, "1"):
        assert refused(lambda value: plain.whole(value, 1, "x"), value) == (
            f"x is {value!r}: give a whole number of at least 1"
        )


def test_a_table_is_the_dict_itself():
    """Its keys are Python identifiers, whatever its values are."""
    table = {"a_1": object()}
    assert plain.table(table, "x") is table
    assert refused(lambda value: plain.table(value, "x"), {"1a": 1}).startswith("x has the name '1a'")
