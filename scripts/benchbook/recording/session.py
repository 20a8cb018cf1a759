"""A session: one worker on one backend, from its text program to its last frame."""

import contextlib
import subprocess
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence

from benchbook.errors import BenchbookError
from benchbook.worker.wire import Frame, decode

PATIENCE = 10.0  # seconds for a worker to end after it was asked to
LONGEST = 64 * 1024 * 1024  # bytes of a frame


def frames(command: Sequence[str], program: str, *, name: str) -> Iterator[Frame]:
    """Pipes the program to the command and yields what it answers, as it answers.

    Closing the iterator ends the worker, which takes its children along.

    Args:
        command: The words that start a Python; ``-`` is added.
        program: The text program.
        name: The backend's name, for messages.

    Raises:
        BenchbookError: The command cannot be started, or it ended before its last frame.
    """
    try:
        worker = subprocess.Popen(
            [*command, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as error:
        raise BenchbookError(
            f"backend {name}: cannot start {command[0]}: {error.strerror}",
            path="pyproject.toml",
            mend=f"correct the command of [tool.benchbook.backends.{name}]",
        ) from error
    tail: deque[bytes] = deque(maxlen=20)
    helpers = [
        threading.Thread(target=_feed, args=(worker, program.encode()), daemon=True),
        threading.Thread(target=_listen, args=(worker, tail), daemon=True),
    ]
    for helper in helpers:
        helper.start()
    try:
        ended = yield from _read(worker)
        if not ended:
            raise BenchbookError(
                f"backend {name}: {_reason(worker, helpers[1], tail)}", mend="try it by hand"
            )
    finally:
        _end(worker)


def _read(worker: "subprocess.Popen[bytes]") -> Generator[Frame, None, bool]:
    """Yields frames; returns whether the last one came."""
    assert worker.stdout is not None  # noqa: S101  # it was asked for
    while line := worker.stdout.readline(LONGEST):
        frame = decode(line)
        if frame is not None:
            yield frame
            if frame.get("type") == "end":
                return True
    return False


def _feed(worker: "subprocess.Popen[bytes]", program: bytes) -> None:
    assert worker.stdin is not None  # noqa: S101  # it was asked for
    with contextlib.suppress(BrokenPipeError, ValueError), worker.stdin:
        worker.stdin.write(program)


def _listen(worker: "subprocess.Popen[bytes]", tail: "deque[bytes]") -> None:
    assert worker.stderr is not None  # noqa: S101  # it was asked for
    while line := worker.stderr.readline(4096):
        tail.append(line)


def _reason(worker: "subprocess.Popen[bytes]", listener: threading.Thread, tail: "deque[bytes]") -> str:
    status = worker.wait()
    listener.join(PATIENCE)
    lines = [line for line in (raw.decode("utf-8", "replace").strip() for raw in tail) if line]
    said = f": {lines[-1][:300]}" if lines else ""
    return f"the worker ended with status {status} before it had finished{said}"


def _end(worker: "subprocess.Popen[bytes]") -> None:
    if worker.poll() is None:
        worker.stdout.close() if worker.stdout else None
        try:
            worker.wait(0.2)
        except subprocess.TimeoutExpired:
            worker.terminate()
    try:
        worker.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()
