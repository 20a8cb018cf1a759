"""Terms: the first use of each term of the glossary on a page becomes a link that carries its definition.

A link reads ``<a class="bb-term" href="../glossary/#trace" title="..." data-taught="...">``. Generators make
an ``href`` right for the page and for a site below a sub-path, and know no other attribute. So the addresses
in ``data-taught``, a JSON list of [title, address], are relative to the glossary's page: a script resolves
them against the link itself, ``new URL(address, link.href)``, and they are right wherever the link is.

An author who links a word to ``glossary.md#id`` decides for the page: the link is dressed in the same way,
and neither that term nor that word is linked once more.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE as PLACEHOLDER
from markdown.util import AtomicString

from benchbook.blocks import document
from benchbook.blocks.elements import literal
from benchbook.errors import PageError, UsageError
from benchbook.pages.glossary import PAGE
from benchbook.project import Project

Terms = Mapping[str, Mapping[str, Any]]  # by id

PROSE = frozenset({"p", "li", "td", "dd"})
# What is no prose of the page: names, code, figures; and folds, in which a first use would be lost.
NAMES = {"a", "button", "label", "th", *(f"h{level}" for level in range(1, 7))}
PASSED_OVER = frozenset(NAMES | {"code", "details", "figure", "math", "pre"})
OURS = "bb-"
NAME = PAGE.removeprefix("docs/")
QUESTION = "bb-predict"  # the one element of ours whose text is the author's prose
AUTHORED = re.compile(r"(?:^|/)glossary\.md#(?P<id>[\w-]+)$")
LONE_TAG = re.compile(r"</?(?!(?:br|wbr|img|hr)\b)[a-zA-Z][^<>]*>")


@lru_cache(maxsize=8)
def _read(file: Path, _changed: int, _size: int) -> Terms:
    return {term["id"]: term for term in json.loads(file.read_bytes())}


def load(project: Project) -> Terms:
    """The terms that were derived; none where the project has no glossary.

    Raises:
        PageError: There is a glossary, and nothing is derived from it.
    """
    file = project.fragments / "glossary.json"
    try:
        state = file.stat()
    except OSError:
        if not (project.root / PAGE).exists():
            return {}
        raise PageError("nothing is derived for it", path=PAGE, mend="run benchbook build") from None
    return _read(file, state.st_mtime_ns, state.st_size)


class Linking(Treeprocessor):
    """Links the terms of a page, after everything inline and before MkDocs makes addresses relative."""

    def run(self, root: Element) -> None:
        """Changes the tree.

        Raises:
            PageError: The glossary was not derived; as `document.refusal` makes it.
        """
        if document.path(self.md) == NAME:
            return
        try:
            terms = load(document.project(Path.cwd()))
        except UsageError:  # a page outside a project has no glossary
            return
        except PageError as error:
            raise document.refusal(error) from error
        if terms:
            _Page(self.md, terms).link(root)


class _Page:
    """The terms that one page has still to link."""

    def __init__(self, md: Markdown, terms: Terms) -> None:
        self.md = md
        self.terms = terms
        self.open = {form: name for name, term in terms.items() for form in term["forms"]}  # ids by form
        self.pattern = _pattern(tuple(self.open))

    def link(self, root: Element) -> None:
        """Dresses the author's own links, then makes those that are missing."""
        for anchor in root.iter("a"):
            match = AUTHORED.search(anchor.get("href", ""))
            if match and match["id"] in self.terms:
                self.open.pop(self._form("".join(anchor.itertext())), None)
                self._dress(anchor, match["id"])
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
        made: list[Element] = []
        if not text or not prose or isinstance(text, AtomicString):
            return text, made
        places = [0]
        for match in self.pattern.finditer(text):
            name = self.open.get(self._form(match[0]))
            if name is not None:
                anchor = Element("a", {"href": document.link(self.md, f"{NAME}#{name}")})
                anchor.text = match[0]
                self._dress(anchor, name)
                made.append(anchor)
                places += match.span()
        places.append(len(text))
        rests = [text[start:end] for start, end in zip(places[::2], places[1::2], strict=True)]
        for anchor, rest in zip(made, rests[1:], strict=True):
            anchor.tail = rest
        return rests[0], made

    def _dress(self, anchor: Element, name: str) -> None:
        """Makes an anchor a term's, which is then linked no more."""
        term = self.terms[name]
        anchor.set("class", " ".join(["bb-term", *_kinds(anchor)]))
        anchor.set("title", literal(term["summary"]))
        if term["taught"]:
            taught = json.dumps(term["taught"], ensure_ascii=False, separators=(",", ":"))
            anchor.set("data-taught", literal(taught))
        self.open = {form: other for form, other in self.open.items() if other != name}

    def _form(self, text: str) -> str:
        """A word of the page as the glossary spells it; one that begins a sentence has a capital."""
        spelled = " ".join(text.split())
        return spelled if spelled in self.open else spelled[:1].lower() + spelled[1:]


def _kinds(element: Element) -> list[str]:
    return element.get("class", "").split()


def _is_passed_over(element: Element) -> bool:
    ours = [kind for kind in _kinds(element) if kind.startswith(OURS)]
    return element.tag in PASSED_OVER or (bool(ours) and QUESTION not in ours)


@lru_cache(maxsize=8)
def _pattern(forms: tuple[str, ...]) -> re.Pattern[str]:
    """Finds whole words, the longest form first; a hyphen joins words to one."""
    spelled = [re.escape(form).replace("\\ ", r"\s+") for form in sorted(forms, key=len, reverse=True)]
    capital = [f"[{form[0]}{form[0].upper()}]{form[1:]}" if form[0].islower() else form for form in spelled]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(capital)})(?![\w-])")
