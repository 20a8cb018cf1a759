"""The confluence: streams at once, whole, and gone when nobody wants them any more."""

import threading
from collections.abc import Generator

import pytest

from benchbook.recording import confluence

Numbers = Generator[int, None, None]


def counting(start: int, closed: list[int]) -> Numbers:
    """Three numbers; the start is noted when the stream is over."""
    try:
        yield from range(start, start + 3)
    finally:
        closed.append(start)


def endless(stop: threading.Event, closed: list[int]) -> Numbers:
    """One number, and then a wait for the end."""
    try:
        yield 0
        stop.wait(60)
        yield 1
    finally:
        closed.append(0)


def test_everything_comes_and_each_stream_keeps_its_order():
    """Nothing is lost or doubled, and every stream is closed."""
    closed: list[int] = []
    found = list(confluence.join([counting(start, closed) for start in (0, 10, 20)], threading.Event()))
    assert sorted(found) == [0, 1, 2, 10, 11, 12, 20, 21, 22]
    assert [number for number in found if number < 10] == [0, 1, 2]
    assert sorted(closed) == [0, 10, 20]


def test_streams_run_at_once():
    """Each waits for the other here: one after another, they would never end."""
    both = threading.Barrier(2, timeout=60)

    def meeting() -> Numbers:
        yield both.wait()

    assert sorted(confluence.join([meeting(), meeting()], threading.Event())) == [0, 1]


def test_no_streams_are_no_things():
    """It ends at once."""
    assert list(confluence.join([], threading.Event())) == []


def test_closing_it_stops_all_and_waits_for_them():
    """What a stream has to tidy up is done when the reader goes on."""
    stop, closed = threading.Event(), list[int]()
    coming = confluence.join([endless(stop, closed), endless(stop, closed)], stop)
    assert next(coming) == 0
    assert closed == []
    coming.close()
    assert (stop.is_set(), closed) == (True, [0, 0])


@pytest.mark.parametrize("error", [ValueError("of a stream"), SystemExit(1), KeyboardInterrupt()])
def test_an_exception_of_a_stream_is_raised_where_they_are_read(error: BaseException):
    """A stream that ends by one is not taken for one that has ended, and the others are stopped."""
    stop, closed = threading.Event(), list[int]()

    def failing() -> Numbers:
        yield 0
        raise error

    with pytest.raises(type(error)) as caught:
        list(confluence.join([failing(), endless(stop, closed)], stop))
    assert caught.value is error
    assert closed == [0]


def test_an_exception_of_the_reader_stops_all():
    """Control-C arrives where the reader waits."""
    stop, closed = threading.Event(), list[int]()
    coming = confluence.join([endless(stop, closed)], stop)
    assert next(coming) == 0
    with pytest.raises(KeyboardInterrupt):
        coming.throw(KeyboardInterrupt())
    assert closed == [0]
