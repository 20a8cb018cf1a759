"""Whole files: a reader sees the old state or the new one."""

import os
from pathlib import Path

import pytest

from benchbook.archive import write_whole


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A reader sees the old state or the new one."""
    path = tmp_path / "file"
    write_whole(path, b"old")

    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new and longer")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_written_for_everybody_to_read(tmp_path: Path):
    """A run is published: its mode is that of any file of a checkout."""
    write_whole(tmp_path / "a/b/file", b"x")
    assert (tmp_path / "a/b/file").stat().st_mode & 0o777 == 0o644
