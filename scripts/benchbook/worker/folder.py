"""The folder of a session: below that for temporary files, held while its worker lives, removed with it."""

import contextlib
import errno
import fcntl
import os
import re
import stat
import tempfile
import time
from pathlib import Path

from benchbook.worker.removal import MARK, remove

PREFIX = "benchbook-worker-"
NAME = re.compile(re.escape(PREFIX) + r"[a-z0-9_]{8}")  # as `tempfile.mkdtemp` makes it
YOUNG = 60.0  # seconds in which a folder may not be held yet
FULL = {errno.ENOSPC, errno.EDQUOT}
LIMITS = {
    errno.EAGAIN: "raise the limit of processes, ulimit -u, or try again later",
    errno.EMFILE: "raise the limit of open files, ulimit -n",
}
SHUT = {errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT, errno.ENOTDIR}


class Folder:
    """A session's folder.

    Attributes:
        path: Where it is.
        descriptor: Holds its lock. No snippet has it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.descriptor = -1
        self.hold()

    def hold(self) -> None:
        """Takes the lock by which others see that somebody lives here; makes the folder where it has gone."""
        self.path.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _claim(descriptor, self.path)
        except OSError:
            os.close(descriptor)
            raise
        if self.descriptor >= 0:
            os.close(self.descriptor)
        self.descriptor = descriptor

    def remove(self) -> None:
        """Removes it with everything in it."""
        remove(self.path)


def root() -> Path:
    """The folder for temporary files: the one that was named, if it is there, else the one that Python finds.

    One that is there and full is not passed over in silence, as Python would.
    """
    named = os.environ.get("TMPDIR", "")
    return Path(os.path.realpath(named if Path(named).is_dir() and named else tempfile.gettempdir()))


def make(place: Path) -> Folder:
    """A new folder in this one; those of workers that were killed are removed first.

    Raises:
        OSError: None can be made: `complaint` says why.
    """
    for path in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            _clear(path)
    path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    try:
        return Folder(path)
    except OSError:
        remove(path)
        raise


def complaint(error: OSError) -> str:
    """What to say where a process or its folder cannot be made, in one line with the mend."""
    place = os.environ.get("TMPDIR") or tempfile.tempdir or "the folder for temporary files"
    if error.errno in FULL:
        return f"no space left in {place} (set TMPDIR to a folder with room)"
    if error.errno in SHUT:
        return f"nothing can be written in {place}: {error.strerror} (set TMPDIR to a folder that can be)"
    mend = LIMITS.get(error.errno or 0, "try again later")
    return f"the system starts no process: {error.strerror} ({mend})"


def _claim(descriptor: int, path: Path) -> None:
    """Proves that an open folder is this user's, takes its lock and writes the mark."""
    if os.fstat(descriptor).st_uid != os.geteuid():
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(os.open(MARK, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600, dir_fd=descriptor))


def _clear(path: Path) -> None:
    """Removes a folder of this user that a worker made and nobody holds."""
    found = path.lstat()
    is_young = time.time() - found.st_mtime < YOUNG
    if NAME.fullmatch(path.name) is None or found.st_uid != os.geteuid() or is_young:
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        mark = os.stat(MARK, dir_fd=descriptor, follow_symlinks=False)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if stat.S_ISREG(mark.st_mode) and mark.st_size == 0:
            remove(path)
    finally:
        os.close(descriptor)
