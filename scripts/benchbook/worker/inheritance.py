"""The inheritance: the variables that this process was started with, replaced by those that pass.

A process keeps what it was started with in a place of its own, where the kernel shows it (on Linux as
``/proc/self/environ``), and a forked one has a copy. So what does not pass is overwritten there.
"""

import ctypes
import os
from collections.abc import Mapping

Entries = dict[int, int]  # where an entry ``NAME=value`` lies, and how many bytes it has


def replace(env: Mapping[str, str]) -> None:
    """Gives this process and those forked from it these variables and no others, nor a trace of others.

    What passes as it was stays where the kernel shows it: by its own TMPDIR a recording is found.
    """
    before = _entries()
    for name in set(os.environ) - set(env):
        del os.environ[name]
    os.environ.update({name: value for name, value in env.items() if os.environ.get(name) != value})
    after = _entries()
    for place, length in before.items():
        if place not in after:
            ctypes.memset(place, 0, length)


def _entries() -> Entries:
    """The entries of C's own table of variables; none where it is not found by name."""
    try:
        table = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
    except ValueError:
        return {}
    found: Entries = {}
    index = 0
    while table and (place := table[index]):
        found[place] = len(ctypes.string_at(place))
        index += 1
    return found
