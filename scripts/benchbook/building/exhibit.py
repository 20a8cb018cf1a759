"""An exhibit: one run as plain data, made ready for the Markdown blocks so that they need no heavy import."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchbook import listing, reading, statistics, terminal
from benchbook.archive import Stored
from benchbook.building import datafile
from benchbook.drawing import figure
from benchbook.drawing.table import tables
from benchbook.errors import BenchbookError
from benchbook.run import Artefact, Cell, Hardware, Measurement, Panel
from benchbook.statistics import LEAST_STABLE, Summary

VERDICTS = {True: "stable", False: "not stable", None: "no verdict"}


def describe(stored: Stored, *, fresh: frozenset[str], stale: bool, accepted: bool) -> dict[str, Any]:
    """Everything that a page may show of a run.

    Args:
        stored: The run.
        fresh: The cells that it still stands for.
        stale: Whether a cell that is no exercise is not among them.
        accepted: Whether it is a reference run.
    """
    run = stored.run
    names = statistics.names(run, seed=stored.digest)
    return {
        "id": stored.id,
        "backend": run.backend,
        "jax": run.environment.jax,
        "device": device(run.hardware),
        "started": run.started,
        "date": run.started[:10],
        "processes": run.method.processes,
        "accepted": accepted,
        "fresh": sorted(fresh),
        "stale": stale,
        "cells": [_cell(cell) for cell in run.cells],
        "rows": [_row(name, m, seed=stored.digest) for name, m in run.measurements.items()],
        "figures": _figures(stored),
        "artefacts": {name: _artefact(stored, found) for name, found in run.artefacts.items()},
        "results": dict(names.results),
        "statistics": {name: dict(table) for name, table in names.measurements.items()},
        "units": dict(names.units),
    }


def device(hardware: Hardware) -> str:
    """The processor on CPU, else the accelerator; with the count where there are several devices."""
    found = hardware.device
    name = hardware.cpu.model if found.platform == "cpu" else found.kind
    return name if found.count == 1 else f"{name}, {found.count} devices"


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "name": cell.name,
        "solution": "solution" in cell.tags,
        "stdout": _listed(cell.stdout, "bb-stdout"),
        "stderr": _listed(cell.stderr, "bb-stderr"),
        "stdout_dropped": cell.stdout_dropped,
        "stderr_dropped": cell.stderr_dropped,
    }


def _listed(text: str, kind: str) -> str:
    shown = terminal.readable(text).rstrip("\n")
    return listing.text(shown, kind=kind) if shown.strip() else ""


def _row(name: str, measurement: Measurement, *, seed: str) -> dict[str, Any]:
    summary = statistics.summarise(measurement, seed=seed)
    unit = measurement.unit
    return {
        "name": name,
        "medians": statistics.process_medians(measurement),
        "median": reading.interval(summary.median, summary.low, summary.high, unit),
        "minimum": reading.text(summary.minimum, unit),
        "maximum": reading.text(summary.maximum, unit),
        "inputs": ", ".join(measurement.inputs),
        "calls": f"{measurement.calls} \u00d7 {summary.processes}",
        "warmup": str(measurement.warmup),
        "wait": measurement.wait,
        "excludes": measurement.excludes,
        "stable": summary.stable,
        "verdict": VERDICTS[summary.stable],
        "rule": rule(summary),
    }


def rule(summary: Summary) -> str:
    """What decides whether a measurement is stable."""
    limit = f"{LEAST_STABLE:.0%}"
    if summary.stable is None:
        return "one process says nothing of stability"
    if summary.stability is None:
        return f"MAD {summary.mad:.3g}, median 0"
    shown = f"{summary.stability:.1%}"
    if shown == f"{LEAST_STABLE:.1%}":  # "5.0%, more than 5%" would say nothing
        shown = f"{summary.stability:.3%}"
    return f"MAD / median {shown}, {'at most' if summary.stable else 'more than'} {limit}"


def _artefact(stored: Stored, found: Artefact) -> dict[str, Any]:
    path = f"runs/{stored.run.slug}/{stored.path.stem}/{found.path}"
    return {"name": found.path, "path": path, **found.model_dump(include={"type", "size", "sha256"})}


def _figures(stored: Stored) -> Mapping[str, Any]:
    return {cell: _figure(stored, cell, panels) for cell, panels in sorted(stored.run.figures.items())}


def _figure(stored: Stored, cell: str, panels: Sequence[Panel]) -> Mapping[str, Any]:
    run = stored.run
    try:
        size = list(figure.size(panels, run.measurements, seed=stored.digest))
    except BenchbookError:  # what cannot be drawn is told where it is drawn
        size = [0, 0]
    return {
        "light": figure.path(run.slug, stored.id, run.backend, cell, dark=False),
        "dark": figure.path(run.slug, stored.id, run.backend, cell, dark=True),
        "size": size,
        "data": datafile.path(stored, cell),
        "tables": [
            {"caption": table.caption, "header": table.header, "rows": table.rows}
            for table in tables(panels, run.measurements, seed=stored.digest)
        ],
    }
