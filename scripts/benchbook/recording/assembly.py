"""The assembly: from what the processes of a job answered to one run, or to why there is none."""

import threading
from typing import Any

from pydantic import ValidationError

from benchbook import __version__
from benchbook.errors import BenchbookError
from benchbook.lesson.snippet import Snippet
from benchbook.recording import agreement, artefact
from benchbook.recording.failure import Failure
from benchbook.recording.gathering import Gathered
from benchbook.run import Run, first_problem
from benchbook.worker.wire import Frame

_DRAWING = (
    threading.Lock()
)  # Matplotlib is for one thread at a time, and each host's runs are made on its own


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
        return Failure.of(snippet, failed)
    try:
        disagreement = agreement.disagreement(snippet, gathered.processes)
        if disagreement is not None:
            return Failure("disagreed", f"{snippet.path}: {disagreement}")
        files = artefact.contents(gathered.processes[0])
        run = Run.model_validate(_tree(snippet, gathered, session, compile_cache), strict=True)
        _check_figures(snippet, run)
    except ValidationError as error:
        return Failure("invalid", f"{snippet.path}: {first_problem(error)}")
    except BenchbookError as error:
        placed = BenchbookError(error.message, path=snippet.path, line=error.line, mend=error.mend)
        return Failure("invalid", str(placed))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        return Failure("invalid", f"{snippet.path}: the worker's answer is not right: {error!r}")
    return run, files


def _check_figures(snippet: Snippet, run: Run) -> None:
    """Proves that each figure can be drawn, now and not when a page is built."""
    if not run.figures:
        return
    from benchbook.drawing import fitness  # Matplotlib takes as long to import as a recording of many

    for cell, panels in run.figures.items():
        try:
            with _DRAWING:
                fitness.charts(panels, run.measurements, seed=run.source.sha256)
        except BenchbookError as error:
            message = f"the figure of cell {cell!r}: {error.message}"
            raise BenchbookError(message, line=snippet.cell(cell).line, mend=error.mend) from error


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
        "source": {"text": snippet.text, "sha256": snippet.sha256},
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
            "order": "one after another",
            "alone": all(frame["alone"] for frame in processes),
            "compile_cache": compile_cache and first["start"] == "fork",
            "processes": len(processes),
            "process_ns": [frame["wall_ns"] for frame in processes],
        },
        "cells": [_cell(snippet, cell, first["left"]) for cell in first["cells"]],
        "results": first["left"]["results"],
        "measurements": agreement.measurements(processes),
        "figures": first["left"]["figures"],
        "programs": _programs(gathered.inspection),
        "artefacts": artefact.described(first),
    }


def _cell(snippet: Snippet, cell: dict[str, Any], left: dict[str, Any]) -> dict[str, Any]:
    def set_here(group: str) -> list[str]:
        return [name for name in left[group] if left["from"][f"{group}.{name}"] == cell["name"]]

    groups = {group: set_here(group) for group in ("results", "measurements")}
    return {**cell, "tags": list(snippet.cell(cell["name"]).tags), **groups}


def _programs(inspection: Frame | None) -> list[dict[str, Any]] | None:
    return inspection["programs"] if inspection and inspection.get("kind") == "completed" else None
