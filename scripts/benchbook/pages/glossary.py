"""The glossary: a hand-written page of terms, each a heading, a definition and the lessons that teach it.

A term is written so that the page reads as it stands, without hover or script::

    ### trace {: #trace data-also="traces, traced" }

    To run a Python function once with stand-ins for its arrays, and to write down the operations.
    Any further sentence.

    Taught in [Compile](jit/compile.md#the-idea).

``data-also`` adds forms in which other pages may use the term; ``data-only`` takes the place of the heading's
own words, for a term that is an everyday word as well. The first line of the definition is what a link shows.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchbook.errors import PageError
from benchbook.pages import prose

PAGE = "docs/glossary.md"
SUMMARY = 140  # characters: it is read beside a sentence
HEADING = re.compile(r"###[ \t]+(?P<name>[^{# \t][^{#]*)(?:\{:(?P<attributes>[^}]*)\})?")
THIRD = re.compile(r"###(?!#)")  # Markdown wants no space after it
ATTRIBUTE = re.compile(r"""\s*(?:\#(?P<id>[a-z][a-z0-9-]*)|(?P<key>[\w-]+)="(?P<value>[^"]*)")(?=\s|$)""")
KNOWN = ("data-also", "data-only")
TAUGHT = "Taught in "
LINK = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)")
MARKS = re.compile(r"[`*]+|\[\^[^\]]+\]")


@dataclass(frozen=True, slots=True)
class Teaching:
    """A place that teaches a term.

    Attributes:
        title: What its link says.
        target: The page below ``docs/``, with an anchor or none.
    """

    title: str
    target: str

    @property
    def path(self) -> str:
        """The page, without an anchor."""
        return self.target.partition("#")[0]


@dataclass(frozen=True, slots=True)
class Term:
    """One term.

    Attributes:
        id: Its anchor on the glossary's page.
        name: As its heading spells it.
        forms: What links to it where a page uses it.
        summary: The first sentence of its definition, as text.
        taught: Where it is taught.
        line: The 1-based line of its heading.
    """

    id: str
    name: str
    forms: tuple[str, ...]
    summary: str
    taught: tuple[Teaching, ...]
    line: int


def parse(text: str, *, path: str = PAGE) -> list[Term]:
    """The terms of a glossary, in the order of its lines.

    Args:
        text: The whole page.
        path: The file, as messages spell it.

    Raises:
        PageError: A heading that is no term, a term that is there twice or has no definition.
    """
    terms = [_term(head, number, body, path) for number, head, body in _entries(text.replace("\r\n", "\n"))]
    known: dict[str, Term] = {}
    for term in terms:
        for spelled in (f"#{term.id}", *(form.casefold() for form in term.forms)):
            if spelled in known:
                message = f"{spelled!r} is a term already, on line {known[spelled].line}"
                raise PageError(message, path=path, line=term.line, mend="remove one, or write data-only")
            known[spelled] = term
    return terms


def _entries(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Number, heading and the lines below it of every third-level heading; a # in code is none."""
    lines, seen = text.split("\n"), prose.mask(text).split("\n")
    starts = [number for number, line in enumerate(seen) if line.startswith("#")] + [len(lines)]
    for start, end in itertools.pairwise(starts):
        if THIRD.match(lines[start]):
            yield start + 1, lines[start], lines[start + 1 : end]


def _term(head: str, line: int, body: list[str], path: str) -> Term:
    match = HEADING.fullmatch(head.rstrip(" \t"))
    if match is None:
        raise PageError(f"{head!r} is no term", path=path, line=line, mend="write '### name {: #id }'")
    name = match["name"].rstrip(" \t")
    identity, options = _attributes(name, match["attributes"] or "", line, path)
    paragraphs = [part.strip() for part in "\n".join(body).split("\n\n") if part.strip()]
    begun = bool(paragraphs) and not paragraphs[0].startswith(TAUGHT)
    summary = plain(paragraphs[0].split("\n", 1)[0]) if begun else ""
    if not summary:
        raise PageError(
            f"{name!r} has no definition", path=path, line=line, mend="write a sentence below its heading"
        )
    if len(summary) > SUMMARY:
        message = f"the first line of {name!r} has {len(summary)} characters, and links show {SUMMARY}"
        raise PageError(message, path=path, line=line, mend="make it one short sentence")
    own = _words(options["data-only"]) if "data-only" in options else (name,)
    forms = (*own, *_words(options.get("data-also", "")))
    return Term(identity, name, forms, summary, _taught(name, paragraphs, line, path), line)


def _attributes(name: str, text: str, line: int, path: str) -> tuple[str, Mapping[str, str]]:
    identity, options, rest = "", dict[str, str](), text.strip()
    while rest:
        match = ATTRIBUTE.match(rest)
        if match is None or (match["key"] and match["key"] not in KNOWN):
            mend = f"known: #id, {', '.join(f'{key}="..."' for key in KNOWN)}"
            raise PageError(f"{name!r} has the attribute {rest!r}", path=path, line=line, mend=mend)
        identity = match["id"] or identity
        if match["key"]:
            options[match["key"]] = match["value"]
        rest = rest[match.end() :].strip()
    if not identity:
        raise PageError(
            f"the term {name!r} has no anchor", path=path, line=line, mend=f"write '### {name} {{: #id }}'"
        )
    return identity, options


def _words(listed: str) -> tuple[str, ...]:
    return tuple(" ".join(form.split()) for form in listed.split(",") if form.strip())


def _taught(name: str, paragraphs: list[str], line: int, path: str) -> tuple[Teaching, ...]:
    """The links of the paragraph that says where a term is taught; none where no paragraph does."""
    for paragraph in paragraphs:
        if paragraph.startswith(TAUGHT):
            links = tuple(Teaching(plain(link["text"]), link["target"]) for link in LINK.finditer(paragraph))
            if not links:
                mend = f"write '{TAUGHT}[title](chapter/lesson.md)', or leave the line out"
                raise PageError(f"{name!r} is taught nowhere", path=path, line=line, mend=mend)
            return links
    return ()


def plain(markdown: str) -> str:
    """A sentence without its links, emphasis, code marks and footnotes."""
    return " ".join(MARKS.sub("", LINK.sub(r"\g<text>", markdown)).split())
