"""Lettering: how wide a text is in the figures' font, where it wraps, and whether it fits.

The font is the DejaVu Sans that Matplotlib ships, so that figures are the same on every machine. Sizes and
widths are in points.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import matplotlib as mpl
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.textpath import TextToPath

from benchbook.errors import BenchbookError

FILE = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
SIZE = 10.0
SMALL = 9.0
LEADING = 1.25
LONGEST = 4
GAP = 8.0  # between a text and what it stands by


@cache
def width(text: str, size: float = SIZE) -> float:
    """The width of one line, in points."""
    measured, _, _ = TextToPath().get_text_width_height_descent(
        text, FontProperties(fname=FILE, size=size), False
    )
    return float(measured)


def wrap(text: str, room: float, *, size: float = SIZE, lines: int = LONGEST) -> str:
    """The text with line breaks between words, so that no line is wider than ``room``.

    Raises:
        BenchbookError: A word is wider, it takes more than ``lines`` lines, or the font lacks a character.
    """
    _check_characters(text)
    rows: list[str] = []
    for word in text.split():
        if rows and width(f"{rows[-1]} {word}", size) <= room:
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    if not rows or len(rows) > lines or any(width(row, size) > room for row in rows):
        raise BenchbookError(
            f"the text {text!r} does not fit into {lines} lines of {room:.0f} points", mend="shorten it"
        )
    return "\n".join(rows)


def height(wrapped: str, size: float = SIZE) -> float:
    """The height of a wrapped text, in points; 0 for an empty one."""
    return (wrapped.count("\n") + 1) * size * LEADING if wrapped else 0.0


def _check_characters(text: str) -> None:
    has_glyph = _glyphs()
    missing = sorted(
        {character for character in text if not character.isspace() and not has_glyph(character)}
    )
    if missing or not text.isprintable():
        shown = ", ".join(f"U+{ord(character):04X}" for character in missing) or "a control character"
        raise BenchbookError(f"the text {text!r} holds {shown}", mend="use characters that DejaVu Sans has")


@cache
def _glyphs() -> Callable[[str], bool]:
    known = frozenset(FT2Font(str(FILE)).get_charmap())
    return lambda character: ord(character) in known
