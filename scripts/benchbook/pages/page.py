"""A page: one hand-written Markdown file, and what it asks of runs. Light: the blocks import it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchbook.errors import PageError
from benchbook.pages import directive, mapping, placing, prose
from benchbook.pages.anchor import OF_BLOCK, Anchors
from benchbook.pages.block import Block
from benchbook.pages.grammar import SELECTOR
from benchbook.pages.mapping import MappingError
from benchbook.pages.use import Use
from benchbook.project import SLUG, Project

VALUE = ":value["
LARGEST = 128 * 1024  # characters: patterns read a page several times over
EMPTY_LINK = re.compile(r"(?<![!\\])\[(?P<text>\s*)\]\((?P<target>[^)]*)\)")


@dataclass(frozen=True, slots=True)
class Page:
    """A scanned page.

    Attributes:
        path: The file, as messages spell it.
        front: The front matter.
        uses: What the page asks for, in the order of its lines.
        text: The whole file.
        blocks: Name, argument and line of every block of ours.
    """

    path: str
    front: Mapping[str, Any]
    uses: tuple[Use, ...]
    text: str
    blocks: tuple[tuple[str, str, int], ...] = ()


def scan(text: str, *, path: str) -> Page:
    """Finds every block and value of a page; code, comments and raw HTML are left out.

    Raises:
        PageError: An unknown block, one that is not closed, wrong options, a value that is not well formed.
    """
    if len(text) > LARGEST:
        raise PageError(
            f"a page of {len(text)} characters", path=path, mend=f"use at most {LARGEST}: split it"
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)  # lines as MkDocs counts them
    masked = prose.mask(text)
    fence = prose.OPEN_FENCE.search(masked)
    if fence:
        line = prose.line_of(text, fence.start())
        raise PageError(
            "a code fence that is not closed", path=path, line=line, mend="close it, alike and alone"
        )
    blocks: list[Block] = []
    uses = [*directive.scan(text, masked, path=path, found=blocks), *_values(text, masked, path)]
    misplaced = placing.problem(text, masked)
    if misplaced:
        offset, message, mend = misplaced
        raise PageError(message, path=path, line=prose.line_of(text, offset), mend=mend)
    uses.sort(key=lambda use: use.line)
    _check_references(text, masked, uses, path)
    heads = tuple((block.name, " ".join(block.argument.split()), block.line) for block in blocks)
    return Page(path, _front(text, path), tuple(uses), text, heads)


def _check_references(text: str, masked: str, uses: list[Use], path: str) -> None:
    """An empty link, which is filled with a number, leads to a figure or a listing of this page."""
    anchors = Anchors()
    for use in uses:
        if use.kind in OF_BLOCK:
            anchors.take(use.kind, use.name)
    for match in EMPTY_LINK.finditer(masked):
        if text[slice(*match.span("text"))].strip():  # code, which the mask hides
            continue
        if match["target"] not in (known := [f"#{name}" for name in anchors.by_id]):
            raise PageError(
                f"the empty link {' '.join(match[0].split())} leads to no figure and no listing",
                path=path,
                line=prose.line_of(text, match.start()),
                mend=f"write its text, or one of: {', '.join(known)}" if known else "write its text",
            )


def _front(text: str, path: str) -> Mapping[str, Any]:
    match = prose.FRONT.match(text)
    try:
        return mapping.read(match["yaml"]) if match else {}
    except MappingError as error:
        raise PageError(
            f"its front matter is not YAML: {error}",
            path=path,
            line=2 + error.line,
            mend="write 'title: ...'",
        ) from error


def _values(text: str, masked: str, path: str) -> Iterator[Use]:
    for offset, content in prose.brackets(text, masked, VALUE):
        line = prose.line_of(text, offset)
        end = offset + len(VALUE) + len(content or "") + 1
        if content is not None and (place := placing.fault(masked, offset, end, is_link=True)):
            message = f"a value in {place}"
            raise PageError(message, path=path, line=line, mend="write it into the sentence, outside of it")
        yield value(content, path=path, line=line)


def value(content: str | None, *, path: str, line: int) -> Use:
    """What stands inside the brackets of ``:value[...]``, as a use.

    Args:
        content: The text, or ``None`` where the bracket is not closed.
        path: The file, as messages spell it.
        line: The line of the use.

    Raises:
        PageError: It is no slug and expression.
    """
    where, _, expression = " ".join((content or "").split()).partition(" ")
    slug, at, selector = where.partition("@")
    named = SLUG.fullmatch(slug) and (not at or SELECTOR.fullmatch(selector))
    if not named or not expression:
        problem = "its paragraph does not close it" if content is None else f"not in {content!r}"
        mend = f"write {VALUE}chapter/lesson expression]"
        raise PageError(
            f"{VALUE}...] needs a slug and an expression: {problem}", path=path, line=line, mend=mend
        )
    return Use("value", f"{slug} {expression}", {"run": selector or "cpu"}, "", line)


def load(project: Project, path: Path) -> Page:
    """Reads and scans one page.

    Raises:
        PageError: As `scan`, or the file cannot be read or is not UTF-8.
    """
    shown = project.relative(path)
    try:
        return scan(path.read_bytes().decode("utf-8-sig"), path=shown)  # without a mark, as MkDocs reads it
    except OSError as error:  # a link that leads nowhere, a file that nobody may read
        message = f"cannot be read: {error.strerror}"
        raise PageError(message, path=shown, mend="make it a file that can be read, or remove it") from error
    except UnicodeDecodeError as error:
        raise PageError(f"not UTF-8: {error.reason}", path=shown, mend="save it as UTF-8") from error


def pages(project: Project) -> list[Page]:
    """Every hand-written page, by path."""
    return [load(project, path) for path in project.pages()]
