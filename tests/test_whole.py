"""Whole files: a reader sees the old state or the new one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook.archive import prove_room, sweep, write_whole


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


HANG = """
import os, sys, time
from pathlib import Path
from benchbook.archive import write_whole
os.fsync = lambda descriptor: (print("written", flush=True), time.sleep(600))
write_whole(Path(sys.argv[1]), b"new")
"""


def test_a_sweep_takes_what_a_killed_writer_left_and_nothing_else(tmp_path: Path):
    """What is being written stays, whichever process writes it; once that was killed, it goes."""
    path = tmp_path / "a/b/file"
    write_whole(path, b"old")
    other = tmp_path / "a/.writing-by-hand"
    other.write_text("a name that is none of ours")
    writer = subprocess.Popen([sys.executable, "-c", HANG, path], stdout=subprocess.PIPE)
    try:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        (coming,) = [found for found in path.parent.iterdir() if found != path]
        sweep(tmp_path, tmp_path / "nowhere")
        assert coming.exists()
    finally:
        writer.kill()
        writer.communicate()
    assert coming.read_bytes() == b"new"
    sweep(tmp_path)
    assert sorted(found for found in tmp_path.rglob("*") if found.is_file()) == [other, path]
    assert path.read_bytes() == b"old"


WRITE = """
import sys
from pathlib import Path
from benchbook.archive import sweep, write_whole
path, data = Path(sys.argv[1]), sys.argv[2].encode() * 1000
for _ in range(200):
    write_whole(path, data)
    sweep(path.parent)
    assert set(path.read_bytes()) in ({97}, {98})
"""


def test_two_writers_of_one_file_do_not_disturb_each_other(tmp_path: Path):
    """Each that sweeps while the other writes takes nothing away, and a reader sees one whole file."""
    path = tmp_path / "file"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, path, letter]) for letter in "ab"]
    try:
        assert [writer.wait(60) for writer in writers] == [0, 0]
    finally:
        for writer in writers:
            writer.kill()
    assert list(tmp_path.iterdir()) == [path]


def test_room_is_proven_and_nothing_is_left(tmp_path: Path):
    """The folder need not be there; where a file is in the way, the refusal names the folder."""
    prove_room(tmp_path / "a/b", 1000)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a").touch()
    with pytest.raises(OSError, match="Not a directory") as caught:
        prove_room(tmp_path / "a/b", 1000)
    assert caught.value.filename == str(tmp_path / "a/b")
