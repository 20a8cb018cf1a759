"""A whole file: written so that neither a reader nor a crash ever sees half of it.

It is written under another name, on which its writer holds a lock until it has its own. So what a killed
writer left is known by its lock, which ended with it, and is swept away.
"""

import contextlib
import fcntl
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = ".writing-"
TEMPORARY = re.compile(rf"{re.escape(PREFIX)}[a-z0-9_]{{8}}")  # as tempfile names them


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that a reader, or a crash, sees the old state or the new one.

    Raises:
        OSError: It cannot be written; it names the file, and nothing is left of it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = _begin(path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                temporary.chmod(0o644)
                temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        error.filename, error.filename2 = os.fspath(path), None  # the name that a person knows
        raise


def prove_room(folder: Path, size: int) -> None:
    """Proves that a file of so many bytes can be written below a folder, which need not be there yet.

    Raises:
        OSError: It cannot; it names the folder.
    """
    place = next(path for path in (folder, *folder.parents) if path.exists(follow_symlinks=False))
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(bytes(size))
            file.flush()
    except OSError as error:
        error.filename, error.filename2 = os.fspath(folder), None
        raise


def sweep(*folders: Path) -> None:
    """Removes, at any depth, what killed writers left; not what is being written this moment."""
    for folder in folders:
        for path in _leavings(folder):
            with contextlib.suppress(OSError):  # another swept it, or nobody may write here
                _remove(path)


def _leavings(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place, name) for name in names if TEMPORARY.fullmatch(name))


def _begin(folder: Path) -> tuple[int, Path]:
    """A new file that this process holds, as its descriptor and its path."""
    while True:
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=PREFIX)
        with contextlib.suppress(OSError):  # some network file systems have no locks: nothing is swept there
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, Path(name)
        os.close(descriptor)  # it was swept before it was held


def _remove(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    finally:
        os.close(descriptor)
