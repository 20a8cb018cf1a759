"""The custody of a folder: of recorders that want the same one, one works in it at a time."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchbook.errors import BenchbookError
from benchbook.worker.turn import POLL, Turn


@contextlib.contextmanager
def taken(folder: Path, *, say: Callable[[str], None], stopped: Callable[[], bool]) -> Iterator[int]:
    """Waits until nobody else works in the folder, which is made; yields the descriptor that holds it.

    A process that was killed holds none. Where a file system knows no locks, there is nobody to wait for, and
    where the folder cannot be opened the descriptor is -1.

    Args:
        folder: Where.
        say: Told once that it waits.
        stopped: Asked while it waits.

    Raises:
        BenchbookError: It was stopped.
        OSError: The folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    turn = Turn(folder)
    try:
        if turn.take(alone=True) == "busy":
            say("waiting for another recorder, which makes an environment")
            while turn.take(alone=True) == "busy":
                if stopped():
                    raise BenchbookError("the wait for another recorder was stopped")
                time.sleep(POLL)
        yield turn.descriptor
    finally:
        if turn.descriptor >= 0:
            os.close(turn.descriptor)
