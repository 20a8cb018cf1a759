"""A process: one child, forked or cold, its pipes, and what came of it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchbook.worker import entry, kin
from benchbook.worker.stream import Stream
from benchbook.worker.wire import FRAME_LIMIT, OUTPUT_LIMIT, Job, loads

PROBE_TIMEOUT = 600.0  # a TPU or a GPU may take minutes to start


class Process:
    """One started child.

    Args:
        job: What it executes, or ``None`` for a probe.
        folder: Its working directory; it holds the snippet's file.
        cold: The command that starts a fresh Python on the worker's code, or ``None`` to fork this process,
            which has imported JAX.
        env: Variables of a cold start; of these a forked child takes where temporary files go.
        keep_out: Descriptors of this process that a forked child must not hold.

    Raises:
        OSError: It cannot be started, and nothing of it is left.
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
        self.streams: list[Stream] = []  # every pipe that is read while the child lives
        try:
            self.outputs = [(self._pipe(), self._pipe()) for _ in (job["cells"] if job else [])]
            self.control = self._pipe(FRAME_LIMIT * (len(self.outputs) + 2))
            self.deadline = time.monotonic() + (job["timeout"] if job else PROBE_TIMEOUT)
            self.started_ns = time.perf_counter_ns()
            self.pid = self._fork(keep_out, env) if cold is None else self._start(cold, env)
        except OSError:
            for stream in self.streams:
                os.close(stream.descriptor)
            raise
        finally:
            for descriptor in self._writing:
                os.close(descriptor)
        self.pidfd = _pidfd(self.pid)

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
        """Whether the child has ended; then what is left of its session is killed, and its pipes closed."""
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
        kin.end_session(self.pid)
        for stream in self.streams:
            stream.close()
        if self.pidfd is not None:
            os.close(self.pidfd)
        return True

    def messages(self) -> list[dict[str, Any]]:
        """What the child sent; a line cut short by its death is left out.

        Raises:
            ValueError: Something else was written there: a snippet can reach every descriptor that it has.
        """
        found = [loads(line) for line in bytes(self.control.kept).split(b"\n")[:-1]]
        if not all(isinstance(message, dict) and isinstance(message.get("kind"), str) for message in found):
            raise ValueError("no message of ours")
        return found

    def _pipe(self, limit: int = OUTPUT_LIMIT) -> Stream:
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        self._writing.append(writing)
        self.streams.append(Stream(reading, limit))
        return self.streams[-1]

    def _ends(self) -> tuple[list[tuple[int, int]], int]:
        """Writing ends: a pair for each cell, and the one for control."""
        *pairs, control = self._writing
        return list(zip(pairs[0::2], pairs[1::2], strict=True)), control

    def _fork(self, keep_out: set[int], env: dict[str, str]) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                os.setsid()
                for descriptor in keep_out | {stream.descriptor for stream in self.streams}:
                    os.close(descriptor)
                os.chdir(self.folder)
                os.environ["TMPDIR"], tempfile.tempdir = env["TMPDIR"], None
                entry.enter(self.job, *self._ends(), script_path(self.job, self.folder), parent)
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


def _pidfd(pid: int) -> int | None:
    """A descriptor that tells of the end of a child at once, where there is such a thing and one is left."""
    if sys.platform != "linux":
        return None
    with contextlib.suppress(OSError):
        return os.pidfd_open(pid)
    return None


def script_path(job: Job | None, folder: Path) -> str:
    """Where the snippet's file lies in its process's folder."""
    return str(folder / "snippets" / f"{job['slug'] if job else 'probe'}.py")
