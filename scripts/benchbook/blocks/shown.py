"""What all blocks share that show something of a lesson or stand on a page under a number."""

from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from pymdownx.blocks.block import Block

from benchbook.blocks.elements import add, stash
from benchbook.blocks.showing import Showing
from benchbook.pages.anchor import Anchor, Anchors
from benchbook.pages.use import Use


@dataclass(frozen=True, slots=True)
class Maker:
    """What blocks are given by the extension.

    Attributes:
        show: Finds what a use shows.
        anchors: Those of the page that is being made.
        made: Notes that a block is made, and ends the build where the scan did not find it.
    """

    show: Callable[[Use], Showing]
    anchors: Callable[[], Anchors]
    made: Callable[[str, str], None]


class Shown(Block):
    """A block of ours. `guard` has proved that its argument, its options and its place are right."""

    ARGUMENT: bool | None = True

    @property
    def maker(self) -> Maker:
        """What the extension gave."""
        maker: Maker = self.config["maker"]
        return maker

    def on_validate(self, parent: Element) -> bool:
        """The block is about to be made."""
        self.maker.made(self.NAME, self.argument or "")
        return True

    def showing(self) -> Showing:
        """What this block shows of a lesson."""
        words = " ".join((self.argument or "").split())
        options = {name: text for name, text in self.options.items() if name != "attrs" and text}
        return self.maker.show(Use(self.NAME, words, options, "", 0))

    def anchor(self, name: str) -> Anchor:
        """The next number of this kind of block on the page."""
        return self.maker.anchors().take(self.NAME, name)

    def listing(self, parent: Element, html: str) -> Element:
        """Appends finished HTML."""
        return stash(self.md, parent, html)


def numbered(parent: Element, anchor: Anchor) -> Element:
    """Appends the number of a figure or a listing, which is a link to it."""
    return add(parent, "a", "bb-number", anchor.label, href=f"#{anchor.id}")
