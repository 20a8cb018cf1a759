"""Refusals of the system: one line with a mend for what a person can put right, and for nothing else."""

import errno
import os
from pathlib import Path

import pytest

from benchbook import system
from benchbook.errors import BenchbookError, UsageError


@pytest.mark.parametrize("number", sorted(system.MENDS))
def test_a_refusal_names_the_file_the_reason_and_the_mend(number: int) -> None:
    """From the working directory, where the file lies in it."""
    told = system.refused(OSError(number, os.strerror(number), str(Path.cwd() / "a" / "file")))
    assert str(told) == f"a/file: {os.strerror(number)} ({system.MENDS[number]})"


def test_a_refusal_may_say_what_was_tried() -> None:
    """As another kind of error, with another exit status, of a file that messages spell otherwise."""
    error = OSError(errno.ENOSPC, "No space left on device", "/elsewhere/.writing-abcdefgh")
    told = system.refused(error, path="job.py", what="written", kind=UsageError)
    assert isinstance(told, UsageError)
    assert str(told).startswith("job.py: cannot be written: No space left on device (make room")


@pytest.mark.parametrize("error", [OSError(), OSError("a library's own words"), OSError(errno.EBADF, "Bad")])
def test_a_mistake_of_the_engine_is_no_refusal(error: OSError) -> None:
    """Nobody is sent to mend a disk for it."""
    assert system.refused(error) is None


def test_a_descriptor_is_no_name() -> None:
    """Python names some files by their number."""
    assert str(system.refused(OSError(errno.EIO, "Broken", 5))) == "Broken (look at that disk)"


def test_of_any_error_one_line_is_said() -> None:
    """Its own, what the system refused, or that it is a mistake of the engine, and how to find it."""
    own = BenchbookError("no", mend="do")
    assert system.told(own) is own
    assert "make room there" in str(system.told(OSError(errno.ENOSPC, "No space left", "there")))
    said = "a mistake of its own: ValueError: one (BENCHBOOK_TRACEBACK=1 shows where)"
    assert str(system.told(ValueError("one\ntwo"))) == said
    assert str(system.told(OSError(errno.ENOTTY, "no"))).startswith("a mistake of its own: OSError: ")
