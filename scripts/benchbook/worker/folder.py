"""The folder of a session: below that for temporary files, held while its worker lives, removed with it."""

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

PREFIX = "benchbook-"
YOUNG = 60.0  # seconds in which a folder may not be held yet
FULL = {errno.ENOSPC, errno.EDQUOT}
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
        if self.descriptor >= 0:
            os.close(self.descriptor)
        self.descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        if os.fstat(self.descriptor).st_uid != os.geteuid():
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.path))
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

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
    return Folder(Path(tempfile.mkdtemp(prefix=PREFIX, dir=place)))


def remove(path: Path) -> None:
    """Removes a folder with everything in it, also what a snippet has made read-only."""
    shutil.rmtree(path, ignore_errors=True)
    if path.exists():
        for above, _, _ in os.walk(path):
            with contextlib.suppress(OSError):
                Path(above).chmod(0o700)
        shutil.rmtree(path, ignore_errors=True)


def complaint(error: OSError) -> str:
    """What to say where a process or its folder cannot be made, in one line with the mend."""
    place = os.environ.get("TMPDIR") or tempfile.tempdir or "the folder for temporary files"
    if error.errno in FULL:
        return f"no space left in {place} (set TMPDIR to a folder with room)"
    if error.errno in SHUT:
        return f"nothing can be written in {place}: {error.strerror} (set TMPDIR to a folder that can be)"
    return f"the system starts no process: {error.strerror}"


def _clear(path: Path) -> None:
    """Removes a folder of this user that nobody holds."""
    found = path.lstat()
    if found.st_uid != os.geteuid() or time.time() - found.st_mtime < YOUNG:
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(path)
    finally:
        os.close(descriptor)
