"""Guards: end the build for what a page asks for wrongly, which pymdownx would leave as text in silence."""

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from benchbook.blocks import catalogue, shortfall
from benchbook.blocks.document import project, refusal, source
from benchbook.blocks.tally import Tally
from benchbook.errors import BenchbookError, PageError
from benchbook.pages import page

MARKS = ("///", page.VALUE, "[](")
ADDRESS = re.compile(r"https?://[^/\s]", re.IGNORECASE)
LEFTOVER = re.compile(r"^[ \t]*/{3,}(?: |$)|:value\[", re.MULTILINE)


class Scan(Preprocessor):
    """Proves that everything that a page asks for is there, before it is parsed."""

    def __init__(self, md: Markdown, tally: Callable[[], Tally]) -> None:
        super().__init__(md)
        self.tally = tally

    def run(self, lines: list[str]) -> list[str]:
        """Leaves the lines as they are.

        Raises:
            PageError: As `refusal` makes it.
        """
        text = "\n".join(lines)
        if any(mark in text for mark in MARKS):
            try:
                self._check(text)
            except BenchbookError as error:
                raise refusal(self.md, error) from error
        return lines

    def _check(self, text: str) -> None:
        shown, above = source(self.md, text)
        try:
            found = page.scan(text, path=shown)
            for use in found.uses:
                shortfall.check(use, catalogue.load(project(Path.cwd()), use, path=shown), path=shown)
            self.tally().expect(found, above=above)
        except PageError as error:
            line = None if error.line is None else error.line + above
            raise PageError(error.message, path=shown, line=line, mend=error.mend) from error


class Leftovers(Treeprocessor):
    """Finds blocks and values that nothing turned into elements."""

    def __init__(self, md: Markdown, tally: Callable[[], Tally]) -> None:
        super().__init__(md)
        self.tally = tally

    def run(self, root: Element) -> None:
        """Leaves the tree as it is.

        Raises:
            PageError: As `refusal` makes it.
        """
        for error in itertools.chain(self.tally().left(), self._texts(root), self._sources(root)):
            raise refusal(self.md, error)

    def _texts(self, root: Element) -> Iterator[PageError]:
        """What is no block of ours."""
        for text in itertools.chain.from_iterable((element.text, element.tail) for element in root.iter()):
            if text and not isinstance(text, AtomicString) and LEFTOVER.search(text):
                mend = "set a blank line before it, and enable its extension in mkdocs.yml"
                message = f"left over as text: {text.strip()[:60]!r}"
                yield PageError(message, path=source(self.md, "")[0], mend=mend)

    def _sources(self, root: Element) -> Iterator[PageError]:
        """Cited statements whose link to a source became none, as in code, or was never closed."""
        for box in root.iterfind(".//div[@class='bb-cited']"):
            links = [link for link in box.iter("a") if "".join(link.itertext()).strip()]
            if not any(ADDRESS.match(link.get("href", "")) for link in links):
                said = " ".join("".join(box.itertext()).split())[:60]
                message = f"a cited statement whose link to its source is none: {said!r}"
                yield PageError(message, path=source(self.md, "")[0], mend="write [words](https://...)")
