"""Leavings: what may be left behind, and the line for everything that may not."""

import base64
import hashlib
import math
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from benchbook.worker import leavings
from benchbook.worker.leavings import UnfitError
from benchbook.worker.wire import ARTEFACT_LIMIT

METHOD = {"inputs": (), "warmup": 1, "calls": 2, "wait": "each call", "excludes": "compilation"}


class Thing:
    """A class that JSON does not know."""


def measurement(**changes: Any) -> dict[str, Any]:
    """A measurement as a snippet leaves it; ``...`` takes a key away."""
    entry = {"samples": [1e-6, 2e-6], **METHOD} | changes
    return {"m": {key: value for key, value in entry.items() if value is not ...}}


def refused(read: Any, value: object) -> str:
    """``message: mend`` of what is refused."""
    with pytest.raises(UnfitError) as caught:
        read(value)
    return f"{caught.value}: {caught.value.mend}"


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
    """Text that UTF-8 cannot hold is readable, as value, key and phrase."""
    assert leavings.results({"x": {"k\ud800": "v\udc80"}}) == {"x": {"k\\ud800": "v\\udc80"}}
    assert leavings.measurements(measurement(wait="\ud800"))["m"]["wait"] == "\\ud800"


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


def test_seconds_become_whole_nanoseconds():
    """A measurement without a unit is of time; its samples are rounded to integers."""
    (entry,) = leavings.measurements(measurement(samples=[1.5e-6, 2e-9, 0, 1])).values()
    assert entry["samples"] == [1500, 2, 0, 1_000_000_000]
    assert all(type(sample) is int for sample in entry["samples"])
    assert entry["unit"] == "ns"
    assert {key: entry[key] for key in METHOD if key != "inputs"} == {
        key: value for key, value in METHOD.items() if key != "inputs"
    }


def test_another_unit_keeps_its_numbers():
    """Only seconds are converted."""
    (entry,) = leavings.measurements(measurement(unit="GFLOP/s", samples=(1.5, 2))).values()
    assert (entry["unit"], entry["samples"]) == ("GFLOP/s", [1.5, 2])


def test_inputs_are_rendered_as_dtype_and_shape():
    """Arrays of JAX and NumPy, trees of them, Python numbers and texts that say the same."""
    inputs = (
        jnp.ones((4, 3)),
        {"w": np.zeros(2, np.int8)},
        [1, 2.0, True],
        "bfloat16[8,128]",
        jnp.float32(1),
    )
    (entry,) = leavings.measurements(measurement(inputs=inputs)).values()
    assert entry["inputs"] == [
        "float32[4,3]",
        "int8[2]",
        "Python int",
        "Python float",
        "Python bool",
        "bfloat16[8,128]",
        "float32[]",
    ]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "measurements is a list: assign a dict"),
        (
            {"m": [1.0]},
            "measurements['m'] is a list: assign a dict with samples, inputs, warmup, calls, wait, exc",
        ),
        ({"m": {}}, "measurements['m'] lacks samples, inputs, warmup, calls, wait, excludes: give samples"),
        (
            measurement(wait=...),
            "measurements['m'] lacks wait: give samples, inputs, warmup, calls, wait, excludes",
        ),
        (measurement(note="x"), "measurements['m'] has the unknown key note: give samples"),
        (measurement(samples=[]), "measurements['m']['samples'] is no sample: give a list of at least one"),
        (measurement(samples=1.0), "measurements['m']['samples'] is a float: give a list"),
        (measurement(samples=jnp.ones(2)), "measurements['m']['samples'] is a JAX array: give a list"),
        (measurement(samples=[1.0, "2"]), "measurements['m']['samples'][1] is a str: write float(...)"),
        (measurement(samples=[True]), "measurements['m']['samples'][0] is a bool: write float(...)"),
        (
            measurement(samples=[jnp.float32(1)]),
            "measurements['m']['samples'][0] is a JAX array: write float",
        ),
        (measurement(samples=[math.nan]), "measurements['m']['samples'][0] is nan: measure again"),
        (measurement(samples=[math.inf]), "measurements['m']['samples'][0] is inf: measure again"),
        (
            measurement(samples=[-1e-9]),
            "measurements['m']['samples'] holds -1e-09 seconds: subtract the start",
        ),
        (
            measurement(inputs=[object()]),
            "measurements['m']['inputs'] holds an object: give the arrays, or text",
        ),
        (measurement(inputs="x and y"), "measurements['m']['inputs'] holds a str: give the arrays, or text"),
        (measurement(warmup=-1), "measurements['m']['warmup'] is -1: give a whole number of at least 0"),
        (measurement(warmup=True), "measurements['m']['warmup'] is True: give a whole number of at least 0"),
        (measurement(calls=0), "measurements['m']['calls'] is 0: give a whole number of at least 1"),
        (measurement(calls=2.0), "measurements['m']['calls'] is 2.0: give a whole number of at least 1"),
        (measurement(wait=""), "measurements['m']['wait'] is empty: give a phrase"),
        (measurement(excludes=None), "measurements['m']['excludes'] is a NoneType: give a phrase"),
        (measurement(unit=" "), "measurements['m']['unit'] is empty: give a phrase"),
    ],
)
def test_a_measurement_without_method_or_numbers_is_refused(value: object, said: str):
    """A number states its inputs and its method, or is not recorded."""
    assert refused(leavings.measurements, value).startswith(said)


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


def test_an_artefact_is_read_at_once(tmp_path: Path):
    """Contents, digest and size are those of the end of its cell."""
    path = tmp_path / "trace.gz"
    data = bytes(range(256))
    path.write_bytes(data)
    (entry,) = leavings.artefacts({"trace": {"path": path, "type": "application/gzip"}}).values()
    path.unlink()
    assert entry == {
        "path": "trace.gz",
        "type": "application/gzip",
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": 256,
        "data": base64.b64encode(data).decode(),
    }


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("trace.gz", 'artefacts[\'a\'] is not right: assign {"path": ..., "type": "application/gzip"}'),
        ({"path": "x"}, "artefacts['a'] is not right"),
        ({"path": "x", "type": "a/b", "size": 1}, "artefacts['a'] is not right"),
        ({"path": "x", "type": ""}, "artefacts['a']['type'] is empty: give a phrase"),
        ({"path": "none.gz", "type": "a/b"}, "artefacts['a']['path'] cannot be read: [Errno 2]"),
        ({"path": 0, "type": "a/b"}, "artefacts['a']['path'] cannot be read: expected str"),
        ({"path": ".", "type": "a/b"}, "artefacts['a']['path'] cannot be read: [Errno 21]"),
        (
            {"path": "large", "type": "a/b"},
            f"artefacts['a'] is larger than {ARTEFACT_LIMIT} bytes: keep less",
        ),
    ],
)
def test_an_artefact_that_cannot_be_kept_is_refused(
    entry: object, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Missing files, folders, descriptors and large files, each in one line."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large").write_bytes(b"\0" * (ARTEFACT_LIMIT + 1))
    assert refused(leavings.artefacts, {"a": entry}).startswith(said)


def test_the_largest_artefact_is_kept(tmp_path: Path):
    """The limit itself is allowed."""
    path = tmp_path / "large"
    path.write_bytes(b"\0" * ARTEFACT_LIMIT)
    assert leavings.artefacts({"a": {"path": str(path), "type": "a/b"}})["a"]["size"] == ARTEFACT_LIMIT
