"""A target: something that takes what a stranger wrote, and how to tell that it took it well."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchbook import terminal
from benchbook.errors import BenchbookError


@dataclass(frozen=True, slots=True)
class Target:
    """One target.

    Attributes:
        take: Takes bytes; raises only on a fault.
        seeds: What a campaign starts from.
        longest: How many bytes of input are worth trying.
    """

    take: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    longest: int = 2048


@contextmanager
def refusing() -> Iterator[None]:
    """Lets an error of ours pass: it was told in one line that any terminal and any log can hold."""
    try:
        yield
    except BenchbookError as error:
        line = str(error)
        assert "\n" not in line, f"an error of several lines: {line!r}"
        assert terminal.pictured(line) == line, f"an error that a terminal would obey: {line!r}"
