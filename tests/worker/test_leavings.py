"""Leavings: what may be left behind, and the line for everything that may not."""

import math
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from benchbook.worker import leavings
from tests.worker.refusal import refused


class Thing:
    """A class that JSON does not know."""


def test_plain_values_are_kept():
    """Texts, numbers, flags, nothing, lists, tuples and dicts of them come out as JSON."""
    value = {"a": 1, "b": 0.5, "c": True, "d": None, "e": [1, (2, {"f": "g"})]}
    assert leavings.results({"x": value}) == {"x": {**value, "e": [1, [2, {"f": "g"}]]}}


@pytest.mark.parametrize(("number", "text"), [(math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf")])
def test_non_finite_results_become_texts(number: float, text: str):
    """JSON has no such numbers, and a lesson may be about them."""
    assert leavings.results({"x": [number]}) == {"x": [text]}
    assert leavings.figure({"y": [number]}) == [{"y": [text]}]


def test_lone_surrogates_are_written_out():
    """Text that UTF-8 cannot hold is readable, as value and key."""
    assert leavings.results({"x": {"k\ud800": "v\udc80"}}) == {"x": {"k\\ud800": "v\\udc80"}}


def test_subclasses_of_plain_types_become_plain():
    """A NumPy float64 is a float, and a flag of an enumeration is its number."""
    (value,) = leavings.results({"x": np.float64(0.5)}).values()
    assert (value, type(value)) == (0.5, float)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([1], "results is a list: assign a dict"),
        (None, "results is a NoneType: assign a dict"),
        ({1: 2}, "results has the name 1: name it as a Python identifier"),
        ({"a b": 2}, "results has the name 'a b': name it as a Python identifier"),
        ({"x": jnp.ones(3)}, "results['x'] is a JAX array: write float(x), int(x) or x.tolist()"),
        ({"x": [np.ones(3)]}, "results['x'][0] is a NumPy array: write float(x), int(x) or x.tolist()"),
        ({"x": np.float32(1)}, "results['x'] is a NumPy scalar: write float(x), int(x) or x.tolist()"),
        ({"x": {"y": {1}}}, "results['x']['y'] is a set: write float(x), int(x) or x.tolist()"),
        ({"x": Thing()}, "results['x'] is a Thing: write float(x), int(x) or x.tolist()"),
        ({"x": {1: 2}}, "results['x'] has a key that is no text: use text keys"),
        ({"x": b"bytes"}, "results['x'] is a bytes: write float(x), int(x) or x.tolist()"),
    ],
)
def test_results_that_are_not_plain_are_refused(value: object, said: str):
    """The place, what is there, and what to write instead."""
    assert refused(leavings.results, value) == said


def test_a_value_without_end_is_refused():
    """A list that holds itself does not hang the worker."""
    endless: list[Any] = []
    endless.append(endless)
    assert "is nested deeper than 16: flatten it" in refused(leavings.results, {"x": endless})


def test_one_dict_is_one_panel():
    """A list is a figure of several; tuples are lists."""
    assert leavings.figure({"kind": "bar"}) == [{"kind": "bar"}]
    assert leavings.figure([{"y": (1, 2)}, {}]) == [{"y": [1, 2]}, {}]


@pytest.mark.parametrize("value", [[], "bar", [1], ({},), 3])
def test_a_figure_that_is_no_dict_is_refused(value: object):
    """The message says what to assign."""
    assert refused(leavings.figure, value) == (
        "visual_data is no dict: assign a dict, or a list with one dict a panel"
    )


def test_a_figure_with_arrays_is_refused():
    """Its data are settled numbers."""
    assert refused(leavings.figure, [{"y": jnp.ones(2)}]).startswith("visual_data['y'] is a JAX array")


def test_what_stands_in_the_four_names_is_collected():
    """Other names are not looked at, and a name that is not there leaves no group."""
    namespace = {"results": {"x": 1}, "visual_data": {"kind": "bar"}, "other": object()}
    assert leavings.collect(namespace, leavings.Before()) == {
        "results": {"x": 1},
        "figure": [{"kind": "bar"}],
    }
    assert leavings.collect({"measurements": {}, "artefacts": {}}, leavings.Before()) == {
        "measurements": {},
        "artefacts": {},
    }


def test_a_figure_is_its_cells_that_assigned_it():
    """One that stands there from before is not drawn again; an equal one that is assigned anew is."""
    drawn = {"kind": "bar"}
    assert leavings.collect({"visual_data": drawn}, leavings.Before(drawn)) == {}
    assert leavings.collect({"visual_data": dict(drawn)}, leavings.Before(drawn)) == {"figure": [drawn]}


def test_an_artefact_is_its_cells_that_assigned_it(tmp_path: Path):
    """A later cell neither reads it again nor needs it; one that assigns it anew, or changes it, does."""
    path = tmp_path / "note.txt"
    path.write_text("first")
    entry: dict[str, object] = {"path": path, "type": "text/plain"}
    namespace: dict[str, Any] = {"artefacts": {"note": entry}}
    before = leavings.Before()

    def left() -> list[int]:
        found = leavings.collect(namespace, before)["artefacts"]
        before.keep(namespace)
        return [one["size"] for one in found.values()]

    assert left() == [5]
    path.unlink()
    assert left() == []
    path.write_text("another")
    namespace["artefacts"] = {"note": dict(entry)}
    assert left() == [7]
    other = tmp_path / "other.txt"
    other.write_text("third one")
    namespace["artefacts"]["note"]["path"] = other
    assert left() == [9]
    namespace["artefacts"]["more"] = {"path": path, "type": "text/plain"}
    assert left() == [7]
