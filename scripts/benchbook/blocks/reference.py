"""References: empty links to figures and listings, which take the number of what they lead to."""

from collections.abc import Callable
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor

from benchbook.pages.anchor import Anchors


class References(Treeprocessor):
    """Fills ``[](#figure-losses)`` with *Figure 1*; `guard` has proved that it leads to one."""

    def __init__(self, md: Markdown, anchors: Callable[[], Anchors]) -> None:
        super().__init__(md)
        self.anchors = anchors

    def run(self, root: Element) -> None:
        """Changes the links in place."""
        for element in root.iter("a"):
            anchor = self.anchors().by_id.get(element.get("href", "").removeprefix("#"))
            if anchor is not None and not len(element) and not (element.text or "").strip():
                element.text = anchor.label
