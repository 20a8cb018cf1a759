"""The wire: what the engine asks of a worker, and what it answers. The one module that both sides share."""

import json
import math
from typing import Any, Literal, TypedDict

PROTOCOL = 1
OUTPUT_LIMIT = 64 * 1024  # bytes of a stream kept for each cell; the rest is counted
ARTEFACT_LIMIT = 300 * 1024
EX_SOFTWARE = 70  # the status of a child in which our own code failed
DEEPEST = 64  # lists and tables in each other, in a frame
FRAME_LIMIT = 8 * 1024 * 1024  # what a process may leave behind, as JSON
BEGINNING = b'{"benchbook": '  # of every frame

Kind = Literal[
    "completed",
    "raised",  # an exception reached the end of a cell
    "exited",  # SystemExit or os._exit before the last cell ended
    "crashed",  # a signal of its own: a segmentation fault, an abort
    "killed",  # SIGKILL from outside: most often the kernel, out of memory
    "timed out",
    "invalid",  # it left something behind that cannot be recorded
    "refused",  # the backend that JAX chose is not the one named
    "abandoned",  # an earlier process of the same snippet failed, so this one was not started
]


class CellPlan(TypedDict):
    """One cell to execute."""

    name: str
    source: str
    line: int


class Job(TypedDict):
    """One snippet, in one or more processes."""

    slug: str
    text: str
    sha256: str
    cells: list[CellPlan]
    processes: int
    fork: bool
    alone: bool
    timeout: float
    inspect: bool


class Expected(TypedDict):
    """What the worker must find, or refuse."""

    backend: str
    platform: str
    device_kind: str
    count: int | None
    jax: str | None


class Plan(TypedDict):
    """Everything a worker is told."""

    protocol: int
    program: str
    expected: Expected
    env: dict[str, str]
    jobs: list[Job]
    parallel: int
    compile_cache: str | None


class Frame(TypedDict, total=False):
    """One answer. ``type`` is session, process, inspection, note or end."""

    benchbook: int
    type: Literal["session", "process", "inspection", "note", "end"]
    plan: dict[str, Any]  # session: what was asked, so that a carried result explains itself
    machine: dict[str, Any]  # session
    refusal: str | None  # session
    job: int
    process: int
    kind: Kind
    detail: str  # of a note: one line for a person
    cell: str | None
    line: int | None
    cells: list[dict[str, Any]]
    left: dict[str, Any]  # results, measurements, figures, artefacts
    device: dict[str, Any]
    config: dict[str, Any]
    flags: dict[str, str]
    distributions: dict[str, str]
    before: dict[str, Any]
    after: dict[str, Any]
    started: str
    ended: str
    wall_ns: int
    start: Literal["cold", "fork"]
    alone: bool
    programs: list[dict[str, Any]]  # inspection
    count: int  # end


def encode(frame: Frame) -> bytes:
    """One line of UTF-8 JSON; lone surrogates and control characters are escaped."""
    return json.dumps({"benchbook": PROTOCOL, **frame}, ensure_ascii=True, allow_nan=False).encode() + b"\n"


def decode(line: bytes) -> Frame | None:
    """A frame, or ``None`` for anything else that came along, such as a login banner."""
    if not line.startswith(BEGINNING):
        return None
    try:
        frame = loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(frame, dict) or frame.get("benchbook") != PROTOCOL:
        return None
    return frame  # type: ignore[return-value]  # its fields are checked where they become a run


def loads(line: bytes | str, **hooks: Any) -> Any:  # noqa: ANN401  # JSON is any of six types
    """What one line of JSON holds, when `encode` can write it again.

    Args:
        line: The line.
        hooks: What else `json.loads` is told.

    Raises:
        ValueError: It is no JSON, holds a number that is not finite, or is nested as no worker nests.
        RecursionError: It is nested more deeply still.
    """
    found = json.loads(line, **hooks)
    level = [[found]]
    for _ in range(DEEPEST):
        level = [inner for node in level for inner in _tables(node)]
        if not level:
            return found
    raise ValueError(f"nested deeper than {DEEPEST}")


def _tables(node: Any) -> list[Any]:  # noqa: ANN401  # a list or a table
    """The lists and tables that stand right in one."""
    found = []
    for inner in node.values() if isinstance(node, dict) else node:
        if isinstance(inner, dict | list):
            found.append(inner)
        elif isinstance(inner, float) and not math.isfinite(inner):
            raise ValueError(f"{inner} is no number of JSON")
    return found
