"""Artefacts: small files read at once, and the line for those that cannot be kept."""

import base64
import gzip
import hashlib
import os
from pathlib import Path

import pytest

from benchbook.worker.artefact import artefacts
from benchbook.worker.wire import ARTEFACT_LIMIT
from tests.worker.refusal import refused


class Wrong:
    """A path of the snippet's own that says nothing."""

    def __fspath__(self) -> str:
        """Nothing."""
        raise RuntimeError("not today")


def test_an_artefact_is_read_at_once(tmp_path: Path):
    """Contents, digest and size are those of the end of its cell."""
    path = tmp_path / "trace.gz"
    data = bytes(range(256))
    path.write_bytes(data)
    (entry,) = artefacts({"trace": {"path": path, "type": "application/gzip"}}).values()
    path.unlink()
    assert entry == {
        "path": "trace.gz",
        "type": "application/gzip",
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": 256,
        "data": base64.b64encode(data).decode(),
    }


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("trace.gz", 'artefacts[\'a\'] is not right: assign {"path": ..., "type": "application/gzip"}'),
        ({"path": "x"}, "artefacts['a'] is not right"),
        ({"path": "x", "type": "a/b", "size": 1}, "artefacts['a'] is not right"),
        ({"path": "x", "type": ""}, "artefacts['a']['type'] is empty: give a phrase"),
        ({"path": "none.gz", "type": "a/b"}, "artefacts['a']['path'] cannot be read: [Errno 2]"),
        ({"path": 0, "type": "a/b"}, "artefacts['a']['path'] cannot be read: expected str"),
        ({"path": "a\0b", "type": "a/b"}, "artefacts['a']['path'] cannot be read: embedded null byte"),
        ({"path": ".", "type": "a/b"}, "artefacts['a']['path'] cannot be read: [Errno 21]"),
        ({"path": "pipe", "type": "a/b"}, "artefacts['a']['path'] cannot be read: it is no regular file"),
        ({"path": os.devnull, "type": "a/b"}, "artefacts['a']['path'] cannot be read: it is no regular file"),
        ({"path": Wrong(), "type": "a/b"}, "artefacts['a']['path'] cannot be read: not today"),
        (
            {"path": "Trace.gz", "type": "a/b"},
            "artefacts['a'] is a file named 'Trace.gz': it has other characters: use a-z",
        ),
        ({"path": "x.html", "type": "a/b"}, "artefacts['a'] is a file named 'x.html': it ends with none of"),
        (
            {"path": "large.bin", "type": "a/b"},
            f"artefacts['a'] is larger than {ARTEFACT_LIMIT} bytes: keep less",
        ),
    ],
)
def test_an_artefact_that_cannot_be_kept_is_refused(
    entry: object, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Missing files, folders, descriptors, pipes, devices and large files, each in one line, at once."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    for name in ("Trace.gz", "x.html"):
        (tmp_path / name).write_bytes(b"kept")
    (tmp_path / "large.bin").write_bytes(b"\0" * (ARTEFACT_LIMIT + 1))
    assert refused(artefacts, {"a": entry}).startswith(said)


def test_the_largest_artefact_is_kept(tmp_path: Path):
    """The limit itself is allowed."""
    path = tmp_path / "large.bin"
    path.write_bytes(b"\0" * ARTEFACT_LIMIT)
    assert artefacts({"a": {"path": str(path), "type": "a/b"}})["a"]["size"] == ARTEFACT_LIMIT


def test_a_path_of_bytes_is_a_path(tmp_path: Path):
    """As for `open`; its name is text all the same."""
    path = tmp_path / "note.txt"
    path.write_bytes(b"kept")
    assert artefacts({"a": {"path": bytes(path), "type": "a/b"}})["a"]["path"] == "note.txt"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"at /Users/ada/x.py", "artefacts['a'] holds the path /Users/ada/x.py: keep only the fields"),
        (
            gzip.compress(b'{"file": "/usr/lib/y"}', mtime=0),
            "artefacts['a'] holds the path /usr/lib/y: keep only",
        ),
        (b"\x1f\x8b cut", "artefacts['a'] begins as gzip and cannot be unpacked"),
    ],
)
def test_an_artefact_that_tells_of_the_machine_is_refused(data: bytes, said: str, tmp_path: Path):
    """Where it was written, with what was found in it and what to write instead."""
    path = tmp_path / "trace.gz"
    path.write_bytes(data)
    assert refused(artefacts, {"a": {"path": path, "type": "a/b"}}).startswith(said)
