"""A nursery: one process that has imported JAX, and a fork of it for each code that is executed in its own.

Forking is safe on Linux before any backend exists and while there is one thread. An import is half of what a
short snippet costs. What must be true of a fresh process is not asked here. Elsewhere, and in `make soak`,
every code starts a process anew.
"""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from tests.conftest import SOAK
from tests.processes import descendants

FORKS = sys.platform == "linux" and not SOAK
ENV = os.environ | {"JAX_PLATFORMS": "cpu"}
SECONDS = 120  # that a child may take
GRACE = 10  # seconds more for one that does not heed its alarm
SERVE = """
import json, os, signal, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # with more, importing NumPy starts threads
import jax, numpy
import jax.numpy
from jax._src import xla_bridge
assert not xla_bridge.backends_are_initialized() and len(os.listdir("/proc/self/task")) == 1
print("ready", flush=True)
for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
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
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        os.killpg(child, signal.SIGKILL)  # what it started and left
    except ProcessLookupError:
        pass
    print(status, flush=True)
"""


def python(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Runs this interpreter on the CPU in a fresh process, away from the project."""
    command = [sys.executable, *words]
    return subprocess.run(
        command, cwd=cwd, env=ENV, check=False, capture_output=True, text=True, timeout=SECONDS
    )


def afresh(code: str, *words: str, folder: Path) -> None:
    """Executes code in a process that is started for it."""
    try:
        done = python("-c", code, *words, cwd=folder)
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"took longer than {SECONDS} s: {(error.stderr or b'').decode()}") from error
    assert done.returncode == 0, done.stderr


class Nursery:
    """Executes code in forks, one after another, of a process that starts when the first is asked for."""

    def __init__(self) -> None:
        """No process yet."""
        self.server: subprocess.Popen[str] | None = None

    def run(self, code: str, *words: str, folder: Path) -> None:
        """Executes code in a folder of its own, on the CPU; what it said is the failure's text."""
        if not FORKS:
            afresh(code, *words, folder=folder)
            return
        said = folder.parent / f"{folder.name}.said"
        server = self._started()
        job = {"code": code, "words": words, "folder": str(folder), "said": str(said), "seconds": SECONDS}
        print(json.dumps(job), file=server.stdin, flush=True)
        ready, _, _ = select.select([server.stdout], [], [], SECONDS + GRACE)
        status = server.stdout.readline().strip() if ready else str(-signal.SIGALRM)
        if not ready or not status:
            self._end()
        took = f"took longer than {SECONDS} s" if status == str(-signal.SIGALRM) else f"status {status}"
        assert status == "0", f"{took}: {said.read_text() if said.exists() else 'the nursery ended'}"

    def close(self) -> None:
        """Ends the process."""
        if self.server is not None:
            self.server.communicate()

    def _end(self) -> None:
        """Ends the process and the child that it waits for; the next code starts another."""
        server, self.server = self.server, None
        for child in descendants(server.pid):
            os.kill(child, signal.SIGKILL)
        server.kill()
        server.communicate()

    def _started(self) -> subprocess.Popen[str]:
        if self.server is None:
            self.server = subprocess.Popen(
                [sys.executable, "-c", SERVE],
                env=ENV,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert self.server.stdout.readline() == "ready\n", "the nursery cannot start"
        return self.server
