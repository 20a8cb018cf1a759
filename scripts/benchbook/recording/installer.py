"""The installer: uv, as a process that ends with this one, and its last cause in one line."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from benchbook.errors import BenchbookError
from benchbook.recording import errand

LONGEST = 200  # characters of one cause
ADDRESS = re.compile(r"(\w+://)(?:[^/\s]*@)?([^/\s)`]*)[^\s)`]*")  # beside a host it may hold what is secret
SAID = re.compile(r"(?:error|cause|hint): (.*)")
MISFIT = re.compile(r"\bPython\b|\bwheels\b")
NOT_THERE = re.compile(r"there is no version of|was not found in")
NO_SPACE = re.compile(r"No space left|Disk quota", re.IGNORECASE)


class MisfitError(BenchbookError):
    """No wheels of what was asked for fit this Python; uv's whole answer is in ``answer``."""

    def __init__(self, message: str, answer: str) -> None:
        super().__init__(message)
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Installer:
    """uv, for one making.

    Attributes:
        stopped: Asked now and then; when it says yes, uv is killed.
        lock: A descriptor that stays open until uv has ended, also when this process is killed; or -1.
    """

    stopped: Callable[[], bool]
    lock: int

    def run(self, *words: str, path: str | None = None) -> str:
        """What uv prints.

        Args:
            words: Its command and arguments.
            path: The folders in which it finds programs, where they are not the usual ones.

        Raises:
            MisfitError: There are no wheels for that Python.
            BenchbookError: It failed otherwise, or was stopped.
        """
        try:
            done = errand.run(
                [_uv(), *words, "--color", "never"], stopped=self.stopped, path=path, lock=self.lock
            )
        except OSError as error:
            raise BenchbookError(
                f"uv cannot be started: {error.strerror}", mend="make site installs it"
            ) from error
        if done.status == 0:
            return done.out
        answer = ADDRESS.sub(r"\1\2", done.err)
        cause = _cause(answer) or f"uv {words[0]} ended with status {done.status} and gave no reason"
        if done.status == 1 and MISFIT.search(answer) and not NOT_THERE.search(cause):
            raise MisfitError(cause, answer)
        raise BenchbookError(cause, mend=_mend(cause))


def _uv() -> str:
    try:
        from uv import find_uv_bin

        found = str(find_uv_bin())
    except (ImportError, FileNotFoundError):
        found = ""
    if not os.access(found, os.X_OK):
        raise BenchbookError("uv is not here", mend="make site installs it")
    return found


def _cause(answer: str) -> str:
    """Of what uv said: what failed, and the last cause of it; or the hint, where that says more."""
    said: list[tuple[str, str]] = []
    for line in map(str.strip, answer.splitlines()):
        match = SAID.match(line)
        if match:
            said.append((line.partition(":")[0], match[1]))
        elif line and said:
            said[-1] = (said[-1][0], f"{said[-1][1]} {line}")
    causes = [text for kind, text in said if kind != "hint"]
    hints = [text for kind, text in said if kind == "hint"]
    if not causes:
        return ""
    if hints and "was not found in" in causes[-1]:
        return hints[0]
    what = next((text for text in causes[:-1] if text.startswith("Failed to")), "")
    last = causes[-1].partition(", we can conclude")[0].removeprefix("Because ")
    return ": ".join(_short(text) for text in (what, last) if text)


def _short(text: str) -> str:
    """Of a long text both ends: what was done, and what came of it."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"


def _mend(cause: str) -> str:
    if NO_SPACE.search(cause):
        return "make room on that disk"
    if NOT_THERE.search(cause):
        return "ask for a released version, or look at the index that uv uses"
    return "look at the network, and at the index that uv uses"
