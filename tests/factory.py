"""Small whole things for tests: a project, a snippet, a run. None of it ever reaches docs/runs."""

import hashlib
from pathlib import Path
from typing import Any

from benchbook import archive
from benchbook.project import Project, find
from benchbook.run import Run

SETTINGS = """\
[tool.benchbook]
shown = ["cpu", "cuda"]
[tool.benchbook.backends.cpu]
platform = "cpu"
device-kind = "cpu"
count = 1
[tool.benchbook.backends.cuda]
platform = "gpu"
device-kind = "NVIDIA .*"
env = { JAX_PLATFORMS = "cuda" }
"""

SNIPPET = '''\
# /// script
# requires-python = ">=3.12"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# ///
"""A small lesson."""

# %% inputs
import jax.numpy as jnp

x = jnp.arange(3.0)

# %% total
total = float(jnp.sum(x))
print("total", total)
results = {"total": total}

# %% exercise tags=["solution"]
doubled = 2 * x  # TODO: twice the input
assert doubled.shape == (3,)
'''


def make_project(root: Path, snippets: dict[str, str] | None = None) -> Project:
    """Writes a project with the given snippets, by default ``chapter/lesson``."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "pyproject.toml").write_text(SETTINGS)
    for slug, text in (snippets if snippets is not None else {"chapter/lesson": SNIPPET}).items():
        path = root / "snippets" / f"{slug}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "docs").mkdir(exist_ok=True)
    return find(root)


def run_tree(**changes: Any) -> dict[str, Any]:
    """A valid run as plain data, with whole groups replaced by ``changes``."""
    source = changes.pop("source_text", SNIPPET)
    weather = {"load": 0.1, "governor": None, "affinity": [0, 1]}
    samples = [[5000 + 10 * process + call for call in range(4)] for process in range(5)]
    tree: dict[str, Any] = {
        "schema": 1,
        "slug": "chapter/lesson",
        "backend": "cpu",
        "started": "2026-01-02T03:04:05Z",
        "ended": "2026-01-02T03:04:15Z",
        "source": {"text": source, "sha256": hashlib.sha256(source.encode()).hexdigest()},
        "environment": {
            "python": "3.13.0",
            "implementation": "CPython",
            "os": "Linux 6.1",
            "jax": "0.12.0",
            "jaxlib": "0.12.0",
            "plugins": {},
            "distributions": {"jax": "0.12.0", "numpy": "2.5.0"},
            "config": {},
            "flags": {},
        },
        "hardware": {
            "cpu": {"model": "A CPU", "architecture": "x86_64", "logical_cores": 2, "caches": {"L2": "512K"}},
            "memory_gib": 24,
            "device": {"platform": "cpu", "kind": "cpu", "count": 1, "memory_bytes": None, "driver": None},
            "before": weather,
            "after": weather,
        },
        "method": {
            "engine": "0.1.0",
            "program": "0" * 64,
            "clock": {
                "name": "time.perf_counter",
                "implementation": "clock_gettime(CLOCK_MONOTONIC)",
                "resolution_ns": 1.0,
                "step_ns": 70,
            },
            "start": "cold",
            "order": "one after another",
            "alone": True,
            "compile_cache": False,
            "processes": 5,
            "process_ns": [500_000_000] * 5,
        },
        "cells": [
            {"name": "inputs", "tags": [], "stdout": "", "stderr": ""},
            {"name": "total", "tags": [], "stdout": "total 3.0\n", "stderr": ""},
            {"name": "exercise", "tags": ["solution"], "stdout": "", "stderr": ""},
        ],
        "results": {"total": 3.0, "traces": 2},
        "measurements": {
            "eager": {
                "inputs": ["float32[3]"],
                "warmup": 1,
                "calls": 4,
                "wait": "each call",
                "excludes": "input construction, first compilation",
                "unit": "ns",
                "samples": [[sample * 3 for sample in row] for row in samples],
            },
            "compiled": {
                "inputs": ["float32[3]"],
                "warmup": 1,
                "calls": 4,
                "wait": "each call",
                "excludes": "input construction, first compilation",
                "unit": "ns",
                "samples": samples,
            },
        },
        "figures": {
            "total": [
                {
                    "kind": "bar",
                    "labels": ["a", "b"],
                    "ylabel": "total",
                    "series": [{"label": "evaluated", "y": [3.0, 3.0]}],
                }
            ]
        },
        "programs": None,
        "artefacts": {},
    }
    tree |= changes
    tree["cells"] = [
        {"stdout_dropped": 0, "stderr_dropped": 0, "duration_ns": 1000, **cell} for cell in tree["cells"]
    ]
    for group in ("results", "measurements"):
        _set_by_cells(tree, group)
    return tree


def _set_by_cells(tree: dict[str, Any], group: str) -> None:
    """What no cell claims to have set, the last one did; and none set what is not there."""
    for cell in tree["cells"]:
        cell[group] = [name for name in cell.get(group, []) if name in tree[group]]
    claimed = {name for cell in tree["cells"] for name in cell[group]}
    tree["cells"][-1][group] += [name for name in tree[group] if name not in claimed]


def make_run(**changes: Any) -> Run:
    """``run_tree`` as a model."""
    return Run.model_validate(run_tree(**changes))


def store_run(project: Project, **changes: Any) -> archive.Stored:
    """Saves a run among the reference runs of a project in a temporary folder."""
    return archive.save(make_run(**changes), project.runs)
