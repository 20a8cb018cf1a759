"""Spreadsheets: plain numbers, and recorded text that no program takes for a formula."""

import csv
import io
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbook.building import spreadsheet


def read(data: bytes) -> list[list[str]]:
    """The cells, as a reader of CSV sees them."""
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (1033870.0, "1033870"),
        (12, "12"),
        (0.1, "0.1"),
        (-1.5, "-1.5"),
        (1e150, "1e+150"),
        (True, "true"),
        (False, "false"),
        (None, ""),
        (date(2026, 1, 2), "2026-01-02"),
    ],
)
def test_a_value_is_plain(value: float | bool | date | None, cell: str) -> None:
    """Numbers have no unit and no separator, and a negative one is no formula."""
    assert read(spreadsheet.spell(["a"], [[value]])) == [["a"], [cell]]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", " =", "\t=", "\n@", "\uff1d"])
def test_no_text_is_a_formula(start: str) -> None:
    """A text that starts like one has an apostrophe before it, whatever space is before that."""
    cell = read(spreadsheet.spell(["a"], [[f'{start}HYPERLINK("x")']]))[1][0]
    assert cell == f'\'{start.strip()}HYPERLINK("x")'


@pytest.mark.parametrize(
    "text",
    [
        *(
            "79724612e512",
            "012345678901",
            "797246125123",
            "1E5",
            ".5",
            "1.0",
            "1,5",
            "1 000",
            "50%",
            "$5",
            "5 \u20ac",
        ),
        *("1/2", "1-2", "1.2.2026", "2026-01-02", "2026-01-02T03:04:05Z", "2 Jan", "January 2, 2026", "MAR1"),
        *(
            "12:30",
            "12:30 pm",
            "1:2:3.5",
            "TRUE",
            "true",
            "False",
            "(5)",
            "\uff11\uff12/3",
            "7\u20197",
            "007",
        ),
    ],
)
def test_no_text_is_another_value(text: str) -> None:
    """What looks like a number that is written otherwise, a date, a time or a truth value stays a text."""
    assert read(spreadsheet.spell(["a"], [[text]]))[1] == [f"'{text}"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "7", "1024", "0.12.0", "0.9.2", "0.12.0.1", "5 processes", "float32[3]", "3d0abc123456"),
        *("jit/compile", "2 x 2", "truth", "March", "per call", "e5", "i7-9700K", "a 1", "a/1-2", "1st"),
    ],
)
def test_any_other_text_stands_as_it_is(text: str) -> None:
    """A version, a name, a whole number that every program shows as it is: nothing is put before them."""
    assert read(spreadsheet.spell(["a"], [[text]]))[1] == [text]


def test_the_file_is_as_the_standard_has_it() -> None:
    """Lines end in CR and LF, a quote is doubled, and what holds a comma is quoted."""
    data = spreadsheet.spell(["a", "b"], [['x "y", z', 1], ["µ", 2]])
    assert data == 'a,b\r\n"x ""y"", z",1\r\nµ,2\r\n'.encode()


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_every_text_stays_in_its_cell(texts: list[str]) -> None:
    """Nothing that a run recorded makes a cell, a row or a control character."""
    _, cells = read(spreadsheet.spell(["a"] * len(texts), [texts]))
    assert len(cells) == len(texts)
    assert not any(ord(character) < 0x20 or ord(character) == 0x7F for cell in cells for character in cell)
