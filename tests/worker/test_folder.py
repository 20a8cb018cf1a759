"""The folder of a session: held while somebody lives in it, removed when nobody does."""

import errno
import os
import time
from pathlib import Path

import pytest

from benchbook.worker import folder, removal

NONE, LATER = "the system starts no process: ", "ulimit -u, or try again later"
OLD = (time.time() - 2 * folder.YOUNG,) * 2


def left_behind(place: Path, letters: str) -> Path:
    """An old folder of a worker that was killed."""
    path = place / f"benchbook-worker-{letters}"
    session = folder.Folder(path)
    os.close(session.descriptor)
    os.utime(path, OLD)
    return path


def test_a_folder_that_nobody_holds_is_removed_by_the_next(tmp_path: Path):
    """With what a snippet made read-only in it; one that is held, or young, stays."""
    left = left_behind(tmp_path, "left_abc")
    (left / "work" / "deep").mkdir(parents=True)
    (left / "work" / "deep" / "x").write_text("x")
    (left / "work" / "deep").chmod(0o500)
    held, young = (folder.Folder(tmp_path / f"benchbook-worker-{name}") for name in ("held_abc", "young_ab"))
    os.close(young.descriptor)
    for path in (left, held.path):
        os.utime(path, OLD)
    made = folder.make(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([held.path, young.path, made.path])
    os.close(held.descriptor)
    folder.make(tmp_path)
    assert not held.path.exists()


def test_a_folder_that_no_worker_made_is_never_removed(tmp_path: Path):
    """However it is named, and however old: it has another name, no mark, or one with something in it."""
    names = [
        "benchbook-notes",
        "benchbook-abcdefgh",
        "benchbook-worker-mythesis",
        "benchbook-worker-my_notes",
    ]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis").write_text("years")
    for name in ("benchbook-marked", "benchbook-worker-long_name"):
        (tmp_path / name).mkdir()
        (tmp_path / name / removal.MARK).touch()
    for name, text in (("ours_abc", "mine"), ("link_abc", "")):
        (tmp_path / f"benchbook-worker-{name}").mkdir()
        (tmp_path / f"benchbook-worker-{name}" / removal.MARK).write_text(text)
    (tmp_path / "benchbook-worker-link_abc").rename(tmp_path / "unrelated")
    (tmp_path / "benchbook-worker-link_abc").symlink_to(tmp_path / "unrelated")
    before = sorted(tmp_path.rglob("*"))
    for path in tmp_path.iterdir():
        os.utime(path, OLD, follow_symlinks=False)
    made = folder.make(tmp_path)
    made.remove()
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_is_known_until_its_removal_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where a worker is killed while it removes one, the next goes on."""
    left = left_behind(tmp_path, "left_abc")
    (left / "code").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(removal, "_erase", lambda path: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            removal.remove(left)
    assert (left / removal.MARK).exists()
    (left / "code").rmdir()
    os.utime(left, OLD)
    folder.make(tmp_path)
    assert not left.exists()


def test_a_folder_that_was_removed_is_made_and_held_again(tmp_path: Path):
    """A snippet can remove what lies above its own."""
    made = folder.make(tmp_path)
    made.remove()
    assert not made.path.exists()
    made.hold()
    os.utime(made.path, OLD)
    folder.make(tmp_path)
    assert made.path.exists()


def test_the_hold_of_a_folder_is_kept_until_there_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Where the new one cannot be had, the number is still that of the old one, and no other file's."""
    made = folder.make(tmp_path)
    before = os.fstat(made.descriptor)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: 12345)
        open_before = len(list(Path("/dev/fd").iterdir()))
        with pytest.raises(PermissionError):
            made.hold()
        assert len(list(Path("/dev/fd").iterdir())) == open_before
    made.remove()
    made.path.symlink_to(tmp_path)
    with pytest.raises(OSError, match=str(made.path)):
        made.hold()
    assert os.fstat(made.descriptor).st_ino == before.st_ino


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
        (errno.EAGAIN, f"{NONE}Resource temporarily unavailable (raise the limit of processes, {LATER})"),
        (errno.EMFILE, f"{NONE}Too many open files (raise the limit of open files, ulimit -n)"),
        (errno.ENOMEM, f"{NONE}Cannot allocate memory (try again later)"),
    ],
)
def test_a_complaint_names_the_place_and_the_mend(number: int, said: str, monkeypatch: pytest.MonkeyPatch):
    """In one line, by what went wrong."""
    monkeypatch.setenv("TMPDIR", "/scratch")
    assert folder.complaint(OSError(number, os.strerror(number))) == said
