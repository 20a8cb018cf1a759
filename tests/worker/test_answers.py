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


def test_signs_of_life_come_whoever_started_this_process():
    """Also where the timer's signal was blocked; and a call of C's that one meets goes on."""
    script = "import ctypes, os, signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})\n"
    script += "from benchbook.worker import answers\nanswers.BEAT = 0.05\nanswers.Answers(1).beat()\n"
    script += "reading, writing = os.pipe()\n"
    script += "if os.fork() == 0:\n    time.sleep(0.5)\n    os.write(writing, b'x')\n    os._exit(0)\n"
    script += "got = ctypes.CDLL(None).read(reading, ctypes.create_string_buffer(1), 1)\n"
    script += "busy = time.monotonic() + 0.5\nwhile time.monotonic() < busy: pass\n"
    script += "os.write(1, b'got %d' % got)\nsignal.setitimer(signal.ITIMER_REAL, 0)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout
    *beats, last = done.split(b"\n")
    assert last == b"got 1"
    assert len(beats) > 2
    assert not any(beats)
