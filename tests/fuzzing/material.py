"""The material that edits start from: a small run, and the frames that become one."""

import base64
import hashlib
from functools import cache
from typing import Any

from benchbook.lesson.snippet import parse
from benchbook.worker.wire import PROTOCOL
from tests.factory import run_tree

TEXT = (
    "# /// script\n# dependencies = []\n# ///\n# %% total\nresults = {}  # and measurements, and a figure\n"
)
FILE = b'{"traceEvents": []}\n'
MEASUREMENT = {
    "inputs": ["float32[3]"],
    "warmup": 1,
    "calls": 2,
    "wait": "each call",
    "excludes": "input construction",
    "unit": "ns",
    "samples": [[5000, 5010]],
}
PANEL = {
    "kind": "bar",
    "labels": ["a", "b"],
    "ylabel": "total",
    "series": [{"label": "evaluated", "y": [3.0, 3.0]}],
}
DESCRIBED = {
    "path": "trace.json",
    "type": "application/json",
    "sha256": hashlib.sha256(FILE).hexdigest(),
    "size": len(FILE),
}


@cache
def run() -> dict[str, Any]:
    """A run of one process: nothing of it takes long to compute."""
    tree = run_tree(measurements={"eager": MEASUREMENT, "compiled": MEASUREMENT})
    tree["method"] |= {"processes": 1, "process_ns": [500]}
    tree["artefacts"] = {"trace": DESCRIBED}
    tree["environment"] |= {"plugins": {"jax-x": "1"}, "config": {"jax_x": [1, None]}, "flags": {"XLA": "-a"}}
    tree["programs"] = [{"name": "jit_f", "stablehlo": "0" * 64, "hlo": None}]
    return tree


@cache
def frames() -> list[dict[str, Any]]:
    """What a worker answers that recorded the same run: session, two processes and the end."""
    tree = run()
    machine = {key: tree["environment"][key] for key in ("python", "implementation", "os", "jax", "jaxlib")}
    machine |= {"plugins": {}, "clock": tree["method"]["clock"], "cpu": tree["hardware"]["cpu"]}
    processes = [_process(tree, number) for number in range(2)]
    inspection = {"type": "inspection", "job": 0, "process": 0, "kind": "completed", "programs": []}
    body = [{"type": "session", "plan": _plan(), "machine": machine | {"memory_gib": 24}, "refusal": None}]
    body += [*processes, inspection, {"type": "end", "count": 4}]
    return [{"benchbook": PROTOCOL, **frame} for frame in body]


def _plan() -> dict[str, Any]:
    snippet = parse(TEXT, slug="chapter/lesson", path="p")
    job = {"slug": snippet.slug, "text": snippet.text, "sha256": snippet.sha256, "processes": 2}
    job |= {"cells": [cell.name for cell in snippet.cells], "fork": False, "alone": True, "timeout": 9.0}
    expected = {"backend": "cpu", "platform": "cpu", "device_kind": "cpu", "count": 1, "jax": None}
    return {
        "protocol": PROTOCOL,
        "program": "0" * 64,
        "expected": expected,
        "env": [],
        "jobs": [job | {"inspect": True}],
        "parallel": 1,
        "compile_cache": None,
    }


def _process(tree: dict[str, Any], number: int) -> dict[str, Any]:
    cells = [
        {key: cell[key] for key in cell if key not in ("tags", "results", "measurements")}
        for cell in tree["cells"]
        if cell["name"] == "total"
    ]
    measured = {key: value for key, value in MEASUREMENT.items() if key != "samples"}
    left = {
        "results": {"total": 3.0, "more": {"a": [1, None, "nan"]}},
        "measurements": {"compiled": measured | {"samples": [5000, 5010]}},
        "artefacts": {"trace": DESCRIBED | {"data": base64.b64encode(FILE).decode()}},
        "figures": {
            "total": [PANEL | {"series": [{"label": "c", "measurement": "compiled"}], "labels": ["c"]}]
        },
        "from": {"results.total": "total", "results.more": "total", "measurements.compiled": "total"},
    }
    frame = {"type": "process", "job": 0, "process": number, "kind": "completed", "detail": "", "cell": None}
    frame |= {
        "line": None,
        "cells": cells,
        "left": left,
        "device": {**tree["hardware"]["device"], "kinds": ["cpu"]},
    }
    frame |= {"config": {}, "flags": {}, "distributions": {"jax": "0.12.0"}, "alone": True, "start": "cold"}
    weather = {"load": 0.1, "governor": None, "affinity": [0]}
    return frame | {
        "before": weather,
        "after": weather,
        "started": "2026-01-02T03:04:05Z",
        "ended": "2026-01-02T03:04:06Z",
        "wall_ns": 1000,
    }
