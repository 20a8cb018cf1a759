"""Answers for tests: what the processes of one lesson send back, and what is made of them."""

import base64
import copy
import hashlib
from typing import Any

from benchbook.lesson.snippet import Snippet, parse
from benchbook.recording.assembly import assemble
from benchbook.recording.failure import Failure
from benchbook.recording.gathering import Gathered
from benchbook.run import Run
from benchbook.worker.wire import Expected, Frame
from tests.factory import SNIPPET, run_tree

LESSON = parse(SNIPPET, slug="chapter/lesson", path="snippets/chapter/lesson.py")
VARYING = parse(
    SNIPPET.replace("# %% total", '# %% total tags=["varies"]'), slug="chapter/lesson", path=LESSON.path
)
TREE = run_tree()
EXPECTED: Expected = {"backend": "cpu", "platform": "cpu", "device_kind": "cpu", "count": 1, "jax": None}
DEVICE = TREE["hardware"]["device"] | {"kinds": ["cpu"]}  # as a process tells it
SAID_ELSEWHERE = ("tags", "results", "measurements")  # of a run's cell; a worker does not send them so
SESSION: Frame = {
    "type": "session",
    "plan": {"expected": {"backend": "cpu"}, "program": "1" * 64},
    "machine": {
        **{
            key: TREE["environment"][key]
            for key in ("python", "implementation", "os", "jax", "jaxlib", "plugins")
        },
        **{key: TREE["hardware"][key] for key in ("cpu", "memory_gib")},
        "clock": TREE["method"]["clock"],
    },
}


def process(number: int = 0, **left: Any) -> Frame:
    """What a process of the lesson answers; ``left`` replaces groups of what it left behind."""
    measured = {
        name: entry | {"samples": entry["samples"][number]} for name, entry in TREE["measurements"].items()
    }
    groups: dict[str, Any] = {
        "results": {"total": 3.0},
        "measurements": measured,
        "figures": TREE["figures"],
        "artefacts": {},
    }
    groups |= left
    named = [
        f"{group}.{name}" for group in ("results", "measurements", "artefacts") for name in groups[group]
    ]
    groups["from"] = dict.fromkeys(named, "total") | groups.get("from", {})
    return copy.deepcopy(
        Frame(
            type="process",
            job=0,
            process=number,
            kind="completed",
            detail="",
            cell=None,
            line=None,
            cells=[
                {key: value for key, value in cell.items() if key not in SAID_ELSEWHERE}
                for cell in TREE["cells"]
            ],
            left=groups,
            device=DEVICE,
            config={},
            flags={},
            distributions={"jax": "0.12.0"},
            before=TREE["hardware"]["before"],
            after=TREE["hardware"]["after"],
            started=f"2026-01-02T03:04:0{number}Z",
            ended=f"2026-01-02T03:04:1{number}Z",
            wall_ns=10 + number,
            start="cold",
            alone=True,
        )
    )


def printing(frame: Frame, cell: str, stdout: str) -> Frame:
    """The frame, with one cell printing something else."""
    for entry in frame["cells"]:
        if entry["name"] == cell:
            entry["stdout"] = stdout
    return frame


def artefact(data: bytes, /, **changes: Any) -> dict[str, Any]:
    """An artefact as the worker carries it."""
    entry = {
        "path": "a.txt",
        "type": "text/plain",
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
    }
    return entry | {"data": base64.b64encode(data).decode()} | changes


def made(
    *processes: Frame, snippet: Snippet = LESSON, inspection: Frame | None = None
) -> tuple[Run, dict[str, bytes]]:
    """The run of these processes; a failure fails the test."""
    result = assemble(snippet, Gathered(list(processes), inspection), SESSION, compile_cache=False)
    assert not isinstance(result, Failure), result
    return result


def failure(*processes: Frame, snippet: Snippet = LESSON) -> Failure:
    """Why these processes become no run."""
    result = assemble(snippet, Gathered(list(processes)), SESSION, compile_cache=False)
    assert isinstance(result, Failure)
    return result
