"""The condition of an environment: whether it is whole and starts, found out in one process."""

import errno
import signal
from collections.abc import Callable
from pathlib import Path

from benchbook.recording import errand
from benchbook.worker.death import named

MADE = ".benchbook-made"  # written last; holds what `probe` tells, or nothing where both are of one version
PATIENCE = 120.0  # seconds
# Whether every file is as long as its distribution says, then whether JAX starts. Python 3.11 or newer.
PROBE = """
import csv, importlib.metadata, os, sys
for distribution in importlib.metadata.distributions():
    for name, _, size in csv.reader((distribution.read_text("RECORD") or "").splitlines()):
        path = distribution.locate_file(name)
        if size and (not os.path.exists(path) or os.path.getsize(path) != int(size)):
            print(f"{name} is missing or not whole", file=sys.stderr)
            sys.exit(3)
import jax, jaxlib
print(*(f"{name} {importlib.metadata.version(name)}" for name in ("jax", "jaxlib")))
"""
NOT_WHOLE = 3
LATER = "end what keeps this machine busy, and record again"  # the mend where nobody knows
# Why an environment's Python does not start. Of anything else the machine is the reason.
BROKEN = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EACCES, errno.EPERM, errno.ENOEXEC)
OUTSIDE = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)  # signals that somebody sent


class BrokenError(Exception):
    """Why an environment cannot be used, in a few words."""


class UnknownError(Exception):
    """Why nobody can say now whether it can be used: it may be whole, and another recorder may use it."""


class IncompleteError(BrokenError):
    """A file of it is missing or cut short."""


def program(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / "bin" / "python"


def examine(folder: Path, jax: str, stopped: Callable[[], bool]) -> None:
    """Proves that an environment is the one that was made.

    Raises:
        BrokenError: It is not.
        UnknownError: Nobody knows.
        BenchbookError: It was stopped.
    """
    try:
        made = (folder / MADE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise BrokenError("its making did not end") from None
    found = probe(folder, stopped)
    if found != (made or f"jax {jax} jaxlib {jax}"):
        raise BrokenError(f"it holds {found}")


def probe(folder: Path, stopped: Callable[[], bool]) -> str:
    """Versions of JAX and jaxlib, from a JAX that starts.

    Raises:
        BrokenError: A file is not whole, or JAX does not start.
        UnknownError: Nobody knows.
        BenchbookError: It was stopped.
    """
    words = [str(program(folder)), "-I", "-B", "-c", PROBE]
    try:
        done = errand.run(words, stopped=stopped, patience=PATIENCE)
    except TimeoutError:
        raise UnknownError(f"its JAX took longer than {PATIENCE:.0f} s") from None
    except OSError as error:
        why = f"its Python does not start: {error.strerror}"
        raise (BrokenError if error.errno in BROKEN else UnknownError)(why) from None
    if done.status > errand.SIGNALLED:
        number = done.status - errand.SIGNALLED
        why = f"its JAX is ended by {named(number)}"
        raise (UnknownError if number in OUTSIDE else BrokenError)(why)
    lines = (done.out if done.status == 0 else done.err).split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "its JAX does not start")
    if done.status == NOT_WHOLE:
        raise IncompleteError(last)
    if done.status:
        raise BrokenError(last[:300])
    return last
