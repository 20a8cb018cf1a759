"""Prose: the parts of a Markdown text that are neither code, comment nor raw HTML. Standard library only."""

import re
from collections.abc import Iterator

FRONT = re.compile(r"\A---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
# One alternative each: a closed fence, a comment, raw elements that Markdown leaves alone, a code span.
HIDDEN = re.compile(
    r"""
    ^[ \t>]*(?P<fence>`{3,}|~{3,})[^`\n]*\n(?:[^\n]*\n)*?[ \t>]*(?P=fence)[ \t]*$
    | <!--.*?-->
    | <(?P<raw>pre|script|style|textarea)\b.*?</(?P=raw)>
    | (?<![\\`])(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*(?:\n|/{3,})).)+?(?<!`)(?P=ticks)(?!`)
    """,
    re.MULTILINE | re.DOTALL | re.VERBOSE,
)
OPEN_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})", re.MULTILINE)
# What is there and shows nothing: comments, and the targets of links and footnotes that stand elsewhere.
SILENT = re.compile(r"<!--[\s\S]*?-->|^ {0,3}\[[^\]\n]+\]:.*(?:\n+[ \t]+\S.*)*", re.MULTILINE)
# A link with words that leads to another site, or such an address alone; no image.
SOURCE = re.compile(r"(?<![!\\])\[(?:[^\[\]]|\[[^\[\]]*\])+\]\(\s*<?https?://\S|<https?://\S+>")
BLANK_LINE = re.compile(r"\n[ \t]*\n")


def mask(text: str) -> str:
    """The text with everything that is not prose turned to spaces, newlines kept, so that offsets agree."""
    return HIDDEN.sub(_blank, FRONT.sub(_blank, text, count=1))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def shows(text: str) -> bool:
    """Whether a reader sees anything of it."""
    return bool(SILENT.sub("", text).strip())


def cites(text: str) -> bool:
    """Whether it holds a link to another site, where a reader can look up what it says."""
    return SOURCE.search(mask(text)) is not None


def line_of(text: str, offset: int) -> int:
    """The 1-based line that holds an offset."""
    return text.count("\n", 0, offset) + 1


def around(text: str, offset: int) -> str:
    """The paragraph that holds an offset."""
    start = max((match.end() for match in BLANK_LINE.finditer(text, 0, offset)), default=0)
    end = BLANK_LINE.search(text, offset)
    return text[start : end.start() if end else len(text)].strip("\n")


def brackets(text: str, masked: str, opening: str) -> Iterator[tuple[int, str | None]]:
    """Every ``opening`` in the prose, which ends in ``[``, with what stands inside its brackets.

    Args:
        text: The whole text.
        masked: The same, from `mask`.
        opening: For example ``:value[``.

    Yields:
        The offset of the opening, and the text inside; ``None`` where the paragraph ends before the bracket.
    """
    offset = masked.find(opening)
    while offset >= 0:
        start = offset + len(opening)
        end = closing(text, start)
        yield offset, None if end is None else text[start:end]
        offset = masked.find(opening, start if end is None else end)


def closing(text: str, start: int) -> int | None:
    """The offset of the ``]`` that closes a bracket opened just before ``start``, in the same paragraph.

    Brackets nest, and those inside quotes do not count.
    """
    blank = BLANK_LINE.search(text, start)
    depth, quote = 1, ""
    for offset in range(start, len(text) if blank is None else blank.start()):
        character = text[offset]
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "[]":
            depth += 1 if character == "[" else -1
            if not depth:
                return offset
    return None
