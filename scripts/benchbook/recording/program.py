"""The worker's text program: its modules and a plan in one file, to be piped or carried."""

import hashlib
import json
from pathlib import Path

from benchbook.worker.wire import Plan

WORKER = Path(__file__).parents[1] / "worker"
BOOT = "boot"


def sources() -> dict[str, str]:
    """The worker's modules by dotted name; the text program starts with ``boot``, which is none of them."""
    modules = {path.stem: path.read_text(encoding="utf-8") for path in sorted(WORKER.glob("*.py"))}
    found = {"benchbook": "", "benchbook.worker": modules.pop("__init__")}
    return found | {f"benchbook.worker.{name}": text for name, text in modules.items() if name != BOOT}


def digest() -> str:
    """sha256 of the worker's code: part of a run's method."""
    return hashlib.sha256(json.dumps(sources(), sort_keys=True).encode()).hexdigest()


def text(plan: Plan) -> str:
    """The whole program. What is carried is JSON in a string literal, so no snippet can end it early."""
    boot = (WORKER / f"{BOOT}.py").read_text(encoding="utf-8")
    carried = [f"json.loads({json.dumps(part)!r})" for part in (sources(), plan)]
    return f"{boot}\n\nimport json\n\nmain(\n    {carried[0]},\n    {carried[1]},\n)\n"
