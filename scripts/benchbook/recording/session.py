"""A session: one worker on one backend, from its text program to its last frame."""

import os
import selectors
import time
from collections.abc import Callable, Generator, Iterator, Sequence

from benchbook import terminal
from benchbook.backend import PATIENCE
from benchbook.errors import BenchbookError
from benchbook.recording.command import GRACE, Command
from benchbook.recording.intake import Intake
from benchbook.worker.wire import Frame

TICK = 0.5  # seconds: the longest that a reader who goes is not noticed
SHORT_TICK = 0.05
FIRST_NOTICE = 60.0  # seconds without a first sign until a person is told
NEXT_NOTICE = 600.0
LONGEST_NOTE = 300  # characters
CHUNK = 1 << 18


def frames(
    command: Sequence[str],
    program: str,
    *,
    name: str,
    patience: int = PATIENCE,
    say: Callable[[str], None] = lambda line: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Generator[Frame, None, None]:
    """Pipes the program to the command and yields what it answers, as it answers.

    Closing the iterator ends the worker, which takes its children along.

    Args:
        command: The words that start a Python; ``-`` is added.
        program: The text program.
        name: The backend's name, for messages.
        patience: Seconds without a byte after which the worker is given up.
        say: Told what a person wants to know meanwhile.
        stopped: Whether nobody wants the frames any more; asked every half second at least.

    Raises:
        BenchbookError: The command cannot be started, it ended before its last frame, it says nothing or
            too much, or it was stopped.
    """
    started = Command(command, name)
    try:
        with selectors.DefaultSelector() as selector:
            exchange = _Exchange(started, selector, program, name, patience)
            del program
            yield from exchange.frames(say, stopped)
    finally:
        started.end()


class _Exchange:
    """The three pipes of one command, served in one loop."""

    def __init__(
        self, command: Command, selector: selectors.BaseSelector, program: str, name: str, patience: int
    ) -> None:
        self._command = command
        self._name = name
        self._patience = patience
        self._left = memoryview(program.encode())
        self._intake = Intake(name)
        self._heard = self._began = time.monotonic()
        self._notice: float | None = FIRST_NOTICE  # seconds from the beginning; None after a first sign
        self._ended: float | None = None
        self._selector = selector
        self._selector.register(command.program, selectors.EVENT_WRITE)
        self._selector.register(command.answers, selectors.EVENT_READ)
        self._selector.register(command.words, selectors.EVENT_READ)

    def frames(self, say: Callable[[str], None], stopped: Callable[[], bool]) -> Iterator[Frame]:
        """What the command answers, up to the last frame."""
        while self._is_open(say):
            self._heed(stopped)
            if self._command.answers not in self._serve():
                continue
            data = os.read(self._command.answers, CHUNK)
            if not data:
                break
            self._notice = None
            for frame in self._intake.take(data):
                if frame.get("type") == "note":
                    say(f"backend {self._name}: {terminal.line(str(frame.get('detail'))[:LONGEST_NOTE])}")
                    continue
                yield frame
                if frame.get("type") == "end":
                    return
            self._heard = time.monotonic()  # what the reader took for it is not the worker's silence
        self._hear_out(stopped)
        reason, mend = self._command.reason()
        raise BenchbookError(f"backend {self._name}: {reason}", mend=mend)

    def _heed(self, stopped: Callable[[], bool]) -> None:
        if stopped():
            raise BenchbookError(f"backend {self._name}: stopped", mend="record it again")

    def _serve(self, tick: float = TICK) -> set[int]:
        """Waits a tick at most; gives the program and takes the words. Returns the pipes that were ready."""
        ready = {key.fd for key, _ in self._selector.select(tick)}
        if self._command.program in ready:
            self._left = self._command.send(self._left)
            if not self._left:
                self._left = memoryview(b"")  # and the text is let go
                self._selector.unregister(self._command.program)
        if self._command.words in ready and not self._command.listen():
            self._selector.unregister(self._command.words)
        return ready

    def _is_open(self, say: Callable[[str], None]) -> bool:
        """Whether more may come: the command runs, or ended a moment ago and something still has its pipe.

        Raises:
            BenchbookError: Nothing was heard for too long.
        """
        now = time.monotonic()
        if self._ended is None and self._command.has_ended():
            self._ended = now
        if self._ended is not None and now - max(self._ended, self._heard) > GRACE:
            return False
        if now - self._heard > self._patience:
            raise self._silence()
        if self._notice is not None and now - self._began > self._notice:
            self._notice += NEXT_NOTICE
            say(f"backend {self._name}: no answer yet")
        return True

    def _silence(self) -> BenchbookError:
        """What to say of a worker that says nothing, or nothing more."""
        longer = f"give it longer: patience = {self._patience * 12} in [tool.benchbook.backends.{self._name}]"
        if self._notice is None:
            what = f"it fell silent for {self._patience} s: its machine or the connection may be gone"
            return BenchbookError(f"backend {self._name}: {what}", mend=f"record again, or {longer}")
        what = f"nothing was heard for {self._patience} s; it may be gone or queued"
        return BenchbookError(f"backend {self._name}: {what}", mend=longer)

    def _hear_out(self, stopped: Callable[[], bool]) -> None:
        """Waits for the end of a command that answers no more, and for its last words."""
        self._selector.unregister(self._command.answers)
        deadline = time.monotonic() + GRACE
        while time.monotonic() < deadline:
            self._heed(stopped)
            ended = self._command.has_ended()
            if not self._serve(SHORT_TICK) and ended:
                return
