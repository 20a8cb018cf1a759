"""The inheritance: the variables that this process was started with, replaced by those that pass.

A process keeps what it was started with in a place of its own, where the kernel shows it (on Linux as
``/proc/self/environ``), and a forked one has a copy. So what does not pass is overwritten there, and nowhere
else: what was set later lies in memory that C may have given to others.
"""

import contextlib
import ctypes
import os
from collections.abc import Mapping
from pathlib import Path

START, END = 47, 48  # of the first variables, among the numbers of `/proc/self/stat` after the name


def replace(env: Mapping[str, str]) -> None:
    """Gives this process and those forked from it these variables and no others, nor a trace of others.

    What passes as it was stays where the kernel shows it: by its own TMPDIR a recording is found.
    """
    for name in set(os.environ) - set(env):
        del os.environ[name]
    os.environ.update({name: value for name, value in env.items() if os.environ.get(name) != value})
    kept = {os.fsencode(f"{name}={value}") for name, value in env.items()}
    place, data = _first()
    for entry in data.split(b"\0"):
        if entry not in kept:
            ctypes.memset(place, 0, len(entry))
        place += len(entry) + 1


def _first() -> tuple[int, bytes]:
    """Where the first variables lie, and what stands there; nothing where the kernel does not tell."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        words = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        start, end = int(words[START]), int(words[END])
        if 0 < start < end:
            return start, ctypes.string_at(start, end - start)
    return 0, b""
