"""What a snippet leaves behind: plain dicts, checked and turned into JSON in the process that made them."""

import base64
import hashlib
import math
import os
import re
from collections.abc import Iterator
from typing import Any

from benchbook.worker.wire import ARTEFACT_LIMIT

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ARRAY = re.compile(r"[a-z][a-z0-9_]*\[[0-9,]*\]")
REQUIRED = ("samples", "inputs", "warmup", "calls", "wait", "excludes")
DEEPEST = 16


class UnfitError(ValueError):
    """Something that cannot be recorded. Its text says what and where; ``mend`` says what to write."""

    def __init__(self, message: str, mend: str) -> None:
        super().__init__(message)
        self.mend = mend


def results(value: object) -> dict[str, Any]:
    """Named values. NaN and infinities become the strings ``"nan"``, ``"inf"``, ``"-inf"``.

    Raises:
        UnfitError: It is no dict of identifiers to plain values.
    """
    return {name: plain(item, f"results[{name!r}]") for name, item in _table(value, "results").items()}


def figure(value: object) -> list[Any]:
    """The panels of a figure; one dict is one panel.

    Raises:
        UnfitError: It is neither a dict nor a list of dicts of plain values.
    """
    panels = value if isinstance(value, list) else [value]
    if not panels or not all(isinstance(panel, dict) for panel in panels):
        raise UnfitError("visual_data is no dict", "assign a dict, or a list with one dict a panel")
    return [plain(panel, "visual_data") for panel in panels]


def measurements(value: object) -> dict[str, dict[str, Any]]:
    """Measurements of this process; seconds become integer nanoseconds.

    Raises:
        UnfitError: A key is missing or unknown, a sample is no finite number, or there is no sample.
    """
    return {name: _measurement(name, item) for name, item in _table(value, "measurements").items()}


def _measurement(name: str, value: object) -> dict[str, Any]:
    where = f"measurements[{name!r}]"
    if not isinstance(value, dict):
        raise UnfitError(f"{where} is {_kind(value)}", f"assign a dict with {', '.join(REQUIRED)}")
    missing = [key for key in REQUIRED if key not in value]
    unknown = sorted(str(key) for key in set(value) - {*REQUIRED, "unit"})
    if missing or unknown:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has the unknown key {unknown[0]}"
        raise UnfitError(f"{where} {wrong}", f"give {', '.join(REQUIRED)}, and unit when it is not seconds")
    unit = _text(value.get("unit", "s"), f"{where}['unit']")
    samples = _samples(value["samples"], where)
    return {
        "inputs": list(_inputs(value["inputs"], where)),
        "warmup": _whole(value["warmup"], 0, f"{where}['warmup']"),
        "calls": _whole(value["calls"], 1, f"{where}['calls']"),
        "wait": _text(value["wait"], f"{where}['wait']"),
        "excludes": _text(value["excludes"], f"{where}['excludes']"),
        "unit": "ns" if unit == "s" else unit,
        "samples": [_nanoseconds(sample, where) for sample in samples] if unit == "s" else samples,
    }


def _samples(value: object, where: str) -> list[int | float]:
    if not isinstance(value, list | tuple) or not value:
        what = "no sample" if isinstance(value, list | tuple) else _kind(value)
        raise UnfitError(f"{where}['samples'] is {what}", "give a list of at least one Python number")
    for index, sample in enumerate(value):
        place = f"{where}['samples'][{index}]"
        if isinstance(sample, bool) or not isinstance(sample, int | float):
            raise UnfitError(f"{place} is {_kind(sample)}", "write float(...)")
        if not math.isfinite(sample):
            raise UnfitError(f"{place} is {sample}", "measure again, or leave the sample out and say so")
    return [sample if isinstance(sample, int) else float(sample) for sample in value]


def _nanoseconds(seconds: float, where: str) -> int:
    if seconds < 0:
        raise UnfitError(f"{where}['samples'] holds {seconds} seconds", "subtract the start from the end")
    return round(seconds * 1e9)


def _inputs(value: object, where: str) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _inputs(item, where)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _inputs(item, where)
    elif hasattr(value, "dtype") and hasattr(value, "shape"):
        yield f"{value.dtype}[{','.join(str(size) for size in value.shape)}]"
    elif isinstance(value, bool | int | float | complex):
        yield f"Python {type(value).__name__}"
    elif isinstance(value, str) and ARRAY.fullmatch(value):
        yield value
    else:
        raise UnfitError(
            f"{where}['inputs'] holds {_kind(value)}", "give the arrays, or text like float32[4,3]"
        )


def artefacts(value: object) -> dict[str, dict[str, Any]]:
    """Small files, read now and carried as base64.

    Raises:
        UnfitError: A file is missing or too large, or its type or name is not right.
    """
    return {name: _artefact(name, item) for name, item in _table(value, "artefacts").items()}


def _artefact(name: str, value: object) -> dict[str, Any]:
    where = f"artefacts[{name!r}]"
    if not isinstance(value, dict) or set(value) != {"path", "type"}:
        raise UnfitError(f"{where} is not right", 'assign {"path": ..., "type": "application/gzip"}')
    kind = _text(value["type"], f"{where}['type']")
    try:
        path = os.fspath(value["path"])
        with open(path, "rb") as file:  # noqa: PTH123  # a descriptor is no artefact: fspath refused it above
            data = file.read(ARTEFACT_LIMIT + 1)
    except (OSError, TypeError) as error:
        raise UnfitError(
            f"{where}['path'] cannot be read: {error}", "write the file before the cell ends"
        ) from None
    if len(data) > ARTEFACT_LIMIT:
        raise UnfitError(f"{where} is larger than {ARTEFACT_LIMIT} bytes", "keep less, or compress it")
    return {
        "path": os.path.basename(path),  # noqa: PTH119  # the path may be bytes-like or relative: only its name counts
        "type": kind,
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
        "data": base64.b64encode(data).decode(),
    }


def plain(value: object, where: str, depth: int = 0) -> Any:  # noqa: ANN401  # JSON is any of six types
    """A JSON value; arrays and other objects are refused, since what they hold is not settled.

    Raises:
        UnfitError: With the place in ``where``.
    """
    if depth > DEEPEST:
        raise UnfitError(f"{where} is nested deeper than {DEEPEST}", "flatten it")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _spelled(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, list | tuple):
        return [plain(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise UnfitError(f"{where} has a key that is no text", "use text keys")
        return {_spelled(key): plain(item, f"{where}[{key!r}]", depth + 1) for key, item in value.items()}
    raise UnfitError(f"{where} is {_kind(value)}", "write float(x), int(x) or x.tolist()")


def _table(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnfitError(f"{where} is {_kind(value)}", "assign a dict")
    for name in value:
        if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
            raise UnfitError(f"{where} has the name {name!r}", "name it as a Python identifier")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UnfitError(
            f"{where} is {_kind(value) if not isinstance(value, str) else 'empty'}", "give a phrase"
        )
    return _spelled(value.strip())


def _spelled(text: str) -> str:
    """The text as UTF-8 can hold it: lone surrogates are written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _whole(value: object, least: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UnfitError(f"{where} is {value!r}", f"give a whole number of at least {least}")
    return value


def _kind(value: object) -> str:
    kind = type(value)
    if kind.__module__.split(".")[0] in {"jax", "jaxlib"}:
        return "a JAX array" if hasattr(value, "dtype") else f"a JAX {kind.__name__}"
    if kind.__module__.split(".")[0] == "numpy":
        return "a NumPy array" if getattr(value, "shape", ()) else "a NumPy scalar"
    return f"{'an' if kind.__name__[0] in 'aeiou' else 'a'} {kind.__name__}"
