"""Streams: pipes that are read to a limit."""

import os
from collections.abc import Iterator

import pytest

from benchbook.worker.stream import Stream


@pytest.fixture
def pipe() -> Iterator[tuple[Stream, int]]:
    """A stream that keeps four bytes, and the end to write to."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield Stream(reading, 4), writing
    for descriptor in (reading, writing):
        try:
            os.close(descriptor)
        except OSError:
            continue  # the test closed it


def test_a_stream_keeps_the_first_bytes_and_counts_the_rest(pipe: tuple[Stream, int]):
    """What is past the limit is not in memory, and not forgotten."""
    stream, writing = pipe
    for data in (b"ab", b"cdef", b"ghi"):
        os.write(writing, data)
        assert stream.read() is True
    assert (bytes(stream.kept), stream.dropped) == (b"abcd", 5)
    assert stream.read() is True  # nothing there, and not the end
    os.close(writing)
    assert stream.read() is False


def test_closing_a_stream_takes_what_is_there_and_does_not_wait(pipe: tuple[Stream, int]):
    """A grandchild that keeps the pipe open does not hold the recorder."""
    stream, writing = pipe
    os.write(writing, b"abcdef")
    stream.close()
    assert (bytes(stream.kept), stream.dropped) == (b"abcd", 2)
