"""The folder of a session: held while somebody lives in it, removed when nobody does."""

import errno
import os
import time
from pathlib import Path

import pytest

from benchbook.worker import folder

OLD = (time.time() - 2 * folder.YOUNG,) * 2


def test_a_folder_that_nobody_holds_is_removed_by_the_next(tmp_path: Path):
    """With what a snippet made read-only in it; one that is held, or young, or not ours, stays."""
    left, held, other = (tmp_path / name for name in ("benchbook-left", "benchbook-held", "unrelated"))
    (left / "work" / "deep").mkdir(parents=True)
    (left / "work" / "deep" / "x").write_text("x")
    (left / "work" / "deep").chmod(0o500)
    other.mkdir()
    living = folder.Folder(held)
    for path in (left, held, other):
        os.utime(path, OLD)
    (tmp_path / "benchbook-link").symlink_to(other)
    (tmp_path / "benchbook-young").mkdir()
    made = folder.make(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir() if path != made.path)
    assert names == ["benchbook-held", "benchbook-link", "benchbook-young", "unrelated"]
    os.close(living.descriptor)
    folder.make(tmp_path)
    assert not held.exists()


def test_a_folder_that_was_removed_is_made_and_held_again(tmp_path: Path):
    """A snippet can remove what lies above its own."""
    made = folder.make(tmp_path)
    made.remove()
    assert not made.path.exists()
    made.hold()
    os.utime(made.path, OLD)
    folder.make(tmp_path)
    assert made.path.exists()


def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where one of that name has come between, nothing is written into it."""
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(PermissionError):
        folder.Folder(tmp_path / "benchbook-x")


def test_temporary_files_go_where_they_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """TMPDIR, also a full one; where it names nothing, as a scheduler's may on a node, Python's choice."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert folder.root() == tmp_path.resolve()
    for name in (str(tmp_path / "nowhere"), ""):
        monkeypatch.setenv("TMPDIR", name)
        assert folder.root().is_dir()
        assert folder.root() != Path.cwd()


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "no space left in /scratch (set TMPDIR to a folder with room)"),
        (
            errno.EROFS,
            "nothing can be written in /scratch: Read-only file system (set TMPDIR to a folder that can be)",
        ),
        (errno.EAGAIN, "the system starts no process: Resource temporarily unavailable"),
    ],
)
def test_a_complaint_names_the_place_and_the_mend(number: int, said: str, monkeypatch: pytest.MonkeyPatch):
    """In one line, by what went wrong."""
    monkeypatch.setenv("TMPDIR", "/scratch")
    assert folder.complaint(OSError(number, os.strerror(number))) == said
