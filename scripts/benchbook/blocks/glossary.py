"""Terms: the first use of each term of the glossary on a page becomes a link to its entry.

A link reads ``<a class="bb-term" href="../glossary/#trace">`` and carries no definition: a lesson
links to two dozen terms, and their texts were a kilobyte of its compressed page. Where a script runs, it
shows beside the link what the entry says, read from the glossary's own page.

An author who links a word to ``glossary.md#id`` decides for the page: the link is dressed in the same way,
and neither that term is linked once more, nor the one that the word would lead to otherwise.
"""

import re
from pathlib import Path
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE as PLACEHOLDER
from markdown.util import AtomicString

from benchbook.blocks import document, vocabulary
from benchbook.blocks.vocabulary import Vocabulary
from benchbook.errors import PageError, UsageError
from benchbook.pages.glossary import PAGE

NAME = PAGE.removeprefix("docs/")
PROSE = frozenset({"p", "li", "td", "dd"})
# What is no prose of the page: names, code, figures; and folds, in which a first use would be lost.
NAMES = {"a", "button", "label", "th", *(f"h{level}" for level in range(1, 7))}
PASSED_OVER = frozenset(NAMES | {"code", "details", "figure", "math", "pre"})
OURS = "bb-"
QUESTION = "bb-predict"  # the one element of ours whose text is the author's prose
AUTHORED = re.compile(r"(?:^|/)glossary\.md#(?P<id>[\w-]+)$")
LONE_TAG = re.compile(r"</?(?!(?:br|wbr|img|hr)\b)[a-zA-Z][^<>]*>")


class Linking(Treeprocessor):
    """Links the terms of a page, after everything inline and before addresses are made relative."""

    def run(self, root: Element) -> None:
        """Changes the tree.

        Raises:
            PageError: The glossary was not derived; as `document.refusal` makes it.
        """
        if document.path(self.md) == NAME:
            return
        try:
            terms = vocabulary.load(document.project(Path.cwd()))
        except UsageError:  # a page outside a project has no glossary
            return
        except PageError as error:
            raise document.refusal(self.md, error) from error
        if terms:
            _Page(self.md, Vocabulary(terms)).link(root)


class _Page:
    """One page, and the words that it has still to link."""

    def __init__(self, md: Markdown, words: Vocabulary) -> None:
        self.md = md
        self.words = words

    def link(self, root: Element) -> None:
        """Dresses the author's own links, then makes those that are missing."""
        for anchor in root.iter("a"):
            match = AUTHORED.search(anchor.get("href", ""))
            if match and match["id"] in self.words.terms:
                _dress(anchor)
                self.words.close(match["id"], "".join(anchor.itertext()))
        self._walk(root, prose=False)

    def _walk(self, element: Element, *, prose: bool) -> None:
        """In the order of the page, so that the first use is the one that is linked."""
        if element.tag in PROSE:
            prose = not self._holds_tags(element)
        element.text, rebuilt = self._split(element.text, prose=prose)
        for number, child in enumerate(list(element)):
            is_name = element.tag == "tr" and number == 0  # the first cell says what its row is about
            if not is_name and not _is_passed_over(child):
                self._walk(child, prose=prose)
            child.tail, made = self._split(child.tail, prose=prose)
            rebuilt += [child, *made]
        element[:] = rebuilt

    def _holds_tags(self, element: Element) -> bool:
        """Whether raw tags stand in the text: what lies between two of them is not ours to change."""
        stashed = self.md.htmlStash.rawHtmlBlocks
        numbers = (int(match[1]) for text in element.itertext() for match in PLACEHOLDER.finditer(text))
        return any(LONE_TAG.fullmatch(str(stashed[number]).strip()) for number in numbers)

    def _split(self, text: str | None, *, prose: bool) -> tuple[str | None, list[Element]]:
        """What stands before the first link, and the links, each with the text after it as its tail."""
        if not text or not prose or isinstance(text, AtomicString):
            return text, []
        made, places = [], [0]
        for match, term in self.words.take(text):
            anchor = Element("a", {"href": document.link(self.md, f"{NAME}#{term['id']}")})
            anchor.text = match[0]
            made.append(_dress(anchor))
            places += match.span()
        places.append(len(text))
        rests = [text[start:end] for start, end in zip(places[::2], places[1::2], strict=True)]
        for anchor, rest in zip(made, rests[1:], strict=True):
            anchor.tail = rest
        return rests[0], made


def _dress(anchor: Element) -> Element:
    """Makes an anchor a term's."""
    anchor.set("class", " ".join(["bb-term", *_kinds(anchor)]))
    return anchor


def _kinds(element: Element) -> list[str]:
    return element.get("class", "").split()


def _is_passed_over(element: Element) -> bool:
    ours = [kind for kind in _kinds(element) if kind.startswith(OURS)]
    return element.tag in PASSED_OVER or (bool(ours) and QUESTION not in ours)
