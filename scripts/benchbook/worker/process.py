"""A process: one child, forked or cold, its pipes, and what came of it."""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from benchbook.worker import child
from benchbook.worker.wire import FRAME_LIMIT, OUTPUT_LIMIT, Job

PROBE_TIMEOUT = 600.0  # a TPU or a GPU may take minutes to start
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


class Process:
    """One started child.

    Args:
        job: What it executes, or ``None`` for a probe.
        folder: Its working directory; it holds the snippet's file.
        cold: The command that starts a fresh Python on the worker's code, or ``None`` to fork this process,
            which has imported JAX.
        env: Variables of a cold start.
        keep_out: Descriptors of this process that a forked child must not hold.
    """

    def __init__(
        self,
        job: Job | None,
        folder: Path,
        *,
        cold: Sequence[str] | None,
        env: dict[str, str],
        keep_out: set[int],
    ) -> None:
        self.job = job
        self.folder = folder
        self.fork = cold is None
        self.timed_out = False
        self.status = 0
        self.ended_ns = 0
        self._popen: subprocess.Popen[bytes] | None = None
        self._writing: list[int] = []
        self.outputs = [(self._pipe(), self._pipe()) for _ in (job["cells"] if job else [])]
        self.control = self._pipe(FRAME_LIMIT * (len(self.outputs) + 2))
        self.deadline = time.monotonic() + (job["timeout"] if job else PROBE_TIMEOUT)
        self.started_ns = time.perf_counter_ns()
        self.pid = self._fork(keep_out) if cold is None else self._start(cold, env)
        for descriptor in self._writing:
            os.close(descriptor)
        self.pidfd = os.pidfd_open(self.pid) if sys.platform == "linux" else None

    @property
    def streams(self) -> list[Stream]:
        """Every pipe that is read while the child lives."""
        return [stream for pair in self.outputs for stream in pair] + [self.control]

    @property
    def descriptors(self) -> set[int]:
        """What this process holds open for the child."""
        return {stream.descriptor for stream in self.streams} | (
            {self.pidfd} if self.pidfd is not None else set()
        )

    def kill(self) -> None:
        """Ends the child and everything in its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def reap(self) -> bool:
        """Whether the child has ended; then what is left of its group is killed and its pipes are closed."""
        if self._popen is not None:
            status = self._popen.poll()
        else:
            pid, raw = os.waitpid(self.pid, os.WNOHANG)
            status = os.waitstatus_to_exitcode(raw) if pid else None
        if status is None:
            return False
        self.ended_ns = time.perf_counter_ns()
        self.status = status
        self.kill()
        for stream in self.streams:
            stream.close()
        if self.pidfd is not None:
            os.close(self.pidfd)
        return True

    def messages(self) -> list[dict[str, Any]]:
        """What the child sent; a line cut short by its death is left out."""
        return [json.loads(line) for line in bytes(self.control.kept).split(b"\n")[:-1]]

    def _pipe(self, limit: int = OUTPUT_LIMIT) -> Stream:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._writing.append(writing)
        return Stream(reading, limit)

    def _ends(self) -> tuple[list[tuple[int, int]], int]:
        """Writing ends: a pair for each cell, and the one for control."""
        *pairs, control = self._writing
        return list(zip(pairs[0::2], pairs[1::2], strict=True)), control

    def _fork(self, keep_out: set[int]) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                for descriptor in keep_out | {stream.descriptor for stream in self.streams}:
                    os.close(descriptor)
                os.chdir(self.folder)
                enter(self.job, *self._ends(), script_path(self.job, self.folder), parent)
            finally:
                os._exit(1)
        return pid

    def _start(self, cold: Sequence[str], env: dict[str, str]) -> int:
        task = self.folder / "task.json"
        script = script_path(self.job, self.folder)
        task.write_text(json.dumps([self.job, *self._ends(), script, os.getpid()]), encoding="utf-8")
        self._popen = subprocess.Popen(
            [*cold, str(task)],
            env=env,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=self._writing,
            start_new_session=True,
        )
        return self._popen.pid


def script_path(job: Job | None, folder: Path) -> str:
    """Where the snippet's file lies in its process's folder."""
    return str(folder / "snippets" / f"{job['slug'] if job else 'probe'}.py")


def enter_cold(task: str) -> NoReturn:
    """Entry of a process that was started afresh: reads its task and goes on as a forked one does."""
    path = Path(task)
    job, pairs, control, script, parent = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    del sys.path[0]  # the worker's own code
    enter(job, [(out, err) for out, err in pairs], control, script, parent)


def enter(job: Job | None, pairs: list[tuple[int, int]], control: int, script: str, parent: int) -> NoReturn:
    """In the child: probes, or runs the job, and ends the process."""
    for descriptor in (control, *(end for pair in pairs for end in pair)):
        os.set_inheritable(descriptor, False)  # a program that the snippet starts does not hold them
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    if job is None:
        child.probe(child.Control(control), parent)
    child.main(job, pairs, child.Control(control), script, parent)


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
