"""The answers: frames that leave on what was standard output, as long as somebody reads them."""

import contextlib
import os
import select
import signal

from benchbook.worker.wire import Frame, encode

BEAT = 4.0  # seconds between two signs of life


class Answers:
    """The descriptor for frames.

    Attributes:
        descriptor: No snippet has it.
        count: Frames that were sent.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.count = 0
        self._writing = False
        self._poll = select.poll()
        self._poll.register(descriptor, 0)

    def heard(self) -> bool:
        """Whether the reader is still there; a pipe without one is in error, a socket hangs up."""
        gone = select.POLLERR | select.POLLHUP | select.POLLNVAL
        return not any(event & gone for _, event in self._poll.poll(0))

    def beat(self) -> None:
        """From now on writes an empty line every few seconds, whatever this process does meanwhile.

        By a timer's signal and not by a thread: where there are threads, nothing may be forked.
        """
        signal.signal(signal.SIGALRM, lambda *_: self._sign())
        signal.siginterrupt(signal.SIGALRM, False)  # C code of JAX may not go on after an interruption
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})  # whoever started this one may block it
        signal.setitimer(signal.ITIMER_REAL, BEAT, BEAT)

    def rest(self) -> None:
        """Ends that: when Python ends, the signal would end it as one that nobody handles."""
        signal.setitimer(signal.ITIMER_REAL, 0)

    def send(self, frame: Frame) -> None:
        """Writes one frame, whole.

        Raises:
            BrokenPipeError: The reader has gone.
        """
        self.count += 1
        self.write(encode(frame))

    def write(self, data: bytes) -> None:
        """Writes bytes that are no frame, or one that is encoded."""
        self._writing = True
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self.descriptor, view) :]
        finally:
            self._writing = False

    def _sign(self) -> None:
        """One sign of life, never within a frame; that nobody reads it is noticed elsewhere."""
        if not self._writing:
            with contextlib.suppress(OSError):
                os.write(self.descriptor, b"\n")
