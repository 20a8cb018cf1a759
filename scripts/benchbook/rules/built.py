"""The rule about a built site: no block or value was left as text, which pymdownx does in silence."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from benchbook.pages.page import VALUE
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

HIDDEN = frozenset({"pre", "code", "script", "style", "textarea"})
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
# What an author wrote: a sentence, a caption, a question, a fold; recorded text is deeper in them.
AUTHORED = frozenset(
    {f"bb-{name}" for name in ("claim", "cited", "figure", "predict", "answer", "question", "option")}
    | {f"bb-{name}" for name in ("fold", "hint", "functions", "plan", "solution")}
)
SLASHES = re.compile(r"^[ \t]*/{3,}(?!/).*$", re.MULTILINE)


class _Text(HTMLParser):
    """Collects what an author wrote and a reader sees outside code, with its lines."""

    def __init__(self) -> None:
        super().__init__()
        self.within: str | None = None  # the tag of the outermost element that is passed over
        self.depth = 0  # how many elements of that tag are open; others may lack an end
        self.found: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.within is None and tag not in VOID and (tag in HIDDEN or _holds_data(attrs)):
            self.within = tag
        self.depth += tag == self.within

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == self.within
        if not self.depth:
            self.within = None

    def handle_data(self, data: str) -> None:
        if self.within is None:
            self.found.append((self.getpos()[0], data))


def _holds_data(attrs: list[tuple[str, str | None]]) -> bool:
    """Whether an element's class says that it holds recorded text, which may say anything."""
    kinds = {kind for name, value in attrs if name == "class" for kind in (value or "").split()} - AUTHORED
    return any(kind == "run" or kind.startswith(("bb-", "run-")) for kind in kinds)


def no_leftovers(inventory: Inventory) -> Iterator[Problem]:
    """No built page shows a line that starts with ``///``, or ``:value[``, unless a run said so."""
    found = sorted(inventory.built.rglob("*.html")) if inventory.built else []
    for path in filter(Path.is_file, found):
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
