"""Cold processes for tests: a job made of cells, started without a dispatcher."""

import os
import sys
from pathlib import Path

from benchbook.worker.process import Process, script_path
from benchbook.worker.watch import wait
from benchbook.worker.wire import Job

ENTER = "import sys; from benchbook.worker.entry import enter_cold; enter_cold(sys.argv[1])"
STOP = "\nraise SystemExit  # before JAX is asked for its devices, which these tests do not need\n"


def job(*sources: str, timeout: float = 60) -> Job:
    """A job whose cells are these sources."""
    cells = [{"name": f"cell{n}", "source": source, "line": 1} for n, source in enumerate(sources)]
    text = "\n".join(sources)
    return Job(
        slug="a/b",
        text=text,
        sha256="",
        cells=cells,  # type: ignore[typeddict-item]  # plain dicts
        processes=1,
        fork=False,
        alone=False,
        timeout=timeout,
        inspect=False,
    )


def start(work: Job, folder: Path) -> Process:
    """A cold process, in a folder with the snippet's file."""
    script = Path(script_path(work, folder))
    script.parent.mkdir(parents=True)
    script.write_text(work["text"])
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    return Process(work, folder, cold=[sys.executable, "-c", ENTER], env=env, keep_out=set())


def ended(work: Job, folder: Path) -> Process:
    """The process at its end."""
    process = start(work, folder)
    assert wait([process], heard=lambda: True) is process
    return process


def outputs(process: Process) -> list[tuple[bytes, bytes]]:
    """What each cell printed."""
    return [(bytes(out.kept), bytes(err.kept)) for out, err in process.outputs]
