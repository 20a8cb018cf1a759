"""The comparison: what two executions of one snippet have in common, number by number."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchbook.run import Cell, Measurement, Panel, Run

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
LONGEST = 60  # characters of a value in a message


def same_text(left: str, right: str, *, tolerance: float) -> bool:
    """Whether texts are the same outside numbers, and their numbers within tolerance."""
    if left == right:
        return True
    if NUMBER.split(left) != NUMBER.split(right):
        return False
    pairs = zip(NUMBER.findall(left), NUMBER.findall(right), strict=True)
    return all(same_value(_number(a), _number(b), tolerance=tolerance) for a, b in pairs)


def same_shape(left: str, right: str) -> bool:
    """Whether texts are the same when every number counts as one, and all white space too."""
    return _shape(left) == _shape(right)


def same_value(left: Any, right: Any, *, tolerance: float) -> bool:  # noqa: ANN401  # any JSON
    """Whether JSON values are the same, floats within tolerance and integers exactly."""
    if isinstance(left, bool) or isinstance(right, bool) or left is None or right is None:
        return left is right
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return _close(left, right, tolerance)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(
            same_value(a, b, tolerance=tolerance) for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            same_value(left[key], right[key], tolerance=tolerance) for key in left
        )
    return bool(left == right)


def differences(old: Run, new: Run, *, tolerance: float) -> list[str]:
    """One line for each thing that changed from one run to another; none where it is reproduced.

    Times are not compared: a page says what they are, and no difference of them gates. Nor are the bytes
    of an artefact: a trace is of its own process.
    """
    return [
        *_cells(old.cells, new.cells, tolerance),
        *_named("result", _steady(old), _steady(new), tolerance),
        *_measurements(old.measurements, new.measurements),
        *_figures(old, new, tolerance),
        *_named("artefact", _files(old), _files(new), 0.0),
    ]


def moved_programs(old: Run, new: Run) -> str | None:
    """Whether a change can be put on tracing, on XLA, or on the runtime; ``None`` where it is not known."""
    if not old.programs or not new.programs:
        return None
    if [(p.name, p.stablehlo) for p in old.programs] != [(p.name, p.stablehlo) for p in new.programs]:
        return "traced programs differ: JAX or the snippet changed"
    if [p.hlo for p in old.programs] != [p.hlo for p in new.programs]:
        return "traced programs are the same, optimised ones differ: XLA changed"
    return "programs are the same: a change is the runtime's or the machine's"


def _close(left: float, right: float, tolerance: float) -> bool:
    try:
        return math.isclose(left, right, rel_tol=tolerance, abs_tol=tolerance)
    except OverflowError:  # an integer past every float
        return left == right


def _steady(run: Run) -> dict[str, Any]:
    """The results of cells that do not vary."""
    varying = {name for cell in run.cells if "varies" in cell.tags for name in cell.results}
    return {name: value for name, value in run.results.items() if name not in varying}


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _shape(text: str) -> list[str]:
    return NUMBER.sub("0", text).split()


def _cells(old: Sequence[Cell], new: Sequence[Cell], tolerance: float) -> Iterator[str]:
    before, after = {cell.name: cell for cell in old}, {cell.name: cell for cell in new}
    for name in [*before, *(name for name in after if name not in before)]:
        if name not in before or name not in after:
            yield f"cell {name}: {'added' if name in after else 'gone'}"
            continue
        for stream in ("stdout", "stderr"):
            was, now = getattr(before[name], stream), getattr(after[name], stream)
            varies = "varies" in after[name].tags
            if not (same_shape(was, now) if varies else same_text(was, now, tolerance=tolerance)):
                yield f"cell {name}: {stream}: {first_difference(was, now, tolerance=tolerance)}"


def first_difference(old: str, new: str, *, tolerance: float) -> str:
    """The first line that differs, as ``'old' is now 'new'``."""
    was, now = old.splitlines(), new.splitlines()
    for a, b in zip(was, now, strict=False):
        if not same_text(a, b, tolerance=tolerance):
            return f"{a[:LONGEST]!r} is now {b[:LONGEST]!r}"
    return f"{len(was)} lines are now {len(now)}"


def _named(kind: str, old: Mapping[str, Any], new: Mapping[str, Any], tolerance: float) -> Iterator[str]:
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in old or name not in new:
            yield f"{kind} {name}: {'added' if name in new else 'gone'}"
        elif not same_value(old[name], new[name], tolerance=tolerance):
            yield f"{kind} {name}: {_short(old[name])} is now {_short(new[name])}"


def _measurements(old: Mapping[str, Measurement], new: Mapping[str, Measurement]) -> Iterator[str]:
    def meaning(measurements: Mapping[str, Measurement]) -> dict[str, Any]:
        return {name: m.model_dump(exclude={"samples"}) for name, m in measurements.items()}

    yield from _named("measurement", meaning(old), meaning(new), 0.0)


def _figures(old: Run, new: Run, tolerance: float) -> Iterator[str]:
    varying = {cell.name for cell in new.cells if "varies" in cell.tags}

    def data(figures: Mapping[str, list[Panel]]) -> dict[str, Any]:
        kept = {name: panels for name, panels in figures.items() if name not in varying}
        return {name: [panel.model_dump() for panel in panels] for name, panels in kept.items()}

    yield from _named("figure", data(old.figures), data(new.figures), tolerance)


def _files(run: Run) -> dict[str, Any]:
    """What a reader finds beside a run, without what is in it; only that there is something."""
    return {
        name: [found.path, found.type, *([] if found.size else ["empty"])]
        for name, found in run.artefacts.items()
    }


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
