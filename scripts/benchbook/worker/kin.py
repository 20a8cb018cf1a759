"""The kin: the processes below this one, also those that left their group, their session and their parent."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE = 10.0  # seconds for killed processes to be gone; one that no signal ends is left to the kernel
POLL = 0.01
SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36  # of prctl


def adopt() -> None:
    """From now on processes below this one that lose their parent become its children (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with(parent: int, number: int) -> None:
    """Makes the kernel send this process a signal when its parent ends (Linux); one that has gone ends it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PDEATHSIG, number, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def end_all() -> None:
    """Kills every process below this one, until there is none or for ten seconds: a stuck one is left.

    Only where nobody waits for any of them.
    """
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        _kill(list(below(os.getpid())))
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(POLL)


def end_session(leader: int) -> None:
    """Kills what is left of a session below this process; its leader has ended and was waited for."""
    deadline = time.monotonic() + PATIENCE
    killed: set[int] = set()
    while left := [pid for pid in below(os.getpid()) if _lives_in(pid, leader)]:
        if time.monotonic() > deadline:
            break
        _kill(left)
        killed.update(left)
        time.sleep(POLL)
    for pid in killed:
        with contextlib.suppress(ChildProcessError):  # it had a parent that is not this process
            os.waitpid(pid, os.WNOHANG)


def below(pid: int) -> Iterator[int]:
    """Every process below one, as far as the kernel tells (Linux)."""
    waiting = [pid]
    while waiting:  # no recursion: a chain of processes may be longer than Python's stack
        children = list(_children(waiting.pop()))
        yield from children
        waiting += children


def _children(pid: int) -> Iterator[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return
    for task in tasks:
        with contextlib.suppress(OSError):  # it has ended meanwhile
            yield from map(int, (task / "children").read_bytes().split())


def _lives_in(pid: int, leader: int) -> bool:
    """Whether a process is of this session and has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    state, _, _, session, *_ = stat.rpartition(b")")[2].split()
    return int(session) == leader and state not in (b"Z", b"X")


def _kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
