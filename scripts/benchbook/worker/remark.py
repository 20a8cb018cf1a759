"""A remark: a line on standard error, for a person who runs a packed program."""

import contextlib
import os
import sys


def say(line: str) -> None:
    """Says it; that nobody can read it is no fault. A handler of signals may say something, too."""
    with contextlib.suppress(OSError):
        os.write(2, f"benchbook: {line}\n".encode(errors="backslashreplace"))


def is_watched() -> bool:
    """Whether standard error is a terminal."""
    return os.isatty(2)


def is_carried() -> bool:
    """Whether a person runs this program: from a file, or in a terminal, and not an engine that pipes it."""
    return is_watched() or sys.argv[0] != "-"
