"""Guards: end the build for what a page asks for wrongly, which pymdownx would leave as text in silence."""

import functools
import itertools
import re
import sys
from pathlib import Path
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from benchbook.blocks import catalogue, shortfall
from benchbook.errors import BenchbookError, PageError
from benchbook.pages import page
from benchbook.project import Project, find

LEFTOVER = re.compile(r"^ {0,3}/{3,}(?: |$)|:value\[", re.MULTILINE)


@functools.cache
def project(folder: Path) -> Project:
    """The project of a working directory, found once."""
    return find(folder)


def refusal(error: BenchbookError) -> Exception:
    """The error as MkDocs shows it without a traceback; as it is for any other caller."""
    if "mkdocs" not in sys.modules:
        return error
    from mkdocs.exceptions import BuildError  # only where MkDocs is the caller

    return BuildError(str(error))


class Scan(Preprocessor):
    """Proves that everything that a page asks for is there, before it is parsed."""

    def run(self, lines: list[str]) -> list[str]:
        """Leaves the lines as they are.

        Raises:
            PageError: As a BuildError under MkDocs.
        """
        text = "\n".join(lines)
        if "///" in text or page.VALUE in text:
            try:
                self._check(text)
            except BenchbookError as error:
                raise refusal(error) from error
        return lines

    def _check(self, text: str) -> None:
        shown, above = source(self.md, text)
        try:
            for use in page.scan(text, path=shown).uses:
                shortfall.check(use, catalogue.load(project(Path.cwd()), use, path=shown), path=shown)
        except PageError as error:
            line = None if error.line is None else error.line + above
            raise PageError(error.message, path=shown, line=line, mend=error.mend) from error


def source(md: Markdown, text: str) -> tuple[str, int]:
    """The page's path where MkDocs converts it, and how many lines of front matter it cut off."""
    file = getattr(md.treeprocessors["relpath"], "file", None) if "relpath" in md.treeprocessors else None
    if file is None or file.abs_src_path is None:  # no MkDocs, or a page that a plugin made
        return "page", 0
    path = Path(file.abs_src_path)
    whole = path.read_text(encoding="utf-8-sig").rstrip()
    return project(Path.cwd()).relative(path), max(whole.count("\n") - text.rstrip().count("\n"), 0)


class Leftovers(Treeprocessor):
    """Finds blocks and values that nothing turned into elements."""

    def run(self, root: Element) -> None:
        """Leaves the tree as it is.

        Raises:
            PageError: As a BuildError under MkDocs.
        """
        for text in itertools.chain.from_iterable((element.text, element.tail) for element in root.iter()):
            if text and not isinstance(text, AtomicString) and LEFTOVER.search(text):
                mend = "set a blank line before it, and enable its extension in mkdocs.yml"
                error = PageError(
                    f"left over as text: {text.strip()[:60]!r}", path=source(self.md, "")[0], mend=mend
                )
                raise refusal(error)
