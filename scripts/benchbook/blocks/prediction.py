"""Predictions: a question that a learner answers before the answer is opened."""

from xml.etree.ElementTree import Element

from benchbook.blocks.elements import add
from benchbook.blocks.fold import fold, seal
from benchbook.blocks.shown import Shown


class Predict(Shown):
    """``/// predict | name``: the question; it holds an `Answer`."""

    NAME = "predict"

    def on_create(self, parent: Element) -> Element:
        """Appends the section."""
        anchor = self.anchor(self.argument)
        return add(parent, "section", "bb-predict", id=anchor.id, aria_label=anchor.label)


class Answer(Shown):
    """``/// answer [| title]``: what a `Predict` asks for, folded."""

    NAME = "answer"
    ARGUMENT = None

    def on_create(self, parent: Element) -> Element:
        """Appends the closed box."""
        return fold(parent, "bb-answer", self.argument or "Answer")

    def on_inline_end(self, block: Element) -> None:
        """Keeps it out of search."""
        seal(block)
