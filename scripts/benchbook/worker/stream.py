"""A stream: the reading end of a pipe that a child writes to."""

import os
from dataclasses import dataclass, field

from benchbook.worker.wire import OUTPUT_LIMIT

CHUNK = 1 << 16


@dataclass(slots=True)
class Stream:
    """The reading end of a pipe: the first ``limit`` bytes are kept and the rest counted."""

    descriptor: int
    limit: int = OUTPUT_LIMIT
    kept: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def read(self) -> bool:
        """Takes what is there; False at the end of the pipe."""
        try:
            data = os.read(self.descriptor, CHUNK)
        except BlockingIOError:
            return True
        room = self.limit - len(self.kept)
        self.kept += data[:room]
        self.dropped += max(0, len(data) - room)
        return bool(data)

    def close(self) -> None:
        """Takes what is still there, without waiting for a grandchild that keeps the pipe open."""
        for _ in range(1 + 2**20 // CHUNK):  # the largest pipe that Linux gives an ordinary user
            if not self.read():
                break
        os.close(self.descriptor)
