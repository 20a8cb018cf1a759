"""The seeds: what this repository itself holds, cut into small pieces."""

from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SMALL = 700  # characters


@cache
def pages() -> list[str]:
    """The text of every page that is written by hand."""
    found = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*/*.md")]
    return [path.read_text(encoding="utf-8") for path in sorted(found) if "runs" not in path.parts]


@cache
def snippets() -> list[str]:
    """The text of every snippet."""
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / "snippets").glob("*/*.py"))]


def pieces(text: str, between: str) -> list[str]:
    """A text in pieces of at most `SMALL` characters, cut where ``between`` stands."""
    found = [""]
    for part in text.split(between):
        if len(found[-1]) + len(part) > SMALL:
            found.append("")
        found[-1] += part + between
    return [piece for piece in found if piece.strip() and len(piece) <= SMALL]
