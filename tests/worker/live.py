"""Live workers for tests: real ones, with a folder for temporary files of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchbook.lesson.snippet import parse
from benchbook.project import Backend
from benchbook.recording import plan, program
from benchbook.recording.plan import Options
from benchbook.worker.wire import Frame, Plan, decode
from tests.processes import heeding

QUICK = "# %% one\nprint('fine')\n"
COLD = "cold = true"


def planned(
    *texts: str, env: dict[str, str] | None = None, inspect: bool = False, processes: int = 3
) -> Plan:
    """A plan of these snippets, by default three processes for what measures."""
    snippets = [parse(text, slug=f"a/s{number}", path="p") for number, text in enumerate(texts)]
    backend = Backend("cpu", "cpu", env=env or {})
    options = Options(processes=processes, parallel=2)
    return plan.make(snippets, backend, None, options, inspect=inspect, cache=None)


def start(
    asked: Plan,
    folder: Path,
    *,
    env: dict[str, str] | None = None,
    command: list[str] | None = None,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.DEVNULL,
) -> "subprocess.Popen[bytes]":
    """A worker with a folder of temporary files of its own."""
    worker = subprocess.Popen(
        heeding([*(command or [sys.executable]), "-"]),
        stdin=subprocess.PIPE,
        stdout=stdout,
        stderr=stderr,
        env={**os.environ, "TMPDIR": str(folder), **(env or {})},
    )
    assert worker.stdin is not None
    worker.stdin.write(program.text(asked).encode())
    worker.stdin.close()
    return worker


def after(words: str) -> list[str]:
    """A command for a worker: this Python, after a shell has done these words in its process."""
    return ["/bin/sh", "-c", f'{words}; exec "$0" "$@"', sys.executable]


def frames(worker: "subprocess.Popen[bytes]") -> Iterator[Frame]:
    """Its answers, as they come."""
    assert worker.stdout is not None
    yield from (frame for frame in map(decode, worker.stdout) if frame is not None)


def answers(asked: Plan, folder: Path, **options: object) -> list[Frame]:
    """All of its answers; it says in its status whether all went well, and leaves its folder empty."""
    worker = start(asked, folder, **options)  # type: ignore[arg-type]  # those of `start`
    found = list(frames(worker))
    done = [frame for frame in found if frame["type"] != "process" or frame["kind"] == "completed"]
    head = next(frame for frame in found if frame["type"] == "session")
    assert worker.wait() == (0 if done == found and head["refusal"] is None else 1)
    assert list(folder.iterdir()) == []
    return found


def outcomes(asked: Plan, folder: Path, **options: object) -> list[tuple[str, str]]:
    """Kind and detail of every process, in the order of the jobs."""
    told = [frame for frame in answers(asked, folder, **options) if frame["type"] == "process"]
    told.sort(key=lambda frame: (frame["job"], frame["process"]))
    return [(frame["kind"], frame.get("detail", "")) for frame in told]
