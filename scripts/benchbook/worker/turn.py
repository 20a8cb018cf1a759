"""The turn: who has this machine. A process that measures has it alone, also before other recorders.

It is a lock on the folder for temporary files itself, so no file is made, and the kernel takes it back from
one that was killed.
"""

import contextlib
import errno
import fcntl
import os
from pathlib import Path

POLL = 0.1  # seconds between two tries; between them a worker gives signs of life


class Turn:
    """One worker's hold on the machine.

    Args:
        place: The folder that all recorders of the machine have in common.

    Attributes:
        descriptor: No child may hold it; -1 where the folder cannot be opened.
    """

    def __init__(self, place: Path) -> None:
        try:
            self.descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            self.descriptor = -1

    def take(self, *, alone: bool) -> bool:
        """Whether the machine could be had, alone or beside others; where there are no locks it can."""
        if self.descriptor < 0:
            return True
        try:
            fcntl.flock(self.descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in (errno.EAGAIN, errno.EACCES)
        return True

    def leave(self) -> None:
        """Gives it to whoever waits."""
        if self.descriptor >= 0:
            with contextlib.suppress(OSError):
                fcntl.flock(self.descriptor, fcntl.LOCK_UN)
