"""The delivery: a results file from elsewhere, read frame by frame, each as strictly as JSON can be."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from benchbook.errors import RunError
from benchbook.recording.intake import LONGEST
from benchbook.worker.wire import BEGINNING, PROTOCOL, Frame, loads

MOST_VALUES = 1_000_000  # in a line: a run holds fewer, and each takes more memory than it has bytes
MEND = "give what the packed program printed, unchanged"


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file, which is read twice.

    Raises:
        RunError: It cannot be read, or is no regular file.
    """
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise RunError("is no regular file", path=path, mend="save the results in one")
            yield file
    except OSError as error:
        raise RunError(
            f"cannot be read: {error.strerror}", path=path, mend="name the results file"
        ) from error


def frames(file: BinaryIO, path: Path) -> Iterator[tuple[int, Frame]]:
    """Every frame with its line number; a last line that was cut is none, nor is what else was printed.

    Raises:
        RunError: A line is no frame, although it begins like one.
    """
    file.seek(0)
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            raise RunError(f"longer than {LONGEST} bytes", path=path, line=number, mend=MEND)
        if not line.startswith(BEGINNING):
            continue
        try:
            frame = _decoded(line)
        except (ValueError, RecursionError) as error:
            if not line.endswith(b"\n"):
                return
            why = "nested too deeply" if isinstance(error, RecursionError) else error
            raise RunError(f"no frame of a worker: {why}", path=path, line=number, mend=MEND) from None
        yield number, frame


def _decoded(line: bytes) -> Frame:
    if line.count(b",") > MOST_VALUES:
        raise ValueError(f"more than {MOST_VALUES} values")
    frame: Frame = loads(line.decode(), object_pairs_hook=_unique, parse_constant=_refuse)
    if frame.get("benchbook") != PROTOCOL:
        raise ValueError(f"its protocol is not {PROTOCOL}: use the benchbook that packed it")
    return frame


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _refuse(token: str) -> NoReturn:
    raise ValueError(f"{token} is not JSON")
