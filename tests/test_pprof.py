"""The reader of pprof files that profiling/memory shows, against messages written by other code.

What is written here follows the field numbers of pprof's ``profile.proto`` and the rules of the wire format;
it shares no line with the lesson.
"""

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbook.lesson import snippet
from benchbook.project import find

PROJECT = find(Path(__file__).parent)
PATHS = ("/Users/somebody/lesson.py", "C:\\Users\\somebody\\lesson.py")
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
NUMBERS = st.integers(0, 2**63 - 1)
Sample = tuple[dict[str, str], dict[str, int], list[str]]


@pytest.fixture(scope="module")
def lesson() -> dict[str, Any]:
    """The functions of the cells that read and write; nothing else of the lesson is executed."""
    slug = "profiling/memory"
    path = PROJECT.snippet_path(slug)
    loaded = snippet.load(path, slug=slug, shown=PROJECT.relative(path))
    cells = {cell.name: cell.source for cell in loaded.cells}
    names: dict[str, Any] = {}
    functions = cells["file"].partition("folder = ")[0]
    exec(f"{cells['reader']}\n{functions}", names)  # noqa: S102 - the project's own snippet
    return names


def varint(number: int) -> bytes:
    """Base 128, the lowest digit first, with the high bit on all digits but the last."""
    digits = [number >> shift & 0x7F for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes(digit | 0x80 for digit in digits[:-1]) + bytes(digits[-1:])


def number(key: int, value: int) -> bytes:
    """A field of wire type 0."""
    return varint(key * 8) + varint(value)


def piece(key: int, value: bytes) -> bytes:
    """A field of wire type 2."""
    return varint(key * 8 + 2) + varint(len(value)) + value


def packed(key: int, values: list[int]) -> bytes:
    """A repeated number, as protobuf 3 writes it."""
    return piece(key, b"".join(map(varint, values)))


def apart(key: int, values: list[int]) -> bytes:
    """A repeated number, as pprof's own encoder writes a short one."""
    return b"".join(number(key, value) for value in values)


@dataclass
class Table:
    """The texts of a profile: the first is empty, and each has a place."""

    texts: list[str] = field(default_factory=lambda: [""])

    def place(self, text: str) -> int:
        """Where a text stands; it is added when it is new."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)


def written(samples: list[Sample], repeated: Callable[[int, list[int]], bytes], first: bool) -> bytes:
    """A profile of samples, each frame a place and a function of its own.

    Args:
        samples: Labels, values and functions from the leaf.
        repeated: How a row of numbers is written.
        first: Whether the texts stand before everything else.
    """
    table, body, at = Table(), b"", 0
    kinds = list(samples[0][1]) if samples else ["space"]
    for kind in kinds:
        body += piece(1, number(1, table.place(kind)) + number(2, table.place("bytes")))
    for labels, values, stack in samples:
        places = [*range(at + 1, at + 1 + len(stack))]
        row = repeated(1, places) + repeated(2, [values[kind] for kind in kinds])
        for key, text in labels.items():
            row += piece(3, number(1, table.place(key)) + number(2, table.place(text)))
        body += piece(2, row)
        for place, name in zip(places, stack, strict=True):
            line = number(1, place) + number(2, 12)
            body += piece(4, number(1, place) + number(3, 0xFFFF) + piece(4, line))
            path = table.place(PATHS[place % 2])
            body += piece(5, number(1, place) + number(2, table.place(name)) + number(4, path))
        at += len(stack)
    texts = b"".join(piece(6, text.encode()) for text in table.texts)
    body += number(9, 2**62) + number(12, 1)  # a time and a period, which nobody asked for
    return gzip.compress(texts + body if first else body + texts)


@st.composite
def profiles(draw: st.DrawFn) -> list[Sample]:
    """Samples that share their kinds of values, as those of one profile do."""
    kinds = draw(st.lists(WORDS, min_size=1, max_size=3, unique=True))
    labels = st.dictionaries(WORDS, WORDS, max_size=3)
    values = st.fixed_dictionaries(dict.fromkeys(kinds, NUMBERS))
    return draw(st.lists(st.tuples(labels, values, st.lists(WORDS, max_size=4)), max_size=4))


def ways() -> Iterator[tuple[Callable[[int, list[int]], bytes], bool]]:
    """Each way to write one profile."""
    for repeated in (packed, apart):
        yield from ((repeated, first) for first in (False, True))


@given(samples=profiles())
def test_what_was_written_is_read(samples: list[Sample], lesson: dict[str, Any]) -> None:
    """Labels, values and stacks come back, however numbers are packed and wherever the texts stand."""
    for repeated, first in ways():
        assert list(lesson["read_profile"](written(samples, repeated, first))) == samples


@given(samples=profiles())
def test_a_published_profile_reads_the_same_and_names_no_file(
    samples: list[Sample], lesson: dict[str, Any]
) -> None:
    """The paths of source files are gone, and nothing that the lesson reads has changed."""
    data = lesson["public"](written(samples, packed, first=False))
    assert list(lesson["read_profile"](data)) == samples
    assert b"somebody" not in gzip.decompress(data)
    assert data == lesson["public"](data)


@given(value=st.integers(0, 2**64 - 1))
def test_numbers_are_written_as_the_format_says(value: int, lesson: dict[str, Any]) -> None:
    """The lesson's writer gives the bytes of this one, and its reader the number and their end."""
    assert lesson["encode"](value) == varint(value)
    assert lesson["varint"](b"?" + varint(value) + b"?", 1) == (value, 1 + len(varint(value)))


def test_a_frame_with_inlined_functions_gives_all_of_them(lesson: dict[str, Any]) -> None:
    """A place may have several lines, the innermost function first; one text may be left out as empty."""
    texts = b"".join(piece(6, text) for text in (b"", b"space", b"f", b"g"))
    functions = piece(5, number(1, 7) + number(2, 2)) + piece(5, number(1, 8) + number(2, 3))
    functions += piece(5, number(1, 9))  # without a name
    lines = b"".join(piece(4, number(1, function)) for function in (7, 8, 9))
    body = piece(1, number(1, 1)) + piece(2, number(1, 3) + number(2, 300))
    data = gzip.compress(texts + functions + piece(4, number(1, 3) + lines) + body)
    assert list(lesson["read_profile"](data)) == [({}, {"space": 300}, ["f", "g", ""])]


def test_a_field_of_a_type_that_pprof_lacks_is_refused(lesson: dict[str, Any]) -> None:
    """Wire type 5 is four bytes; a reader that went on would read them as something else."""
    with pytest.raises(ValueError, match="wire type 5"):
        list(lesson["fields"](bytes([1 * 8 + 5, 0, 0, 0, 0])))
