"""The wire: lines that claim to be a worker's frames, and what a child sends by its control descriptor."""

import json
import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from benchbook.worker import identity, machine, outcome
from benchbook.worker.process import Process
from benchbook.worker.stream import Stream
from benchbook.worker.wire import decode, encode
from tests.answers import DEVICE, EXPECTED
from tests.fuzzing import material
from tests.fuzzing.edit import edited
from tests.fuzzing.reader import Reader

LEFT = {
    "results": {"total": 3.0},
    "measurements": {"compiled": material.MEASUREMENT | {"samples": [5000, 5010]}},
    "figure": [material.PANEL],
}
MESSAGES: list[dict[str, Any]] = [
    {"kind": "begin", "cell": "inputs"},
    {"kind": "cell", "cell": "inputs", "duration_ns": 10, "left": {}},
    {"kind": "begin", "cell": "total"},
    {"kind": "cell", "cell": "total", "duration_ns": 20, "left": LEFT},
    {
        "kind": "failed",
        "failure": "raised",
        "cell": "total",
        "line": 9,
        "detail": "ValueError: x",
        "duration_ns": 1,
    },
    {"kind": "done", "device": DEVICE, "config": {"jax_x": 1}, "imported": ["json"]},
]
CELLS = [{"name": name, "source": "", "line": 1} for name in ("inputs", "total")]


def lines(data: bytes) -> None:
    """A line is a frame that can be written again, or none; with or without the head of a frame."""
    for line in (data, b'{"benchbook": 1, ' + data, _line(data)):
        frame = decode(line)
        if frame is not None:
            assert decode(encode(frame)) == frame


def _line(data: bytes) -> bytes:
    return json.dumps(edited(material.frames()[1], Reader(data))).encode()


def control(data: bytes) -> None:
    """Whatever a child sends, what it amounts to is a frame that can be written."""
    reader = Reader(data)
    status, is_late = reader.one((0, 0, 0, 1, 70, -6, -9, -99)), reader.below(8) == 1
    sent = data[2:] if reader.below(4) == 1 else _messages(reader)
    frame = outcome.of(_process(sent, status, timed_out=is_late), expected=EXPECTED, config={"jax_x": 0})
    frame.update({"type": "process", "job": 0, "process": 0})
    assert decode(encode(identity.withhold(frame))) is not None


def _messages(reader: Reader) -> bytes:
    body = MESSAGES[:4] + MESSAGES[5:] if reader.below(4) else MESSAGES
    return b"".join(json.dumps(message).encode() + b"\n" for message in edited(body, reader))


def _process(sent: bytes, status: int, *, timed_out: bool) -> Process:
    """A process that ended and had sent these bytes."""
    control = Stream(-1, kept=bytearray(sent))
    outputs = [(Stream(-1, kept=bytearray(b"out\xff")), Stream(-1)) for _ in CELLS]
    job = {"slug": "chapter/lesson", "cells": CELLS, "timeout": 9.0}
    made = SimpleNamespace(
        job=job, folder=_folder(), status=status, timed_out=timed_out, control=control, outputs=outputs
    )
    made.messages = lambda: Process.messages(cast("Process", made))
    return cast("Process", made)


@cache
def _folder() -> Path:
    return Path(tempfile.gettempdir()) / "benchbook-0"


def seeds() -> list[bytes]:
    """The frames of a small session, and edits."""
    whole = [json.dumps(frame).encode() for frame in material.frames()]
    tails = [line.removeprefix(b'{"benchbook": 1, ') for line in whole]
    return [*whole, *tails, *(bytes([0, number, 3, 0, 7, number]) for number in range(40))]


def told() -> list[bytes]:
    """The messages of a child that did all it should, and edits."""
    machine.distributions(["json"])  # reads every distribution's list of files, once
    sent = b"".join(json.dumps(message).encode() + b"\n" for message in MESSAGES)
    return [b"\0\1" + sent, *(bytes([0, 0, 0, 1, number, 3, 0, 7, number]) for number in range(40))]
