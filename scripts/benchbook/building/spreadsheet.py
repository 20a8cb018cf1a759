"""A spreadsheet: CSV as RFC 4180 has it, which no program takes for anything but numbers and text.

A text that a program may take for a formula, for a date, for a truth value, or for a number that it writes
otherwise gets an apostrophe before it: programs show it and calculate nothing.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import date

from benchbook import terminal

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are full-width
# What may stand in a number, a date or a time: signs, units of money, an exponent, months, halves of a day.
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
TAKEN = re.compile(
    rf"(?=.*\d)(?:[\d\s.,:;/'\u2019()%\u00a3$\u20ac\u00a5+\-]|\b{MONTH}|(?<=\d)[et]|z$|[ap]\.?m\b)+"
)
TRUTH = re.compile("true|false")
SAME = re.compile(r"0|[1-9][0-9]{0,9}")  # a number that every program shows as it was written
VERSION = re.compile(r"0(?:\.[0-9]+){2,}|[0-9]+(?:\.[0-9]+){3,}")  # no date has a day 0, or four parts
EXACT = 2**53  # up to here every whole number is a float
Value = str | float | bool | date | None


def spell(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """The file: UTF-8, a header, one line a row, each ended by CR and LF.

    Args:
        header: The columns' names.
        rows: Texts, numbers, truth values, days, or ``None`` for an empty cell.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return file.getvalue().encode()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return value.isoformat()
    return _text(value) if isinstance(value, str) else _number(value)


def _text(value: str) -> str:
    """One line, inert."""
    line = " ".join(terminal.pictured(value).split())
    return f"'{line}" if line.startswith(FORMULA) or _is_taken(line) else line


def _is_taken(line: str) -> bool:
    """Whether a program may read something else than this text."""
    word = line.lower()
    if SAME.fullmatch(word) or VERSION.fullmatch(word):
        return False
    return bool(TRUTH.fullmatch(word) or TAKEN.fullmatch(word))


def _number(value: float) -> str:
    """Without a unit and without a separator; whole numbers without a point."""
    is_whole = abs(value) <= EXACT and value == int(value)
    return str(int(value)) if is_whole else repr(value)
