"""The confluence: streams that run at once, each on a thread of its own, become one."""

import threading
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from queue import SimpleQueue


def join[T](streams: Sequence[Generator[T, None, None]], stop: threading.Event) -> Generator[T, None, None]:
    """Yields what the streams yield, each thing as soon as it is there.

    An exception here, Control-C too, or closing the iterator stops them all, and waits for their ends.

    Args:
        streams: What is foreseen is one of the things that a stream yields; what it raises is raised here.
        stop: Is set when nobody wants more; each stream looks at it wherever it waits.
    """
    found: SimpleQueue[T | _End] = SimpleQueue()
    threads = [threading.Thread(target=_run, args=(stream, stop, found), daemon=True) for stream in streams]
    started = []
    try:
        for thread in threads:
            thread.start()
            started.append(thread)
        running = len(threads)
        while running:
            thing = found.get()
            if isinstance(thing, _End):
                running -= 1
                if thing.error is not None:
                    raise thing.error
            else:
                yield thing
    finally:
        stop.set()
        for thread in started:
            thread.join()


@dataclass(frozen=True, slots=True)
class _End:
    """What a stream's thread says last, and what ended it before its own end."""

    error: BaseException | None = None


def _run[T](stream: Generator[T, None, None], stop: threading.Event, found: "SimpleQueue[T | _End]") -> None:
    end = _End()
    try:
        with closing(stream):
            for thing in stream:
                found.put(thing)
                if stop.is_set():
                    return
    except BaseException as error:  # a thread's: nobody else would hear of it
        end = _End(error)
    finally:
        found.put(end)
