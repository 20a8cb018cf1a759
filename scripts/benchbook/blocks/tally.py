"""A tally: what the scan of a page found and Markdown has still to make of it.

The scan and pymdownx read a page each in its own way. Where they differ, a block would stay as text, or one
that nobody looked up would be made; with this the page is refused.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchbook.errors import PageError
from benchbook.pages.page import VALUE, Page
from benchbook.pages.use import Use

MEND = "set a blank line around it, and write it outside raw HTML, links and code"


@dataclass(slots=True)
class Tally:
    """Those of one page.

    Attributes:
        path: The page, as messages spell it.
        above: How many lines of front matter Markdown does not see.
    """

    path: str = "page"
    above: int = 0
    _text: str = ""
    _lines: dict[tuple[str, ...], list[int]] = field(default_factory=lambda: defaultdict(list))
    _found: set[int] = field(default_factory=set)

    def expect(self, page: Page, *, above: int) -> None:
        """Takes up all blocks of ours and all values of a page."""
        self.path, self.above, self._text = page.path, above, page.text
        for name, argument, line in page.blocks:
            self._lines[(name, argument)].append(line)
        for use in page.uses:
            if use.kind == "value":
                self._lines[_key(use)].append(use.line)
        self._found.update(line for lines in self._lines.values() for line in lines)

    def make(self, name: str, argument: str) -> None:
        """Notes that a block is made.

        Raises:
            PageError: The scan did not find it.
        """
        key = (name, " ".join(argument.split()))
        self._take(
            key, rf"/{{3,}} *{name}\b", f"'/// {name}' in an item's first line, or in what looks like code"
        )

    def show(self, use: Use) -> None:
        """Notes that a value is shown.

        Raises:
            PageError: The scan did not find it.
        """
        self._take(_key(use), re.escape(VALUE), f"the value {use.argument!r} in what looks like code")

    def _take(self, key: tuple[str, ...], mark: str, message: str) -> None:
        if self._lines[key]:
            self._lines[key].pop(0)
            return
        lines = enumerate(self._text.split("\n"), start=1)
        unknown = (number for number, line in lines if number not in self._found and re.search(mark, line))
        line = next(unknown, None)
        place = None if line is None else line + self.above
        mend = "begin it on a line of its own, and close each ` in its own paragraph and table cell"
        raise PageError(message, path=self.path, line=place, mend=mend)

    def left(self) -> Iterator[PageError]:
        """What was found and not made, by line."""
        found = sorted((line, key) for key, lines in self._lines.items() for line in lines)
        for line, key in found:
            what = f"the value {key[1]!r}" if key[0] == "value" else f"'/// {' | '.join(filter(None, key))}'"
            yield PageError(f"{what} is left over as text", path=self.path, line=line + self.above, mend=MEND)


def _key(use: Use) -> tuple[str, ...]:
    return use.kind, use.argument, use.run or ""
