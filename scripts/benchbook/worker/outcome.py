"""The outcome: what a process that ended amounts to, as a frame."""

import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

from benchbook.worker import machine
from benchbook.worker.death import named
from benchbook.worker.folder import complaint
from benchbook.worker.process import Process
from benchbook.worker.wire import EX_SOFTWARE, Expected, Frame, Kind


def of(process: Process, *, expected: Expected, config: dict[str, Any]) -> Frame:
    """Kind, place and message of what happened, with every cell that began and what it left.

    Args:
        process: It has ended.
        expected: The backend that was named.
        config: jax.config as it was right after the import.
    """
    try:
        return _told(process, expected, config)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        why = "it wrote to a descriptor of benchbook's: write to 1 and 2, and to files that it opened"
        return {"kind": "invalid", "detail": why, "cell": None, "line": None, "cells": [], "left": {}}


def unstarted(error: OSError) -> Frame:
    """The same for a process that could not be started."""
    why = complaint(error)
    return {"kind": "invalid", "detail": why, "cell": None, "line": None, "cells": [], "left": {}}


def _told(process: Process, expected: Expected, config: dict[str, Any]) -> Frame:
    said: dict[str, list[dict[str, Any]]] = {}
    for message in process.messages():
        said.setdefault(message["kind"], []).append(message)
    began = [message["cell"] for message in said.get("begin", [])]
    frame: Frame = {"kind": "completed", "detail": "", "cell": None, "line": None}
    frame["cells"] = _cells(process, began, said)
    frame["left"] = _left(said.get("cell", []))
    if "failed" in said and not process.timed_out:
        failure = said["failed"][0]
        frame.update({"kind": failure["failure"], "detail": failure["detail"]})
        frame.update({"cell": failure["cell"], "line": failure["line"]})
    elif "done" in said and process.status == 0 and _all_ended(process, began, said):
        _complete(frame, said["done"][0], expected, config)
    else:
        _died(frame, process, began)
    return frame


def _all_ended(process: Process, began: list[str], said: dict[str, list[dict[str, Any]]]) -> bool:
    planned = [cell["name"] for cell in process.job["cells"]] if process.job else []
    return planned == began == [message["cell"] for message in said.get("cell", [])]


def mismatch(expected: Expected, device: dict[str, Any]) -> str | None:
    """Why this is not the backend that was named, or ``None``."""
    found = f"JAX chose {device['count']} x {device['platform']} ({', '.join(device['kinds'])})"
    if device["platform"] != expected["platform"]:
        return f"{found}, not {expected['platform']}"
    if not all(re.fullmatch(expected["device_kind"], kind) for kind in device["kinds"]):
        return f"{found}, not a {expected['device_kind']}"
    table = f"[tool.benchbook.backends.{expected['backend']}]"
    if expected["count"] is not None and device["count"] != expected["count"]:
        choose = "or choose devices there, as with CUDA_VISIBLE_DEVICES in its env"
        return f"{found}, not {expected['count']} (correct count in {table}, {choose})"
    version, asked = machine.version("jax"), expected["jax"]
    if asked is not None and version != asked:
        return f"it has JAX {version}, not {asked} (name a Python with JAX {asked} in the command of {table})"
    return None


def _complete(frame: Frame, done: dict[str, Any], expected: Expected, config: dict[str, Any]) -> None:
    wrong = mismatch(expected, done["device"])
    if wrong:
        frame.update({"kind": "refused", "detail": wrong})
    changed = {name: value for name, value in done["config"].items() if config.get(name, value) != value}
    frame.update({"device": done["device"], "config": machine.settings(changed)})
    frame["distributions"] = machine.distributions(done["imported"])


def _died(frame: Frame, process: Process, began: list[str]) -> None:
    kind, detail = _death(process.status)
    if process.timed_out and process.job:
        kind, detail = "timed out", f"after {process.job['timeout']:g} s"
    lines = {cell["name"]: cell["line"] for cell in process.job["cells"]} if process.job else {}
    last = began[-1] if began else None
    frame.update({"kind": kind, "detail": detail, "cell": last, "line": lines.get(last or "")})


def _death(status: int) -> tuple[Kind, str]:
    if status == -signal.SIGKILL:
        return "killed", "by SIGKILL, most often because memory ran out"
    if status < 0:
        return "crashed", f"by {named(-status)}"
    if status == EX_SOFTWARE:
        return "exited", "benchbook could not go on in it: most often its descriptors were closed"
    return "exited", f"with status {status} before its last cell ended"


def _cells(process: Process, began: list[str], said: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    ended = said.get("cell", []) + said.get("failed", [])
    durations = {message["cell"]: message.get("duration_ns", 0) for message in ended}
    return [
        {
            "name": name,
            "stdout": _readable(bytes(out.kept), process.folder),
            "stderr": _readable(bytes(err.kept), process.folder),
            "stdout_dropped": out.dropped,
            "stderr_dropped": err.dropped,
            "duration_ns": durations.get(name, 0),
        }
        for name, (out, err) in zip(began, process.outputs, strict=False)
    ]


def _left(ended: list[dict[str, Any]]) -> dict[str, Any]:
    """Everything that cells left, and in ``from`` the cell that set each name last."""
    left: dict[str, Any] = {"results": {}, "measurements": {}, "artefacts": {}, "figures": {}, "from": {}}
    for message in ended:
        for group in ("results", "measurements", "artefacts"):
            for name, value in message["left"].get(group, {}).items():
                if name not in left[group] or left[group][name] != value:
                    left["from"][f"{group}.{name}"] = message["cell"]
                left[group][name] = value
        if "figure" in message["left"]:
            left["figures"][message["cell"]] = message["left"]["figure"]
    return left


def _printed(name: str) -> bytes:
    """A name as a snippet prints it."""
    return name.encode("utf-8", "backslashreplace")


def _readable(data: bytes, folder: Path) -> str:
    """Text of any bytes, with the paths of this machine cut back to what they are relative to."""
    for spelled in (os.fsencode, _printed):  # the same, where the folder's name is UTF-8
        place, above = spelled(str(folder)), spelled(f"{folder.parent}/")
        data = data.replace(place + b"/", b"").replace(place, b".").replace(above, b"")
    text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    for root in sorted({sys.prefix, sys.base_prefix}, key=len, reverse=True):
        text = re.sub(re.escape(root) + r"/lib/python[0-9.]+/(?:site-packages/)?", "", text)
    return text
