"""The assembly: from what the processes of a job answered to one run, or to why there is none."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from benchbook import __version__
from benchbook.drawing import figure
from benchbook.errors import BenchbookError
from benchbook.lesson.snippet import Snippet
from benchbook.recording.comparison import first_difference, same_text, same_value
from benchbook.run import Run, first_problem
from benchbook.worker.wire import Frame


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job became no run.

    Attributes:
        kind: A kind of the wire, or ``disagreed``.
        message: One line with file, line, cell and what happened.
        output: What the cell that failed had printed.
    """

    kind: str
    message: str
    output: str = ""


@dataclass(slots=True)
class Gathered:
    """What came back for one job so far."""

    processes: list[Frame] = field(default_factory=list)
    inspection: Frame | None = None


def assemble(
    snippet: Snippet, gathered: Gathered, session: Frame, *, compile_cache: bool
) -> tuple[Run, dict[str, bytes]] | Failure:
    """Makes the run, and the artefacts that lie beside it.

    Args:
        snippet: What ran.
        gathered: Frames of every process, in order.
        session: The session's first frame.
        compile_cache: Whether forked processes shared JAX's persistent cache.
    """
    failed = next((f for f in gathered.processes if f.get("kind") not in ("completed", "abandoned")), None)
    if failed is not None:
        return _failure(snippet, failed)
    try:
        disagreement = _disagreement(snippet, gathered.processes)
        if disagreement is not None:
            return Failure("disagreed", f"{snippet.path}: {disagreement}")
        run = Run.model_validate(_tree(snippet, gathered, session, compile_cache), strict=True)
        for panels in run.figures.values():
            figure.check(panels)
        return run, _artefacts(gathered.processes[0])
    except ValidationError as error:
        return Failure("invalid", f"{snippet.path}: {first_problem(error)}")
    except BenchbookError as error:
        return Failure("invalid", f"{snippet.path}: {error}")
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        return Failure("invalid", f"{snippet.path}: the worker's answer is not right: {error!r}")


def _failure(snippet: Snippet, frame: Frame) -> Failure:
    line = f":{frame['line']}" if frame.get("line") else ""
    cell = f"cell {frame['cell']}: " if frame.get("cell") else ""
    process = f" (process {frame['process'] + 1})" if frame.get("process") else ""
    kind = frame.get("kind", "invalid")
    cells = frame.get("cells") or []
    output = "".join(cells[-1].get(stream, "") for stream in ("stdout", "stderr")) if cells else ""
    return Failure(kind, f"{snippet.path}{line}: {cell}{kind}: {frame.get('detail', '')}{process}", output)


def _disagreement(snippet: Snippet, processes: Sequence[Frame]) -> str | None:
    """Where a later process did not do as the first, outside cells that vary."""
    tolerance = snippet.header.tolerance
    steady = {cell.name for cell in snippet.cells if not cell.varies}
    first = processes[0]
    for number, other in enumerate(processes[1:], start=2):
        for a, b in zip(first["cells"], other["cells"], strict=True):
            if a["name"] in steady and not same_text(a["stdout"], b["stdout"], tolerance=tolerance):
                how = first_difference(a["stdout"], b["stdout"], tolerance=tolerance)
                return f"cell {a['name']}: process {number} disagrees: {how} (tag it varies if it should)"
        for group, what in (("results", "results"), ("figures", "the figure of")):
            one, two = (_steady(frame["left"], group, steady) for frame in (first, other))
            for name in one | two:
                if not same_value(one.get(name), two.get(name), tolerance=tolerance):
                    return f"process {number} disagrees on {what} {name} (times belong in measurements)"
    return None


def _steady(left: Mapping[str, Any], group: str, steady: set[str]) -> dict[str, Any]:
    origin = left["from"]
    return {
        name: value
        for name, value in left[group].items()
        if (name if group == "figures" else origin.get(f"{group}.{name}")) in steady
    }


def _tree(snippet: Snippet, gathered: Gathered, session: Frame, compile_cache: bool) -> dict[str, Any]:
    processes, machine = gathered.processes, session["machine"]
    first, last = processes[0], processes[-1]
    device = {key: first["device"][key] for key in ("platform", "kind", "count", "memory_bytes", "driver")}
    return {
        "schema": 1,
        "slug": snippet.slug,
        "backend": session["plan"]["expected"]["backend"],
        "started": first["started"],
        "ended": max(frame["ended"] for frame in processes),
        "source": {"text": snippet.text, "sha256": hashlib.sha256(snippet.text.encode()).hexdigest()},
        "environment": {
            **{key: machine[key] for key in ("python", "implementation", "os", "jax", "jaxlib", "plugins")},
            "distributions": first["distributions"],
            "config": first["config"],
            "flags": first["flags"],
        },
        "hardware": {
            "cpu": machine["cpu"],
            "memory_gib": machine["memory_gib"],
            "device": device,
            "before": first["before"],
            "after": last["after"],
        },
        "method": {
            "engine": __version__,
            "program": session["plan"]["program"],
            "clock": machine["clock"],
            "start": first["start"],
            "alone": all(frame["alone"] for frame in processes),
            "compile_cache": compile_cache and first["start"] == "fork",
            "processes": len(processes),
            "process_ns": [frame["wall_ns"] for frame in processes],
        },
        "cells": [cell | {"tags": list(snippet.cell(cell["name"]).tags)} for cell in first["cells"]],
        "results": first["left"]["results"],
        "measurements": _measurements(processes),
        "figures": first["left"]["figures"],
        "programs": _programs(gathered.inspection),
        "artefacts": {
            name: {key: entry[key] for key in ("path", "type", "sha256", "size")}
            for name, entry in first["left"]["artefacts"].items()
        },
    }


def _programs(inspection: Frame | None) -> list[dict[str, Any]] | None:
    return inspection["programs"] if inspection and inspection.get("kind") == "completed" else None


def _measurements(processes: Sequence[Frame]) -> dict[str, Any]:
    """Each measurement of the first process, with the samples of all."""
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


def _artefacts(frame: Frame) -> dict[str, bytes]:
    """Contents by file name, proven against their digests."""
    contents = {}
    for name, entry in frame["left"]["artefacts"].items():
        data = base64.b64decode(entry["data"], validate=True)
        if hashlib.sha256(data).hexdigest() != entry["sha256"] or len(data) != entry["size"]:
            raise BenchbookError(f"artefact {name!r} did not arrive whole")
        if entry["path"] in contents:
            raise BenchbookError(f"two artefacts are files named {entry['path']}", mend="rename one")
        contents[entry["path"]] = data
    return contents
