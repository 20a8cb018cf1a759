"""The watch: reads what processes print, keeps their limits of time, and says which one ended."""

import selectors
import sys
import time
from collections.abc import Callable, Sequence

from benchbook.worker.process import Process


def wait(processes: Sequence[Process], *, heard: Callable[[], bool]) -> Process | None:
    """Reads what the processes print until one of them ends.

    Args:
        processes: Those that run.
        heard: Whether somebody still listens to this worker.

    Returns:
        The one that ended, or ``None`` when nobody listens: then all of them were killed.
    """
    with selectors.DefaultSelector() as selector:
        for process in processes:
            for stream in process.streams:
                selector.register(stream.descriptor, selectors.EVENT_READ, stream)
            if process.pidfd is not None:
                selector.register(process.pidfd, selectors.EVENT_READ)
        while heard():
            for key, _ in selector.select(_patience(processes)):
                if key.data is not None and not key.data.read():
                    selector.unregister(key.fileobj)
            for process in processes:
                if process.reap():
                    return process
                if time.monotonic() > process.deadline and not process.timed_out:
                    process.timed_out = True
                    process.kill()
    for process in processes:
        process.kill()
    return None


def _patience(processes: Sequence[Process]) -> float:
    """Seconds to sleep: until a deadline, and never so long that a reader who has gone is not noticed."""
    longest = 0.5 if sys.platform == "linux" else 0.01
    return max(0.0, min([longest, *(process.deadline - time.monotonic() for process in processes)]))
