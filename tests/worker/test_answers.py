"""Answers: frames, whole and counted, as long as somebody reads them."""

import os
import socket
import subprocess
import sys

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


def test_a_reader_at_the_other_end_of_a_socket_is_noticed_too():
    """The server of ssh gives its commands a socket, which has no error but a hang-up."""
    ours, theirs = socket.socketpair()
    answers = Answers(ours.fileno())
    assert answers.heard()
    theirs.shutdown(socket.SHUT_WR)  # it sends nothing more, and reads on
    assert answers.heard()
    theirs.close()
    assert not answers.heard()
    ours.close()


def test_signs_of_life_come_whatever_this_process_does():
    """While it computes, and while it waits; no frame is cut by one, and none is counted."""
    script = "import os, time\nfrom benchbook.worker import answers\nanswers.BEAT = 0.05\n"
    script += "out = answers.Answers(1)\nout.beat()\n"
    script += "busy = time.monotonic() + 1.5\nwhile time.monotonic() < busy: pass\n"
    script += "out.send({'type': 'note', 'detail': 'waits'})\ntime.sleep(1.5)\n"
    script += "for _ in range(50): out.send({'type': 'note', 'detail': 'x' * 100_000})\n"
    script += "out.send({'type': 'end', 'count': out.count})\nout.rest()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
    *lines, last = done.splitlines()
    assert (decode(last) or {}).get("count") == 51
    at = next(n for n, line in enumerate(lines) if line)
    assert at > 1
    assert lines[at + 1 : at + 3] == [b"", b""]
    assert all(decode(line) for line in lines if line)
