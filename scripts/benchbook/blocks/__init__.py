"""The Markdown extension: blocks and values that show recorded runs, and blocks that make a reader think.

`guard` looks up all that a page asks for before anything is parsed, so nothing here can fail.
"""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

from markdown import Markdown
from pymdownx.blocks import BlocksExtension, BlocksProcessor

from benchbook.blocks import catalogue, maths
from benchbook.blocks.artefact import Artefact
from benchbook.blocks.cited import Cited
from benchbook.blocks.code import Cell, Starter
from benchbook.blocks.document import project, refusal
from benchbook.blocks.fence import Fences
from benchbook.blocks.fold import Functions, Hint, Plan, Solution
from benchbook.blocks.glossary import Linking
from benchbook.blocks.guard import Leftovers, Scan
from benchbook.blocks.prediction import Answer, Predict
from benchbook.blocks.quiz import Option, Question
from benchbook.blocks.recording import Claim, Figure, Measurements, Output
from benchbook.blocks.reference import References
from benchbook.blocks.showing import Showing
from benchbook.blocks.shown import Maker
from benchbook.blocks.specimen import Specimen
from benchbook.blocks.tally import Tally
from benchbook.blocks.value import Value
from benchbook.errors import PageError
from benchbook.pages.anchor import Anchors
from benchbook.pages.use import Use

BLOCKS = (
    *(Cell, Output, Figure, Measurements, Specimen, Artefact, Claim, Cited),
    *(Predict, Answer, Question, Option),
    *(Hint, Functions, Plan, Starter, Solution),
)


class BenchbookExtension(BlocksExtension):
    """Registers the blocks, the value, the references and the two guards."""

    numbers: Iterator[int]  # these are set by `reset`, which Markdown calls before each page
    anchors: Anchors
    tally: Tally

    def extendMarkdownBlocks(self, md: Markdown, block_mgr: BlocksProcessor) -> None:  # noqa: N802 - pymdownx's name
        """Adds everything to a Markdown instance."""
        md.registerExtension(self)

        def show(use: Use) -> Showing:
            fragment = catalogue.load(project(Path.cwd()), use, path="page")
            return Showing(use, fragment, md, lambda: next(self.numbers))

        def made(take: Callable[[Tally], None]) -> None:
            try:
                take(self.tally)
            except PageError as error:
                raise refusal(md, error) from error

        maker = Maker(
            show, lambda: self.anchors, lambda name, argument: made(lambda tally: tally.make(name, argument))
        )
        for block in BLOCKS:
            block_mgr.register(block, {"maker": maker})
        # Above all others; then below code spans and escapes, above links; then after everything inline.
        md.preprocessors.register(Scan(md, lambda: self.tally), "benchbook_scan", 100)
        value = Value(md, show, lambda use: made(lambda tally: tally.show(use)))
        md.inlinePatterns.register(value, "benchbook_value", 175)
        md.treeprocessors.register(References(md, lambda: self.anchors), "benchbook_references", 18)
        md.treeprocessors.register(Linking(md), "benchbook_terms", 3)  # MkDocs changes addresses at 0
        md.treeprocessors.register(Fences(md), "benchbook_fences", 2)
        md.treeprocessors.register(Leftovers(md, lambda: self.tally), "benchbook_leftovers", 1)
        maths.extend(md)

    def reset(self) -> None:
        """Numbers start anew on each page."""
        self.numbers = itertools.count(1)
        self.anchors = Anchors()
        self.tally = Tally()


def makeExtension(**kwargs: object) -> BenchbookExtension:  # noqa: N802 - the name that Markdown looks for
    """What Markdown calls for the name ``benchbook.blocks``."""
    return BenchbookExtension(**kwargs)
