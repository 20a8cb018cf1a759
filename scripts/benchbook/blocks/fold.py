"""Folds: parts of an exercise that a learner opens when they are wanted, and that search does not find."""

from xml.etree.ElementTree import Element

from benchbook.blocks.elements import add
from benchbook.blocks.shown import Shown


def fold(parent: Element, kind: str, summary: str) -> Element:
    """Appends a closed box.

    Args:
        parent: Where it goes.
        kind: Its classes.
        summary: What it says while it is closed; Markdown, without what makes a block.
    """
    element = add(parent, "details", kind, data_search_exclude="")
    add(element, "summary").text = summary
    return element


def seal(element: Element) -> None:
    """Keeps a closed box out of search where it holds another one.

    Material's search takes the end of the inner ``details`` for the end of what it leaves out, so all that
    follows is left out once more, by an element that has none of its own name in it.
    """
    if any(inner.tag == "details" for inner in element.iter() if inner is not element):
        content = list(element)[1:]
        box = add(element, "section", data_search_exclude="")
        for child in content:
            element.remove(child)
            box.append(child)


class Fold(Shown):
    """A closed box of an exercise; its text is the block's."""

    ARGUMENT = False
    SUMMARY = ""

    def on_create(self, parent: Element) -> Element:
        """Appends the box."""
        return fold(parent, f"bb-fold bb-{self.NAME}", self.SUMMARY)

    def on_inline_end(self, block: Element) -> None:
        """Keeps it out of search."""
        seal(block)


class Hint(Fold):
    """``/// hint``: points at the idea that is needed."""

    NAME = "hint"
    SUMMARY = "Hint"


class Functions(Fold):
    """``/// functions``: the functions that are needed, with their signatures."""

    NAME = "functions"
    SUMMARY = "Key functions"


class Plan(Fold):
    """``/// plan``: the steps."""

    NAME = "plan"
    SUMMARY = "Plan"


class Solution(Fold):
    """``/// solution``: the solution that was run, and why it is one."""

    NAME = "solution"
    SUMMARY = "Reference solution"
