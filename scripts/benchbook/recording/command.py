"""The command: a backend's words, started with three pipes of ours, and ended with all that it started."""

import contextlib
import errno
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from benchbook import system, terminal
from benchbook.errors import BenchbookError
from benchbook.worker.death import named

GRACE = 10.0  # seconds to end after it was asked to
POLL = 0.02  # seconds between two looks whether it has ended
SHORT_GRACE = 2.0  # seconds to end by itself, since nobody listens any more
LAST_WORDS = 8192  # bytes of standard error that are kept
NOT_FOUND = (126, 127)  # a shell's status
SSH_FAILED = 255
SHORT = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)  # this machine's lack, and not the command's
# What else a status says of a worker over there: 128 and a signal.
ENDED = {
    137: "it was killed there, most often because memory ran out",
    143: "it was ended from outside: cancelled, or at its limit of time",
}


class Command:
    """A started command.

    It has a session of its own: Control-C in a terminal is the engine's alone to act on, and ssh has no
    terminal to ask on, where several would ask at once.

    Args:
        words: The words that start a Python; ``-`` is added.
        name: The backend's name, for messages.

    Raises:
        BenchbookError: The command cannot be started.
    """

    def __init__(self, words: Sequence[str], name: str) -> None:
        self._words = words
        self._place = f"[tool.benchbook.backends.{name}]"
        self._tail = b""
        pipe = subprocess.PIPE
        try:
            self._worker = subprocess.Popen(
                [*words, "-"], bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
        except (OSError, ValueError) as error:  # ValueError: a word holds a zero byte
            raise self._unstarted(error, name) from error
        streams = (self._worker.stdin, self._worker.stdout, self._worker.stderr)
        self.program, self.answers, self.words = (stream.fileno() for stream in streams if stream)
        for descriptor in (self.program, self.answers, self.words):
            os.set_blocking(descriptor, False)

    def _unstarted(self, error: OSError | ValueError, name: str) -> BenchbookError:
        why = error.strerror if isinstance(error, OSError) else error
        message = f"backend {name}: cannot start {terminal.line(self._words[0])}: {why}"
        if isinstance(error, OSError) and error.errno in SHORT:
            return BenchbookError(message, mend=system.MENDS[error.errno])
        mend = f"correct the command of {self._place}"
        return BenchbookError(message, path="pyproject.toml", mend=mend)

    def send(self, data: memoryview) -> memoryview:
        """Writes what the pipe takes; returns what is left, and closes the pipe after the last byte."""
        try:
            data = data[os.write(self.program, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            data = data[len(data) :]
        if not data and self._worker.stdin:
            self._worker.stdin.close()
        return data

    def listen(self) -> bool:
        """Reads what stands on standard error, and keeps the end of it; False once it is closed."""
        data = os.read(self.words, 65536)
        self._tail = (self._tail + data)[-LAST_WORDS:]
        return bool(data)

    def has_ended(self) -> bool:
        """Whether the process that was started is gone; its number, and so its group's, is not free yet."""
        return self._status() is not None

    def reason(self) -> tuple[str, str]:
        """Why it ended before its last frame, and the mend."""
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").splitlines()]
        last = next((f": {terminal.line(line[:300])}" for line in reversed(lines) if line), "")
        status = self._status()
        if status is None:
            return f"the worker closed its output before it had finished{last}", self._mend(0)
        shown = f"{status} ({named(-status)})" if status < 0 else str(status)
        return f"the worker ended with status {shown} before it had finished{last}", self._mend(status)

    def _mend(self, status: int) -> str:
        by_ssh = any(Path(word).name == "ssh" for word in self._words)
        if status in NOT_FOUND:
            blanks = by_ssh and any(" " in word for word in self._words)
            hint = "; ssh splits its words at blanks" if blanks else ""
            return f"is there such a Python? correct the command of {self._place}{hint}"
        if status == SSH_FAILED and by_ssh:
            return "ssh could not connect, or lost the connection, and cannot ask here: try it by hand"
        return ENDED.get(status, f"try the command of {self._place} by hand")

    def end(self) -> None:
        """Ends the worker, which takes its children along, and whatever else the command left running."""
        if self._worker.stdout:
            self._worker.stdout.close()
        if not self._ends_within(SHORT_GRACE):
            os.kill(self._worker.pid, signal.SIGTERM)
            self._ends_within(GRACE)
        with contextlib.suppress(ProcessLookupError, PermissionError):  # on macOS, zombies are not ours
            if self.has_ended():
                self._end_group()
            os.killpg(self._worker.pid, signal.SIGKILL)
        for stream in (self._worker.stdin, self._worker.stderr):
            if stream:
                stream.close()
        self._worker.wait()

    def _status(self) -> int | None:
        """The status of the process that was started, once it is gone."""
        if self._worker.returncode is None and hasattr(os, "waitid"):  # macOS has it from Python 3.13 on
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            found = os.waitid(os.P_PID, self._worker.pid, options)
            if found is None:
                return None
            return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        return self._worker.poll()

    def _ends_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while not self.has_ended():
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL)  # polling for an end that may not be waited for: the number would be free
        return True

    def _end_group(self) -> None:
        """Asks what a wrapper left in its group to end, which may be a worker that has to tidy up.

        First while the number of the group cannot be anybody else's; then as long as somebody of it is there.
        """
        os.killpg(self._worker.pid, signal.SIGTERM)
        self._worker.wait()
        deadline = time.monotonic() + GRACE
        while time.monotonic() < deadline:
            os.killpg(self._worker.pid, 0)
            time.sleep(POLL)  # polling for an end that nothing here can wait for: they are no children
