"""The answers: frames that leave on what was standard output, as long as somebody reads them."""

import os
import select

from benchbook.worker.wire import Frame, encode


class Answers:
    """The descriptor for frames.

    Attributes:
        descriptor: No snippet has it.
        count: Frames that were sent.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.count = 0
        self._poll = select.poll()
        self._poll.register(descriptor, 0)

    def heard(self) -> bool:
        """Whether the reader is still there."""
        return not any(event & (select.POLLERR | select.POLLNVAL) for _, event in self._poll.poll(0))

    def send(self, frame: Frame) -> None:
        """Writes one frame, whole.

        Raises:
            BrokenPipeError: The reader has gone.
        """
        self.count += 1
        self.write(encode(frame))

    def write(self, data: bytes) -> None:
        """Writes bytes that are no frame, or one that is encoded."""
        view = memoryview(data)
        while view:
            view = view[os.write(self.descriptor, view) :]
