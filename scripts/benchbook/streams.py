"""The standard streams: open, and able to show anything. Standard library only."""

import contextlib
import os
import sys
from typing import TextIO

NAMES = {1: "stdout", 2: "stderr"}
_missed: list[OSError] = []


def prepare() -> None:
    """Opens what the caller had closed, lest a file of ours takes its place; escapes what cannot be shown."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
    for number, name in NAMES.items():
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """One line on standard error, where anybody still reads it."""
    with contextlib.suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def miss(error: OSError) -> None:
    """Keeps what was in the way of a line on standard output, for `flush` to tell: the work goes on."""
    _missed.append(error)


def flush() -> OSError | None:
    """Writes what standard output still holds; what was in the way, after which nothing more is written."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _abandon(sys.stdout)
        miss(error)
    except ValueError:  # closed
        pass
    first = next(iter(_missed), None)
    _missed.clear()
    return first


def _abandon(stream: TextIO) -> None:
    """Leads a stream nowhere, so that the interpreter's own last flush succeeds."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
