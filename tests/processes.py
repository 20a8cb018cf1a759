"""Processes for tests: begun by somebody else, found by their command, and gone when they must be (Linux)."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path


def heeding(command: list[str]) -> list[str]:
    """The command, started so that Control-C and a closed terminal count: in the background they may not."""
    script = "import os, signal, sys; "
    script += "".join(f"signal.signal(signal.{name}, signal.SIG_DFL); " for name in ("SIGINT", "SIGHUP"))
    return [sys.executable, "-c", script + "os.execv(sys.argv[1], sys.argv[1:])", *command]


def children(pid: int, word: str) -> list[int]:
    """The processes that ``pid`` started and that have the word in their command (Linux)."""
    found = [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in _words(path)]
    return [child for child in found if word in _command(child)]


def appearing(word: str, patience: float = 60) -> int:
    """The first process whose command holds the word, as soon as there is one (Linux)."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        for path in Path("/proc").glob("[0-9]*"):
            if any(word in part for part in _command(int(path.name))):
                return int(path.name)
        time.sleep(0.05)  # polling for a beginning that nothing here can wait for
    raise AssertionError(f"no process with {word} in its command began")


def descendants(pid: int) -> list[int]:
    """Every process below one (Linux)."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _words(path):
            found += [int(child), *descendants(int(child))]
    return found


def holding(word: str) -> list[int]:
    """The processes that have the word in their first environment, whoever started them (Linux)."""
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/environ") if word in _text(path)]


def left_alive(pids: list[int], patience: float = 20) -> list[int]:
    """Those that still live after so many seconds; returns as soon as none does."""
    deadline = time.monotonic() + patience
    while (living := list(_living(pids))) and time.monotonic() < deadline:
        time.sleep(0.05)  # polling for an end that nothing here can wait for: they are not our children
    return living


def marked(word: str) -> list[int]:
    """Every process that lives and in whose environment the word stood when it began (Linux)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            held = word.encode() in path.read_bytes()
        except OSError:
            continue
        if held:
            found.append(int(path.parent.name))
    return list(_living(found))


def none_marked(word: str, patience: float = 20) -> bool:
    """Whether there is none of these after so many seconds; returns as soon as there is none."""
    deadline = time.monotonic() + patience
    while marked(word) and time.monotonic() < deadline:
        time.sleep(0.05)  # polling for an end that nothing here can wait for: they are not our children
    return not marked(word)


def _living(pids: list[int]) -> Iterator[int]:
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            yield pid


def _words(path: Path) -> list[str]:
    try:
        return path.read_text().split()
    except OSError:
        return []


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:
        return ""


def _command(pid: int) -> list[str]:
    return _text(Path(f"/proc/{pid}/cmdline")).split("\0")
