"""The rule about a built site: no block or value was left as text, which pymdownx does in silence."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from benchbook.pages.page import VALUE
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

HIDDEN = frozenset({"pre", "code", "script", "style", "textarea"})
SLASHES = re.compile(r"^[ \t]*/{3,}(?!/).*$", re.MULTILINE)


class _Text(HTMLParser):
    """Collects what a reader sees outside code, with its lines."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.depth += tag in HIDDEN

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag in HIDDEN and self.depth > 0

    def handle_data(self, data: str) -> None:
        if not self.depth:
            self.found.append((self.getpos()[0], data))


def no_leftovers(inventory: Inventory) -> Iterator[Problem]:
    """No built page shows a line that starts with ``///``, or ``:value[``."""
    pages = sorted(inventory.built.rglob("*.html")) if inventory.built else []
    for path in pages:
        for line, left in leftovers(path.read_text(encoding="utf-8", errors="replace")):
            mend = "correct the block or value in the page's Markdown"
            yield Problem(inventory.project.relative(path), line, f"shows {left!r} as text", mend)


def leftovers(html: str) -> list[tuple[int, str]]:
    """Line and text of every leftover in the visible text of a page."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    found = []
    for line, data in parser.found:
        matches = [*SLASHES.finditer(data), *re.finditer(re.escape(VALUE) + r"[^\]\n]*\]?", data)]
        found += [(line + data.count("\n", 0, match.start()), match[0].strip()) for match in matches]
    return found
