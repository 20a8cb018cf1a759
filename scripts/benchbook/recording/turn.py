"""A turn: of recorders that want the same folder, one works in it at a time."""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchbook.errors import BenchbookError

POLL = 0.2  # seconds between two tries


@contextlib.contextmanager
def taken(folder: Path, *, say: Callable[[str], None], stopped: Callable[[], bool]) -> Iterator[int]:
    """Waits until nobody else works in the folder, which is made; yields the descriptor that holds the turn.

    A process that was killed holds none. Where a file system knows no locks, there is no turn to wait for.

    Args:
        folder: Where.
        say: Told once that it waits.
        stopped: Asked while it waits.

    Raises:
        BenchbookError: It was stopped.
        OSError: The folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if not _try(descriptor):
            say("waiting for another recorder, which makes an environment")
            while not _try(descriptor):
                if stopped():
                    raise BenchbookError("the wait for another recorder was stopped")
                time.sleep(POLL)
        yield descriptor
    finally:
        os.close(descriptor)


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
