"""Placing: where a formula or a value can stand; elsewhere Markdown would put HTML into an attribute."""

import re
from collections.abc import Iterator

from benchbook.pages import prose

# A dollar that begins or ends a formula; \x02 and \x03 enclose what was taken out of the text, such as code.
INLINE = re.compile(
    r"(?<![\\$\w])\$(?![\s$])(?P<latex>(?:\\.|[^\\$\x02\x03])+?)(?<!\s)\$(?![$\w])", re.DOTALL
)
RULE = re.compile(r"^[ >]*\|?(?: *:?-+:? *\|)* *(?::?-+:?)? *$", re.MULTILINE)
PARAGRAPH = re.compile(r"^[^\S\n]*\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*", re.MULTILINE)
BARE = re.compile(r"(?<!\\)\|")
NESTED = r"(?:[^\[\]]|\[[^\[\]]*\])*"
# What stands before and behind it, and what it is in then.
FAULTS = (
    (re.compile(r"<[a-zA-Z/][^<>]*$"), re.compile(r"[^<>]*>"), "a tag"),
    (
        re.compile(r"\]\((?:[^()]|\([^()]*\))*$"),
        re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*\)"),
        "a link's target",
    ),
    (re.compile(rf"!\[{NESTED}$"), re.compile(rf"{NESTED}\]"), "the words for an image"),
    (re.compile(r"\{(?::|[^{}\n]*=[\"'])[^{}\n]*$"), re.compile(r"[^{}\n]*\}"), "a list of attributes"),
)
LINK = re.compile(rf"(?<![!\\])\[{NESTED}$"), re.compile(rf"{NESTED}\][(\[]")


def formulas(text: str, masked: str) -> Iterator[tuple[int, int]]:
    """Where the formulas of a page's sentences begin and end; indented code is not told from prose.

    Args:
        text: The whole text.
        masked: The same, from `prose.mask`.
    """
    marked = "".join(seen if seen == whole else "\x02" for seen, whole in zip(masked, text, strict=True))
    for paragraph in PARAGRAPH.finditer(marked):
        parts = (
            re.finditer(r"[^\n]+", paragraph[0])
            if is_table(paragraph[0])
            else [re.match(r"[\s\S]+", paragraph[0])]
        )
        for part in filter(None, parts):
            for match in INLINE.finditer(part[0]):
                start = paragraph.start() + part.start()
                yield start + match.start(), start + match.end()


def is_table(paragraph: str) -> bool:
    """Whether its second line is a table's."""
    lines = paragraph.split("\n", 2)
    return len(lines) > 1 and "|" in lines[1] and "-" in lines[1] and RULE.fullmatch(lines[1]) is not None


def fault(text: str, start: int, end: int, *, is_link: bool = False) -> str:
    """Where a part of a text stands that cannot stand there; empty where it can.

    Args:
        text: A page, or a part of one.
        start: Where it begins.
        end: Where it ends.
        is_link: Whether a link is made of it, as of a value.
    """
    before = re.split(r"\n[ \t]*\n", text[:start])[-1]
    behind = re.split(r"\n[ \t]*\n", text[end:])[0]
    for opening, closing, name in FAULTS:
        if opening.search(before) and closing.match(behind):
            return name
    return "another link" if is_link and LINK[0].search(before) and LINK[1].match(behind) else ""


def problem(text: str, masked: str) -> tuple[int, str, str] | None:
    """The first formula of a page that cannot stand where it does.

    Returns:
        Its offset, what is wrong, and the mend.
    """
    for start, end in formulas(text, masked):
        if place := fault(masked, start, end):
            mend = (
                "move it out of it, and write a dollar that begins no formula as \\$, or code between fences"
            )
            return start, f"the formula {text[start:end]!r} in {place}", mend
    return cut(text, masked)


def cut(text: str, masked: str) -> tuple[int, str, str] | None:
    """The first formula that the cells of a table cut in two; returns what `problem` does."""
    for start, end in formulas(text, masked):
        if BARE.search(text, start, end) and is_table(prose.around(text, start)):
            mend = "write \\vert or \\mid for the |, and a dollar that begins no formula as \\$"
            return start, f"the formula {text[start:end]!r} holds the sign | in a table", mend
    return None
