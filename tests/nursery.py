"""A nursery: one process that has imported JAX, and a fork of it for each code that is executed in its own.

Forking is safe on Linux before any backend exists and while there is one thread. An import is half of what a
short snippet costs. What must be true of a fresh process is not asked here. Elsewhere, and in `make soak`,
every code starts a process anew.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import SOAK

FORKS = sys.platform == "linux" and not SOAK
ENV = os.environ | {"JAX_PLATFORMS": "cpu"}
SECONDS = 120  # that a child may take
SERVE = """
import json, os, signal, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # with more, importing NumPy starts threads
import jax, numpy
import jax.numpy
from jax._src import xla_bridge
assert not xla_bridge.backends_are_initialized() and len(os.listdir("/proc/self/task")) == 1
for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if not child:
        signal.alarm(job["seconds"])
        for number, name in enumerate((os.devnull, os.devnull, job["said"])):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
        os.chdir(job["folder"])
        status = 1
        try:
            sys.argv = ["-c", *job["words"]]
            exec(compile(job["code"], "<string>", "exec"), {"__name__": "__main__"})
            status = 0
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Nursery:
    """Executes code in forks, one after another, of a process that starts when the first is asked for."""

    def __init__(self) -> None:
        """No process yet."""
        self.server: subprocess.Popen[str] | None = None

    def run(self, code: str, *words: str, folder: Path) -> None:
        """Executes code in a folder of its own, on the CPU; what it said is the failure's text."""
        if not FORKS:
            command = [sys.executable, "-c", code, *words]
            done = subprocess.run(
                command, cwd=folder, env=ENV, check=False, capture_output=True, text=True, timeout=SECONDS
            )
            assert done.returncode == 0, done.stderr
            return
        said = folder.parent / f"{folder.name}.said"
        server = self._started()
        job = {"code": code, "words": words, "folder": str(folder), "said": str(said), "seconds": SECONDS}
        print(json.dumps(job), file=server.stdin, flush=True)
        status = server.stdout.readline().strip()
        assert status == "0", f"status {status}: {said.read_text()}"

    def close(self) -> None:
        """Ends the process."""
        if self.server is not None:
            self.server.communicate()

    def _started(self) -> subprocess.Popen[str]:
        if self.server is None:
            self.server = subprocess.Popen(
                [sys.executable, "-c", SERVE],
                env=ENV,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self.server
