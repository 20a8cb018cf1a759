"""Answers: frames, whole and counted, as long as somebody reads them."""

import os

import pytest

from benchbook.worker.answers import Answers
from benchbook.worker.wire import decode


def test_frames_are_sent_whole_and_counted():
    """What is no frame is not counted."""
    reading, writing = os.pipe()
    answers = Answers(writing)
    answers.write(b"\n")
    answers.send({"type": "end", "count": 0})
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        blank, line = pipe.read().splitlines()
    assert blank == b""
    assert (decode(line) or {}).get("type") == "end"
    assert answers.count == 1


def test_a_reader_who_has_gone_is_noticed():
    """At once, without sending anything."""
    reading, writing = os.pipe()
    answers = Answers(writing)
    assert answers.heard()
    os.close(reading)
    assert not answers.heard()
    with pytest.raises(BrokenPipeError):
        answers.send({"type": "end", "count": 0})
    os.close(writing)
