"""A measurement: samples with the inputs and the method that give them a meaning."""

import math
import re
from collections.abc import Iterator
from typing import Any

from benchbook.worker.plain import DEEPEST, LARGEST, UnfitError, kind, table, text, whole

ARRAY = re.compile(r"[a-z][a-z0-9_]*\[[0-9,]*\]")
FURTHEST = 1e150  # so that sums and ratios of samples stay finite
LONGEST = 1e9  # seconds: thirty years
REQUIRED = ("samples", "inputs", "warmup", "calls", "wait", "excludes")


def measurements(value: object) -> dict[str, dict[str, Any]]:
    """Measurements of this process; seconds become integer nanoseconds.

    Raises:
        UnfitError: A key is missing or unknown, a sample is no finite number, or there is no sample or more
            than calls that were timed.
    """
    return {name: _measurement(name, item) for name, item in table(value, "measurements").items()}


def _measurement(name: str, value: object) -> dict[str, Any]:
    where = f"measurements[{name!r}]"
    if not isinstance(value, dict):
        raise UnfitError(f"{where} is {kind(value)}", f"assign a dict with {', '.join(REQUIRED)}")
    missing = [key for key in REQUIRED if key not in value]
    unknown = sorted(str(key) for key in set(value) - {*REQUIRED, "unit"})
    if missing or unknown:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has the unknown key {unknown[0]}"
        raise UnfitError(f"{where} {wrong}", f"give {', '.join(REQUIRED)}, and unit when it is not seconds")
    unit = text(value.get("unit", "s"), f"{where}['unit']")
    samples = _samples(value["samples"], where)
    calls = whole(value["calls"], 1, f"{where}['calls']")
    if len(samples) > calls:
        raise UnfitError(
            f"{where} has {len(samples)} samples of {calls} timed calls",
            "count every timed call of the process",
        )
    return {
        "inputs": list(_inputs(value["inputs"], where)),
        "warmup": whole(value["warmup"], 0, f"{where}['warmup']"),
        "calls": calls,
        "wait": text(value["wait"], f"{where}['wait']"),
        "excludes": text(value["excludes"], f"{where}['excludes']"),
        "unit": "ns" if unit == "s" else unit,
        "samples": [_nanoseconds(sample, where) for sample in samples] if unit == "s" else samples,
    }


def _samples(value: object, where: str) -> list[int | float]:
    if not isinstance(value, list | tuple) or not value:
        what = "no sample" if isinstance(value, list | tuple) else kind(value)
        raise UnfitError(f"{where}['samples'] is {what}", "give a list of at least one Python number")
    for index, sample in enumerate(value):
        place = f"{where}['samples'][{index}]"
        if isinstance(sample, bool) or not isinstance(sample, int | float):
            raise UnfitError(f"{place} is {kind(sample)}", "write float(...)")
        if isinstance(sample, int) and abs(sample) > LARGEST:
            raise UnfitError(f"{place} is an integer of more than 64 bits", "use another unit")
        if not math.isfinite(sample):
            raise UnfitError(f"{place} is {sample}", "measure again, or leave the sample out and say so")
        if abs(sample) > FURTHEST:
            raise UnfitError(f"{place} is {sample:g}", "use another unit")
    return [sample if isinstance(sample, int) else float(sample) for sample in value]


def _nanoseconds(seconds: float, where: str) -> int:
    if seconds < 0:
        raise UnfitError(f"{where}['samples'] holds {seconds} seconds", "subtract the start from the end")
    if seconds > LONGEST:
        raise UnfitError(f"{where}['samples'] holds {seconds:g} seconds", "give seconds, or name the unit")
    return round(seconds * 1e9)


def _inputs(value: object, where: str, depth: int = 0) -> Iterator[str]:
    if depth > DEEPEST:
        raise UnfitError(f"{where}['inputs'] is nested deeper than {DEEPEST}", "give the arrays in one tuple")
    if isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _inputs(item, where, depth + 1)
    elif hasattr(value, "dtype") and hasattr(value, "shape"):
        yield f"{value.dtype}[{','.join(str(size) for size in value.shape)}]"
    elif isinstance(value, bool | int | float | complex):
        yield f"Python {type(value).__name__}"
    elif isinstance(value, str) and ARRAY.fullmatch(value):
        yield value
    else:
        raise UnfitError(
            f"{where}['inputs'] holds {kind(value)}", "give the arrays, or text like float32[4,3]"
        )
