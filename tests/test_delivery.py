"""The delivery: a line of a results file is a frame, no frame, or refused with its number."""

import os
from pathlib import Path

import pytest

from benchbook.errors import RunError
from benchbook.recording import delivery

MARK = b'{"benchbook": 1'


def read(path: Path, *lines: bytes) -> list[tuple[int, object]]:
    """What a file of these lines holds."""
    path.write_bytes(b"\n".join(lines))
    with delivery.opened(path) as file:
        return list(delivery.frames(file, path))


def test_what_else_was_printed_is_no_frame(tmp_path: Path):
    """A banner before, between and after; frames keep the numbers of their lines."""
    found = read(tmp_path / "r", b"Welcome", MARK + b"}", b"{}", b"\xff\xfe", MARK + b', "a": 2}', b"")
    assert found == [(2, {"benchbook": 1}), (5, {"benchbook": 1, "a": 2})]


def test_a_last_line_that_was_cut_is_no_frame(tmp_path: Path):
    """A copy that ended early; the frames before it count."""
    assert read(tmp_path / "r", MARK + b"}", MARK + b', "a": [1, ') == [(1, {"benchbook": 1})]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (MARK + b', "a": NaN}', "NaN is not JSON"),
        (MARK + b', "a": -Infinity}', "-Infinity is not JSON"),
        (MARK + b', "a": 1, "a": 2}', "a key stands twice"),
        (MARK + b', "a": {"b": 1, "b": 1}}', "a key stands twice"),
        (MARK + b', "a": ' + b"9" * 10**6 + b"}", "Exceeds the limit"),
        (MARK + b', "a": ' + b"[" * 10**6 + b"]" * 10**6 + b"}", "nested too deeply"),
        (MARK + b', "a": ' + b"[" * 64 + b"]" * 64 + b"}", "nested deeper than 64"),
        (MARK + b', "a": [1e999]}', "inf is no number of JSON"),
        (MARK + b', "a": [' + b"0," * 1_000_001 + b"0]}", "more than 1000000 values"),
        (MARK + b', "a": "\xed\xa0\x80"}', "can't decode byte 0xed"),
        (MARK + b', "a": "\x1b[2J"}', "Invalid control character"),
        (MARK + b', "a": 1', "Expecting"),
        (MARK + b"} and more", "Extra data"),
        (b'{"benchbook": 2}', "its protocol is not 1: use the benchbook that packed it"),
        (b'{"benchbook": "1"}', "its protocol is not 1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_line_that_is_no_frame_is_refused_with_its_number(tmp_path: Path, line: bytes, told: str):
    """The reason is a line, and not a traceback, a crash, or a file of which a part counts in silence."""
    with pytest.raises(RunError, match=rf"^{tmp_path}/r:2: no frame of a worker: .*{told}.* \(give what"):
        read(tmp_path / "r", MARK + b"}", line, MARK + b"}")


def test_a_line_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """No more of it is read than a worker writes."""
    monkeypatch.setattr(delivery, "LONGEST", 1000)
    with pytest.raises(RunError, match=r"r:2: longer than 1000 bytes \(give what"):
        read(tmp_path / "r", MARK + b"}", b"x" * 2000)


def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path):
    """A pipe may never speak; a folder, or nothing, holds no line."""
    os.mkfifo(tmp_path / "pipe")
    for name, told in (("pipe", "is no regular file"), (".", "cannot be read"), ("none", "cannot be read")):
        with pytest.raises(RunError, match=told), delivery.opened(tmp_path / name):
            pytest.fail("it was opened")
