"""The intake: frames whole whatever pieces they come in, and no more noise than a banner's."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbook.errors import BenchbookError
from benchbook.recording import intake
from benchbook.recording.intake import Intake
from benchbook.worker.answers import BEAT
from benchbook.worker.wire import BEGINNING, Frame, encode

FRAMES: list[Frame] = [{"type": "session", "refusal": "\u2028no\n"}, {"type": "end", "count": 1}]
NOTE: Frame = {"type": "note", "detail": "waiting"}
COMING = (
    b"Welcome\n\n" + encode(FRAMES[0]) + b'{"benchmark"\n\n\n{"benchbook": 2}\n' + encode(FRAMES[1]) + b"x"
)


def taken(*pieces: bytes) -> list[Frame]:
    """All frames of these pieces, without the number of the protocol."""
    coming = Intake("far")
    found = [frame for piece in pieces for frame in coming.take(piece)]
    return [{key: value for key, value in frame.items() if key != "benchbook"} for frame in found]  # type: ignore[misc]


@given(st.lists(st.integers(0, len(COMING)), max_size=8).map(sorted))
def test_frames_are_whole_whatever_pieces_they_come_in(cuts: list[int]):
    """A pipe cuts where it likes; banners, empty lines and another protocol's lines are no frames."""
    ends = [0, *cuts, len(COMING)]
    assert taken(*(COMING[a:b] for a, b in itertools.pairwise(ends))) == FRAMES


def test_a_line_that_began_otherwise_is_no_frame_when_the_pipe_cuts_it():
    """What stands in the middle of a banner is not taken for an answer."""
    assert taken(b"motd: ", encode(FRAMES[1])) == []
    assert taken(b"x" * 100_000, encode(FRAMES[1]), encode(FRAMES[1])) == [FRAMES[1]]


@pytest.mark.parametrize("piece", [b"y\n" * 500, b"\x1b[31m" * 200, BEGINNING + b"x" * 1000 + b"\n"])
def test_too_much_noise_is_told_with_its_beginning(piece: bytes):
    """A mebibyte, in lines or in none; no control character of it reaches the line."""
    with pytest.raises(BenchbookError, match=r"^backend far: more than 1 MiB of its output is no answer: '"):
        taken(*[piece] * (intake.NOISE // 500))
    assert taken(*[piece] * 100, b"\n", encode(FRAMES[1])) == [FRAMES[1]]


def test_empty_lines_and_notes_are_little_noise():
    """A worker may give signs of life for a month, and tell now and then what it waits for."""
    month = 30 * 24 * 3600 // int(BEAT)
    assert taken(b"\n" * month, *[encode(NOTE)] * 1000, encode(FRAMES[1])) == [*[NOTE] * 1000, FRAMES[1]]


@pytest.mark.parametrize(("piece", "sample"), [(b"\n" * 100, "''"), (encode(NOTE), ".*note.*")])
def test_a_flood_of_empty_lines_or_of_notes_is_given_up(piece: bytes, sample: str):
    """Neither is an answer, whatever it means once."""
    with pytest.raises(BenchbookError, match=f"more than 1 MiB of its output is no answer: {sample}"):
        taken(*[piece] * (intake.NOISE // len(piece) + 1))
    with pytest.raises(BenchbookError, match="is no answer: 'what else came'"):
        taken(b"\n", b"what else came\n", *[piece] * (intake.NOISE // len(piece) + 1))


def test_a_frame_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch):
    """It is not gathered for ever."""
    monkeypatch.setattr(intake, "LONGEST", 2 * intake.MIB)
    with pytest.raises(BenchbookError, match="backend far: an answer is longer than 2 MiB"):
        taken(BEGINNING, *[b"1" * intake.MIB] * 3)
