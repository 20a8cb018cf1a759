"""The agreement: what every process of a job must have in common with the first."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchbook.errors import BenchbookError
from benchbook.lesson.snippet import Snippet
from benchbook.recording.comparison import first_difference, same_text, same_value
from benchbook.worker.wire import Frame

GROUPS = (
    ("results", "results", "times belong in measurements"),
    ("figures", "the figure of", 'name measurements for times, or give the cell tags=["varies"]'),
)


def disagreement(snippet: Snippet, processes: Sequence[Frame]) -> str | None:
    """Where a later process did not do as the first, outside cells that vary; ``None`` where all did.

    Args:
        snippet: Names the cells that vary, and the tolerance.
        processes: Frames of completed processes, in order.
    """
    tolerance = snippet.header.tolerance
    steady = {cell.name for cell in snippet.cells if not cell.varies}
    first = processes[0]
    for number, other in enumerate(processes[1:], start=2):
        for a, b in zip(first["cells"], other["cells"], strict=True):
            if a["name"] in steady and not same_text(a["stdout"], b["stdout"], tolerance=tolerance):
                how = first_difference(a["stdout"], b["stdout"], tolerance=tolerance)
                return f"cell {a['name']}: process {number} disagrees: {how} (tag it varies if it should)"
        for group, what, mend in GROUPS:
            one, two = (_steady(frame["left"], group, steady) for frame in (first, other))
            for name in one | two:
                if not same_value(one.get(name), two.get(name), tolerance=tolerance):
                    return f"process {number} disagrees on {what} {name} ({mend})"
        for name in first["left"]["artefacts"] | other["left"]["artefacts"]:
            if _file(first, name) != _file(other, name):
                return f"process {number} disagrees on artefacts {name} (write one file of that name in each)"
    return None


def _steady(left: Mapping[str, Any], group: str, steady: set[str]) -> dict[str, Any]:
    origin = left["from"]
    return {
        name: value
        for name, value in left[group].items()
        if (name if group == "figures" else origin.get(f"{group}.{name}")) in steady
    }


def _file(frame: Frame, name: str) -> tuple[Any, ...] | None:
    """What a process says of a file, without what is in it; a page shows that of the first as the run's."""
    found = frame["left"]["artefacts"].get(name)
    return None if found is None else (found["path"], found["type"], found["size"] > 0)


def measurements(processes: Sequence[Frame]) -> dict[str, Any]:
    """Each measurement of the first process, with one list of samples for each.

    Raises:
        BenchbookError: In another process one of them has other inputs or another method, or is not there.
    """
    rows = [frame["left"]["measurements"] for frame in processes]
    for row in rows[1:]:
        for name in rows[0] | row:
            one, two = (_meaning(row_.get(name)) for row_ in (rows[0], row))
            if one != two:
                raise BenchbookError(f"measurement {name!r} differs between processes in more than samples")
    return {
        name: entry | {"samples": [row[name]["samples"] for row in rows]} for name, entry in rows[0].items()
    }


def _meaning(entry: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if entry is None else {key: value for key, value in entry.items() if key != "samples"}
