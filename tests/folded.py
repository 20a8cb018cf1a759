"""What a page folds away, read from its Markdown by itself: no part of the engine has a say in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FOLDED = frozenset({"answer", "hint", "functions", "plan", "starter", "solution", "option"})
OPENS = re.compile(r"^ *(?P<mark>/{3,}) (?P<kind>\w+)(?: \| *(?P<argument>.*))?$")
CLOSES = re.compile(r"^ *(?P<mark>/{3,})$")
SET = re.compile(r"^ {4,}\w+: ")  # an option of a block
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
VALUE = re.compile(r":value\[[^\]]*\]")


@dataclass(frozen=True)
class Part:
    """A line in a fold, or a block in one.

    Attributes:
        kind: The innermost block that it stands in, or that it is.
        text: The line as written; what stands after the bar of a block.
    """

    kind: str
    text: str


def parts(page: str) -> Iterator[Part]:
    """Everything that stands in a fold of a page, in order."""
    stack: list[tuple[str, str]] = []
    for line in page.splitlines():
        if opened := OPENS.match(line):
            stack.append((opened["mark"], opened["kind"]))
            if _is_folded(stack):
                yield Part(opened["kind"], opened["argument"] or "")
        elif (closed := CLOSES.match(line)) and stack:
            assert closed["mark"] == stack.pop()[0], line
        elif _is_folded(stack) and line.strip() and not SET.match(line):
            yield Part(stack[-1][1], line)


def _is_folded(stack: list[tuple[str, str]]) -> bool:
    return any(kind in FOLDED for _, kind in stack)


def phrases(text: str, *, least: int = 4) -> Iterator[str]:
    """The stretches of a line that a reader sees as they are written, each of so many words at least."""
    for stretch in VALUE.split(LINK.sub(r"\1", text)):
        phrase = words(stretch)
        if len(phrase.split()) >= least:
            yield phrase


def words(text: str) -> str:
    """The words of a text, a space between each, without punctuation and marks of Markdown."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
