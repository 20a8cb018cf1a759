"""Quiz: a question with options, each with feedback of its own."""

from string import ascii_uppercase
from xml.etree.ElementTree import Element

from pymdownx.blocks.block import type_boolean

from benchbook.blocks.elements import add
from benchbook.blocks.fold import fold, seal
from benchbook.blocks.shown import Shown


class Question(Shown):
    """``/// question | name``: the text of the question; it holds `Option` blocks."""

    NAME = "question"

    def on_create(self, parent: Element) -> Element:
        """Appends the section and the question's number."""
        anchor = self.anchor(self.argument)
        label = f"label-{anchor.id}"
        element = add(parent, "section", "bb-question", id=anchor.id, aria_labelledby=label)
        add(element, "p", "bb-number", anchor.label, id=label)
        return element


class Option(Shown):
    """``/// option | text``: one answer; the block's text is the feedback on it."""

    NAME = "option"
    OPTIONS = {"right": (False, type_boolean)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the option, which opens its feedback."""
        number = sum(child.get("class") == "bb-option" for child in parent)
        element = fold(parent, "bb-option", "")
        element.set("data-letter", ascii_uppercase[number])
        letter = add(element[0], "span", "bb-letter", ascii_uppercase[number])
        letter.tail = f" {self.argument}"
        if self.options["right"]:
            element.set("data-right", "")
        judgement = "Right." if self.options["right"] else "Not this one."
        add(add(element, "p", "bb-judgement"), "strong", text=judgement)
        return element

    def on_inline_end(self, block: Element) -> None:
        """Keeps it out of search."""
        seal(block)
