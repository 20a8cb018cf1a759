"""A spreadsheet: CSV as RFC 4180 has it, which no program takes for anything but numbers and text.

A text that starts like a formula gets an apostrophe before it: programs show it and calculate nothing.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from benchbook import terminal

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last four are full-width
EXACT = 2**53  # up to here every whole number is a float
Value = str | float | bool | None


def spell(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """The file: UTF-8, a header, one line a row, each ended by CR and LF.

    Args:
        header: The columns' names.
        rows: Texts, numbers, truth values, or ``None`` for an empty cell.
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
    return _text(value) if isinstance(value, str) else _number(value)


def _text(value: str) -> str:
    """One line, inert."""
    line = " ".join(terminal.pictured(value).split())
    return f"'{line}" if line.startswith(FORMULA) else line


def _number(value: float) -> str:
    """Without a unit and without a separator; whole numbers without a point."""
    is_whole = abs(value) <= EXACT and value == int(value)
    return str(int(value)) if is_whole else repr(value)
