"""The turn: who has this machine. A process that measures has it alone, also before other recorders.

It is a lock on the folder for temporary files itself, so no file is made, and the kernel takes it back from
one that was killed. Nobody waits for it while it has it, so no two wait for each other.
"""

import contextlib
import errno
import fcntl
import os
import time
from pathlib import Path
from typing import Literal

from benchbook.worker.answers import Answers

POLL = 0.1  # seconds between two tries; between them a worker gives signs of life
WAITING = "another recorder is at work on its machine: waiting"  # after the name of a backend

Taken = Literal["had", "busy", "no locks"]


class Turn:
    """One worker's hold on the machine.

    Args:
        place: The folder that all recorders of the machine have in common.

    Attributes:
        descriptor: No child may hold it; -1 where the folder cannot be opened.
        held: Whether it has the lock, and not only leave to go on where there is none.
    """

    def __init__(self, place: Path) -> None:
        self.held = False
        self._waited = False
        try:
            self.descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            self.descriptor = -1

    def enter(self, answers: Answers, *, alone: bool) -> bool:
        """Waits until this worker may use the machine, alone or beside others; False when nobody listens."""
        while (taken := self.take(alone=alone)) == "busy":
            if not self._waited:
                self._waited = True
                answers.send({"type": "note", "detail": WAITING})
            if not answers.heard():
                return False
            time.sleep(POLL)
        self.held = taken == "had"
        return True

    def take(self, *, alone: bool) -> Taken:
        """Tries once to have the machine."""
        if self.descriptor < 0:
            return "no locks"
        try:
            fcntl.flock(self.descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError as error:
            return "busy" if error.errno in (errno.EAGAIN, errno.EACCES) else "no locks"
        return "had"

    def leave(self) -> None:
        """Gives it to whoever waits."""
        self.held = False
        if self.descriptor >= 0:
            with contextlib.suppress(OSError):
                fcntl.flock(self.descriptor, fcntl.LOCK_UN)
