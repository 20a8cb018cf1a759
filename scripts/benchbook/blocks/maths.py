"""Maths: LaTeX between dollars becomes MathML while the page is built. No script, no font, no network.

``$...$`` in a sentence, and ``$$`` ... ``$$`` as a paragraph of its own. A dollar that is money or a shell's
variable stays a dollar: maths begins and ends with a character that is no space, and no letter or digit
stands on either side of it.
"""

import re
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

from benchbook.blocks import document
from benchbook.blocks.elements import add
from benchbook.blocks.formula import FormulaError, formula
from benchbook.errors import PageError
from benchbook.pages import placing, prose

STRAY = r"(?<!\\)\$\$"
DISPLAY = re.compile(r"\$\$(?P<latex>(?:\\.|[^\\$])+)\$\$\s*", re.DOTALL)


class Noting(Preprocessor):
    """Keeps the page as it was written, so that an error can name a line."""

    text = ""

    def run(self, lines: list[str]) -> list[str]:
        """Leaves the lines as they are.

        Raises:
            PageError: As a BuildError under MkDocs, where a table would cut a formula in two.
        """
        self.text = "\n".join(lines)
        found = (
            placing.cut(self.text, prose.mask(self.text)) if "$" in self.text and "|" in self.text else None
        )
        if found:
            offset, message, mend = found
            path, above = document.source(self.md, self.text)
            line = prose.line_of(self.text, offset) + above
            raise document.refusal(self.md, PageError(message, path=path, line=line, mend=mend))
        return lines

    def refused(self, reason: str, latex: str) -> Exception:
        """The error about a formula, as the caller shows errors."""
        path, above = document.source(self.md, self.text)
        latex = latex.partition("\x02")[0]  # what follows was taken out, and is spelled in another way
        wanted = re.compile(r"[\s>]+".join(map(re.escape, latex.split())))
        match = wanted.search(prose.mask(self.text)) or wanted.search(self.text)
        line = None if match is None else self.text.count("\n", 0, match.start()) + above + 1
        mend = "correct the formula; a dollar that begins none is written \\$ or as code"
        shown = " ".join(latex.split())[:60]
        error = PageError(f"the formula {shown!r}: {reason}", path=path, line=line, mend=mend)
        return document.refusal(self.md, error)


class Sentence(InlineProcessor):
    """``$...$``: a formula in a sentence."""

    def __init__(self, md: Markdown, noting: Noting) -> None:
        super().__init__(placing.INLINE.pattern, md)
        self.noting = noting

    def handleMatch(  # type: ignore[override] # noqa: N802 - the stubs know only the older form; the name is Markdown's
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        """Makes the formula.

        Raises:
            PageError: As a BuildError under MkDocs.
        """
        place = placing.fault(data, m.start(), m.end())
        if place:
            raise self.noting.refused(f"it stands in {place}", m["latex"])
        try:
            return formula(m["latex"]), m.start(), m.end()
        except FormulaError as error:
            raise self.noting.refused(str(error), m["latex"]) from error


class Stray(InlineProcessor):
    """``$$`` within a paragraph, which begins nothing."""

    def __init__(self, md: Markdown, noting: Noting) -> None:
        super().__init__(STRAY, md)
        self.noting = noting

    def handleMatch(  # type: ignore[override] # noqa: N802 - as above
        self, m: re.Match[str], data: str
    ) -> tuple[None, None, None]:
        """Ends the build.

        Raises:
            PageError: As a BuildError under MkDocs.
        """
        raise self.noting.refused(
            "set a blank line before its first $$ and after its last, and none in it", data[m.start() :]
        )


class Paragraph(BlockProcessor):
    """``$$`` ... ``$$``: a formula by itself, in a box that scrolls where the page is narrow."""

    def __init__(self, md: Markdown, noting: Noting) -> None:
        super().__init__(md.parser)
        self.noting = noting

    def test(self, parent: Element, block: str) -> bool:
        """Whether a block is one formula."""
        return DISPLAY.fullmatch(block.strip()) is not None

    def run(self, parent: Element, blocks: list[str]) -> None:
        """Makes the formula.

        Raises:
            PageError: As a BuildError under MkDocs.
        """
        latex = blocks.pop(0).strip().removeprefix("$$").removesuffix("$$").strip()
        box = add(parent, "div", "bb-scroll bb-formula", tabindex="0", role="group", aria_label="Formula")
        try:
            box.append(formula(latex, display=True))
        except FormulaError as error:
            raise self.noting.refused(str(error), latex) from error


def extend(md: Markdown) -> None:
    """Adds maths to a Markdown instance."""
    noting = Noting(md)
    md.ESCAPED_CHARS.append("$")
    md.preprocessors.register(noting, "benchbook_noting", 101)
    # Below indented code, in which dollars are dollars; above headings, one of which could be underlined.
    md.parser.blockprocessors.register(Paragraph(md, noting), "benchbook_formula", 75)
    # Below code spans, so that a dollar in code is a dollar; above escapes, which LaTeX writes as well.
    md.inlinePatterns.register(Sentence(md, noting), "benchbook_formula", 186)
    md.inlinePatterns.register(Stray(md, noting), "benchbook_stray", 185)
