"""The system's refusals: a full disk, a folder that nobody may write to, each as one line with a mend."""

import errno
import os
from pathlib import Path

from benchbook.errors import BenchbookError

_DENIED = "let this user read and write there"
_ROOM = "make room there, and do it again"
_FILE = "a file, or a link that leads nowhere, lies where a folder belongs: move it away"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# What a person can put right. Any other errno is a mistake of the engine.
MENDS = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EFBIG: "raise the limit of a file's size: ulimit -f",
    errno.EROFS: "make it writable, or work on a copy elsewhere",
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.ENOENT: "restore it, or the folder or link that leads there",
    errno.EEXIST: _FILE,
    errno.ENOTDIR: _FILE,
    errno.EISDIR: "a folder lies where a file belongs: move it away",
    errno.ELOOP: "a link leads to itself: replace it by what it should lead to",
    errno.ENAMETOOLONG: "use a shorter name, or move the project to a shorter path",
    errno.EMFILE: "raise the limit of open files: ulimit -n",
    errno.ENFILE: "end other programs: too many files are open on this machine",
    errno.EAGAIN: "raise the limit of processes, ulimit -u, or try again later",
    errno.ENOMEM: "end other programs, or raise the limit of memory",
    errno.EBUSY: "end the program that uses it",
    errno.EIO: "look at that disk",
    errno.ESTALE: "mount that file system again",
}


def refused(
    error: OSError, *, path: str | None = None, what: str = "", kind: type[BenchbookError] = BenchbookError
) -> BenchbookError | None:
    """The refusal as one line; ``None`` where it is none that a person can put right.

    Args:
        error: What the system said.
        path: The file as messages spell it; by default the one that the error names.
        what: What cannot be done, such as ``written``.
        kind: The error that it becomes.
    """
    if error.errno not in MENDS:
        return None
    reason = error.strerror or os.strerror(error.errno)
    message = f"cannot be {what}: {reason}" if what else reason
    return kind(message, path=path or _named(error), mend=MENDS[error.errno])


def told(error: Exception) -> BenchbookError:
    """What is said of any error: its own line, that of a refusal, or that the engine is mistaken."""
    if isinstance(error, BenchbookError):
        return error
    what = f"{type(error).__name__}: {error}".partition("\n")[0][:300]
    unforeseen = BenchbookError(f"a mistake of its own: {what}", mend="BENCHBOOK_TRACEBACK=1 shows where")
    return (refused(error) if isinstance(error, OSError) else None) or unforeseen


def _named(error: OSError) -> str | None:
    """The file that an error names, from the working directory where it lies in it."""
    if not isinstance(error.filename, str | bytes):  # a descriptor's number tells a person nothing
        return None
    path = Path(os.fsdecode(error.filename))
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
