"""The Markdown extension: blocks and values that show recorded runs.

`guard` looks up all that a page asks for before anything is parsed, so nothing here can fail.
"""

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.inlinepatterns import InlineProcessor
from pymdownx.blocks import BlocksExtension, BlocksProcessor
from pymdownx.blocks.block import Block, type_string

from benchbook import reading
from benchbook.blocks import assertion, catalogue, datasheet, transcript
from benchbook.blocks.elements import add, literal, stash
from benchbook.blocks.guard import Leftovers, Scan, project
from benchbook.blocks.showing import Showing
from benchbook.pages import page, prose
from benchbook.pages.use import Use


class Shown(Block):
    """What all blocks share. `guard` has proved that their arguments and options are right."""

    ARGUMENT = True

    def showing(self) -> Showing:
        """What this block shows."""
        words = " ".join(self.argument.split())
        options = {name: text for name, text in self.options.items() if name != "attrs" and text}
        show: Callable[[Use], Showing] = self.config["show"]
        return show(Use(self.NAME, words, options, "", 0))

    def listing(self, parent: Element, html: str) -> Element:
        """Appends finished HTML."""
        return stash(self.md, parent, html)


class Cell(Shown):
    """``/// cell | slug [name]``: a cell's code, or the whole example."""

    NAME = "cell"

    def on_create(self, parent: Element) -> Element:
        """Appends the listing."""
        shown = self.showing()
        name = shown.use.name
        return self.listing(parent, shown.fragment["cells"][name] if name else shown.fragment["example"])


class Starter(Shown):
    """``/// starter | slug cell``: what a learner begins an exercise with."""

    NAME = "starter"

    def on_create(self, parent: Element) -> Element:
        """Appends the listing."""
        shown = self.showing()
        return self.listing(parent, shown.fragment["starters"][shown.use.name])


class Output(Shown):
    """``/// output | slug [cell]``: what was printed, by backend."""

    NAME = "output"
    OPTIONS = {"run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the output of each run."""
        element = add(parent, "div", "bb-output")
        self.showing().each(element, transcript.draw)
        return element


class Measurements(Shown):
    """``/// measurements | slug``: the table of measurements, by backend."""

    NAME = "measurements"
    OPTIONS = {"run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the table of each run."""
        element = add(parent, "div", "bb-measurements")
        self.showing().each(element, datasheet.measurements)
        return element


class Figure(Shown):
    """``/// figure | slug cell``: the drawing of a cell's data, by backend, with its caption."""

    NAME = "figure"
    OPTIONS = {"alt": ("", type_string), "run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the figure; its caption is the last child."""
        element = add(parent, "figure", "bb-figure")
        self.showing().each(element, datasheet.figure)
        SubElement(element, "figcaption")
        return element

    def on_add(self, block: Element) -> Element:
        """The caption takes the block's text."""
        return block[-1]


class Claim(Shown):
    """``/// claim | slug``: a sentence, and what the runs say to it."""

    NAME = "claim"
    OPTIONS = {"holds": ("", type_string), "run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the box that takes the sentence."""
        return add(parent, "div", "bb-claim")

    def on_end(self, block: Element) -> None:
        """Appends the verdicts."""
        assertion.claim(self.showing(), block)


class Value(InlineProcessor):
    """``:value[slug expression]``: a number of a run, in a sentence."""

    def __init__(self, md: Markdown, show: Callable[[Use], Showing]) -> None:
        super().__init__(re.escape(page.VALUE), md)
        self.show = show

    def handleMatch(  # type: ignore[override] # noqa: N802 - the stubs know only the older form; the name is Markdown's
        self, m: re.Match[str], data: str
    ) -> tuple[Element | None, int | None, int | None]:
        """Makes the link; `guard` has proved that the value is there."""
        end = prose.closing(data, m.end())
        if end is None:
            return None, None, None
        shown = self.show(page.value(data[m.end() : end], path="page", line=0))
        exhibit = catalogue.shown(shown.fragment, shown.use.run)[0]
        found = catalogue.quantity(shown.use.name, exhibit)
        link, title, unstable = assertion.value(shown)
        element = Element("a", {"class": "bb-value", "href": link, "title": literal(title)})
        element.text = literal(reading.text(found.value, found.unit) + (" (not stable)" if unstable else ""))
        return element, m.start(), end + 1


class BenchbookExtension(BlocksExtension):
    """Registers the blocks, the value and the two guards."""

    numbers: Iterator[int]  # set by `reset`, which Markdown calls before each page

    def extendMarkdownBlocks(self, md: Markdown, block_mgr: BlocksProcessor) -> None:  # noqa: N802 - pymdownx's name
        """Adds everything to a Markdown instance."""
        md.registerExtension(self)

        def show(use: Use) -> Showing:
            fragment = catalogue.load(project(Path.cwd()), use, path="page")
            return Showing(use, fragment, md, lambda: next(self.numbers))

        for block in (Cell, Starter, Output, Figure, Measurements, Claim):
            block_mgr.register(block, {"show": show})
        # Above all others; then below code spans and escapes, above links; then after everything inline.
        md.preprocessors.register(Scan(md), "benchbook_scan", 100)
        md.inlinePatterns.register(Value(md, show), "benchbook_value", 175)
        md.treeprocessors.register(Leftovers(md), "benchbook_leftovers", 1)

    def reset(self) -> None:
        """Numbers start anew on each page."""
        self.numbers = itertools.count(1)


def makeExtension(**kwargs: object) -> BenchbookExtension:  # noqa: N802 - the name that Markdown looks for
    """What Markdown calls for the name ``benchbook.blocks``."""
    return BenchbookExtension(**kwargs)
