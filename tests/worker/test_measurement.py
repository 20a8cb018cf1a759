"""Measurements: samples with a method, and the line for those without."""

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from benchbook.worker.measurement import measurements
from tests.worker.refusal import refused

METHOD = {"inputs": (), "warmup": 1, "calls": 4, "wait": "each call", "excludes": "compilation"}


def measurement(**changes: Any) -> dict[str, Any]:
    """A measurement as a snippet leaves it; ``...`` takes a key away."""
    entry = {"samples": [1e-6, 2e-6], **METHOD} | changes
    return {"m": {key: value for key, value in entry.items() if value is not ...}}


def test_seconds_become_whole_nanoseconds():
    """A measurement without a unit is of time; its samples are rounded to integers."""
    (entry,) = measurements(measurement(samples=[1.5e-6, 2e-9, 0, 1])).values()
    assert entry["samples"] == [1500, 2, 0, 1_000_000_000]
    assert all(type(sample) is int for sample in entry["samples"])
    assert entry["unit"] == "ns"
    assert {key: entry[key] for key in METHOD if key != "inputs"} == {
        key: value for key, value in METHOD.items() if key != "inputs"
    }


def test_another_unit_keeps_its_numbers():
    """Only seconds are converted."""
    (entry,) = measurements(measurement(unit="GFLOP/s", samples=(1.5, 2))).values()
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
    (entry,) = measurements(measurement(inputs=inputs)).values()
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
        (measurement(calls=1), "measurements['m'] has 2 samples of 1 timed calls: count every timed call"),
        (measurement(calls=2.0), "measurements['m']['calls'] is 2.0: give a whole number of at least 1"),
        (measurement(wait=""), "measurements['m']['wait'] is empty: give a phrase"),
        (measurement(excludes=None), "measurements['m']['excludes'] is a NoneType: give a phrase"),
        (measurement(unit=" "), "measurements['m']['unit'] is empty: give a phrase"),
    ],
)
def test_a_measurement_without_method_or_numbers_is_refused(value: object, said: str):
    """A number states its inputs and its method, or is not recorded."""
    assert refused(measurements, value).startswith(said)


def test_lone_surrogates_in_phrases_are_written_out():
    """Text that UTF-8 cannot hold is readable."""
    assert measurements(measurement(wait="\ud800"))["m"]["wait"] == "\\ud800"
