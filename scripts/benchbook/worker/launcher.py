"""The launcher: starts a process in a folder of its own, forked from this one or on a Python of its own."""

import os
import py_compile
import sys
import tempfile
from pathlib import Path

from benchbook.worker import inspection, machine
from benchbook.worker.folder import Folder
from benchbook.worker.preload import preload
from benchbook.worker.process import Process, script_path
from benchbook.worker.removal import remove
from benchbook.worker.wire import Job, Plan

DUMPS = ".dumps"  # below the folder of a process that inspects
WORK, SCRATCH = "work", "tmp"  # below what is a process's own: where it runs, and its temporary files
COLD = "import sys\nfrom benchbook.worker.entry import enter_cold\nenter_cold(sys.argv[1])\n"


class Launcher:
    """What every start has in common.

    Args:
        plan: Says what may be forked.
        sources: The worker's modules, for the processes that start cold.
        folder: Holds the folders of all processes.
        keep_out: Descriptors that no child may hold.

    Raises:
        OSError: The worker's code cannot be written.
    """

    def __init__(self, plan: Plan, sources: dict[str, str], folder: Folder, keep_out: set[int]) -> None:
        self._sources = sources
        self._folder = folder
        self._cold = [sys.executable, str(_unpack(sources, folder.path / "code"))]
        self._keep_out = keep_out
        self._env = dict(os.environ)  # untouched by what the preload sets
        self._warm = preload(plan)

    def probe(self) -> Process:
        """Starts a process that asks JAX what it finds."""
        return self._process(None, self._made("probe"), self._env, fork=self._warm, keep_out=set())

    def start(self, job: Job, *, inspects: bool, keep_out: set[int]) -> Process:
        """Starts a process of a job.

        Args:
            job: What it executes.
            inspects: Whether it writes its programs out, below `DUMPS` in its folder; then it starts cold.
            keep_out: More descriptors of this process that a forked child must not hold.

        Raises:
            OSError: It cannot be started.
        """
        folder = self._made(job["slug"].replace("/", "-"))
        try:
            script = Path(script_path(job, folder))
            script.parent.mkdir(parents=True)
            script.write_text(job["text"], encoding="utf-8")
            env = inspection.variables(folder / DUMPS, self._env) if inspects else self._env
            fork = self._warm and job["fork"] and not inspects
            return self._process(job, folder, env, fork=fork, keep_out=keep_out)
        except OSError:
            remove(folder.parent)
            raise

    def clear(self, process: Process) -> None:
        """Removes the folder of a process that has ended, and its temporary files."""
        remove(process.folder.parent)

    def flags(self, process: Process) -> dict[str, str]:
        """The variables of a process that its run records."""
        return machine.flags(dict(os.environ) if process.fork else self._env)

    def _made(self, prefix: str) -> Path:
        if not Path(self._cold[1]).exists():  # a snippet can remove what lies above its folder
            self._folder.hold()
            _unpack(self._sources, self._folder.path / "code")
        own = Path(tempfile.mkdtemp(dir=self._folder.path, prefix=f"{prefix}-"))
        for part in (WORK, SCRATCH):
            (own / part).mkdir()
        return own / WORK

    def _process(
        self, job: Job | None, folder: Path, env: dict[str, str], *, fork: bool, keep_out: set[int]
    ) -> Process:
        cold = None if fork else self._cold
        env = env | {"TMPDIR": str(folder.parent / SCRATCH)}
        keep_out = keep_out | self._keep_out | {self._folder.descriptor}
        return Process(job, folder, cold=cold, env=env, keep_out=keep_out)


def _unpack(sources: dict[str, str], folder: Path) -> Path:
    """Writes the worker as files, compiled, so that a cold start costs little more than Python's own."""
    for name, text in sources.items():
        is_package = any(other.startswith(name + ".") for other in sources)
        path = (
            folder / name.replace(".", "/") / "__init__.py"
            if is_package
            else folder / f"{name.replace('.', '/')}.py"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        py_compile.compile(str(path), quiet=1)
    script = folder / "cold.py"
    script.write_text(COLD, encoding="utf-8")
    return script
