"""A removal: of a folder that snippets wrote in, whatever they did to it, and of nothing outside."""

import contextlib
import os
import shutil
from pathlib import Path

MARK = ".benchbook-session"  # an empty file, which no folder but a session's holds


def remove(path: Path) -> None:
    """Removes a folder with everything in it, also what a snippet has shut; where a link came, only that.

    Its mark goes last: what a removal that was cut short has left is known.
    """
    if path.is_symlink():
        with contextlib.suppress(OSError):
            path.unlink()
        return
    _open(path)
    with contextlib.suppress(OSError):
        for inner in path.iterdir():
            if inner.name != MARK:
                _erase(inner)
    _erase(path)


def _erase(path: Path) -> None:
    """Removes a file, a link, or a folder; where need be, each folder in it is opened from the one above."""
    with contextlib.suppress(OSError):
        if path.is_symlink() or not path.is_dir():
            path.unlink()
            return
        shutil.rmtree(path, ignore_errors=True)
        if path.is_dir():
            _open(path)
            for above, inner, _ in os.walk(path):
                for name in inner:
                    _open(Path(above, name))
            shutil.rmtree(path, ignore_errors=True)


def _open(path: Path) -> None:
    """Gives this user every right to a folder; what a link names is somebody else's."""
    if not path.is_symlink():
        with contextlib.suppress(OSError):
            path.chmod(0o700)
