"""The entry: where a process that was started, forked or cold, becomes a child of the dispatcher."""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

from benchbook.worker import child, kin, probe, void
from benchbook.worker.control import Control
from benchbook.worker.wire import Job


def enter_cold(task: str) -> NoReturn:
    """Entry of a process that was started afresh: reads its task and goes on as a forked one does."""
    path = Path(task)
    job, pairs, control, script, parent = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    del sys.path[0]  # the worker's own code
    enter(job, [(out, err) for out, err in pairs], control, script, parent)


def enter(job: Job | None, pipes: list[tuple[int, int]], control: int, script: str, parent: int) -> NoReturn:
    """In the child: probes, or runs the job, and ends the process.

    Args:
        job: What to execute, or ``None`` to probe.
        pipes: Writing ends of each cell's output, standard and error.
        control: Writing end of the way back.
        script: The snippet's file.
        parent: The process without which this one shall not live.
    """
    for descriptor in (control, *(end for pair in pipes for end in pair)):
        os.set_inheritable(descriptor, False)  # a program that the snippet starts does not hold them
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    kin.end_with(parent, signal.SIGKILL)
    _volunteer()
    void.as_input()
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # descriptor 0, for as long as it lives
    if job is None:
        probe.main(Control(control))
    child.main(job, pipes, Control(control), script)


def _volunteer() -> None:
    """When memory runs out, the kernel shall choose this process, and not the dispatcher (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500", encoding="ascii")
