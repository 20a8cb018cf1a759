"""An errand: a program that does one thing for this process, and ends with it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchbook.errors import BenchbookError

POLL = 0.2  # seconds between two looks whether it shall stop
UNSTARTED = 126  # the status that says so, as in a shell
SIGNALLED = 128  # added to the number of a signal
# Starts what it is told to, and kills it when its standard input ends: with this process, however that ends.
WATCH = f"""
import os, signal, subprocess, sys, threading
try:
    child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, process_group=0)
except OSError as error:
    print(error.errno, file=sys.stderr)
    sys.exit({UNSTARTED})
def end():
    while os.read(0, 1):
        pass
    os.killpg(child.pid, signal.SIGKILL)
threading.Thread(target=end, daemon=True).start()
status = child.wait()
os._exit(status if status >= 0 else {SIGNALLED} - status)
"""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of it.

    Attributes:
        status: Above `SIGNALLED` where a signal ended it.
        out: What it printed.
        err: What it complained of.
    """

    status: int
    out: str
    err: str


def run(
    words: Sequence[str],
    *,
    stopped: Callable[[], bool],
    patience: float | None = None,
    path: str | None = None,
    lock: int = -1,
) -> Done:
    """Runs a program; Control-C in a terminal does not reach it.

    Args:
        words: The program and its arguments.
        stopped: Asked now and then; when it says yes, the program is killed.
        patience: Seconds after which it is killed, too.
        path: The folders in which it finds programs, where they are not the usual ones.
        lock: A descriptor that stays open until it has ended, also when this process is killed.

    Raises:
        BenchbookError: It was stopped.
        TimeoutError: It took too long.
        OSError: It cannot be started.
    """
    life, end = os.pipe()
    try:
        watcher = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", WATCH, *words],
            stdin=life,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | ({} if path is None else {"PATH": path}),
            pass_fds=() if lock < 0 else (lock,),
            start_new_session=True,
            text=True,
            errors="replace",
        )
    except OSError:
        os.close(end)
        raise
    finally:
        os.close(life)
    try:
        out, err = _heard(watcher, stopped, patience)
    finally:
        os.close(end)
        watcher.wait()
        for stream in (watcher.stdout, watcher.stderr):
            stream.close() if stream else None
    if watcher.returncode == UNSTARTED and err.strip().isdigit():
        raise OSError(int(err), os.strerror(int(err)), words[0])
    return Done(watcher.returncode, out, err)


def _heard(
    watcher: "subprocess.Popen[str]", stopped: Callable[[], bool], patience: float | None
) -> tuple[str, str]:
    began = time.monotonic()
    while True:
        try:
            return watcher.communicate(timeout=POLL)
        except subprocess.TimeoutExpired:
            if stopped():
                raise BenchbookError("the making of an environment was stopped") from None
            if patience is not None and time.monotonic() - began > patience:
                raise TimeoutError from None
