"""Recordings: blocks that show what runs printed, measured and drew, by backend."""

from collections.abc import Callable
from xml.etree.ElementTree import Element, SubElement

from pymdownx.blocks.block import type_string

from benchbook.blocks import assertion, datasheet, transcript
from benchbook.blocks.catalogue import Exhibit
from benchbook.blocks.elements import add
from benchbook.blocks.showing import Showing
from benchbook.blocks.shown import Shown, numbered


class Recording(Shown):
    """What is drawn for each run, one below the other or in tabs."""

    OPTIONS = {"run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form
    draw: Callable[[Showing, Element, Exhibit], None]

    def on_create(self, parent: Element) -> Element:
        """Appends what each run shows."""
        element = add(parent, "div", f"bb-{self.NAME}")
        self.showing().each(element, self.draw)
        return element


class Output(Recording):
    """``/// output | slug [cell]``: what was printed, by backend."""

    NAME = "output"
    draw = staticmethod(transcript.draw)


class Measurements(Recording):
    """``/// measurements | slug``: the table of measurements, by backend."""

    NAME = "measurements"
    draw = staticmethod(datasheet.measurements)


class Figure(Shown):
    """``/// figure | slug cell``: the drawing of a cell's data, by backend, with its number and caption."""

    NAME = "figure"
    OPTIONS = {"alt": ("", type_string), "run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the figure; its caption is the last child."""
        shown = self.showing()
        self.numbered = self.anchor(shown.use.name)
        element = add(parent, "figure", "bb-figure", id=self.numbered.id)
        shown.each(element, datasheet.figure)
        SubElement(element, "figcaption")
        return element

    def on_add(self, block: Element) -> Element:
        """The caption takes the block's text."""
        return block[-1]

    def on_end(self, block: Element) -> None:
        """The number begins the caption, in its first paragraph."""
        caption = block[-1]
        if not len(caption) or caption[0].tag != "p":
            caption.insert(0, Element("p"))
        words = caption[0].text
        number = numbered(caption[0], self.numbered)
        caption[0].remove(number)
        caption[0].insert(0, number)
        caption[0].text, number.tail = None, f" {words or ''}"


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
