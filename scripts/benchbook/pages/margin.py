"""The margin: whether a block begins where pymdownx takes it for one, and not for code or quoted text."""

import re

from benchbook.pages.block import error

TAB = 4  # spaces that make a line the content of what stands above it; below nothing, they make it code
# What holds lines that are indented below it: an item, a footnote, an admonition of the older form.
ITEM = re.compile(r"(?:[-*+]|\d+\.) +\S|\[\^[^\]]+\]:")
HOLDER = re.compile(rf"{ITEM.pattern}|(?:!!!|\?\?\?\+?) ")
MEND = "write it at the margin, or in a list below a blank line and with 4 spaces for each item around it"


def check_margin(lines: list[str], number: int, path: str) -> None:
    """Proves that the head of a block stands where a block may begin.

    Args:
        lines: The page's lines, without tabs.
        number: The 1-based line of the head.
        path: The file, as messages spell it.

    Raises:
        PageError: It stands in a block quote, in the first paragraph of a list item or in indented code.
    """
    head = lines[number - 1]
    if head.lstrip().startswith(">"):
        raise error("a block inside a block quote", path, number, "end the quote above it")
    depth, index = _depth(head), number - 1
    while depth:
        index, is_apart = _holder(lines, index, depth)
        if index < 0 or _depth(lines[index]) != depth - 1:
            raise error("a block that is indented like code", path, number, MEND)
        if ITEM.match(lines[index].strip()) and not is_apart:
            raise error("a block in the first paragraph of a list item", path, number, MEND)
        depth -= 1


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip())) // TAB


def _holder(lines: list[str], index: int, depth: int) -> tuple[int, bool]:
    """The index of the line that holds those of a depth, or -1, and whether a blank line is below it."""
    is_apart = False
    while index > 0:
        index -= 1
        line = lines[index]
        is_apart = is_apart or not line.strip()
        if line.strip() and _depth(line) < depth:
            while not HOLDER.match(lines[index].strip()) and index > 0 and lines[index - 1].strip():
                index -= 1  # the first line of a paragraph that goes on without an indent
            return (index, is_apart) if HOLDER.match(lines[index].strip()) else (-1, is_apart)
    return -1, is_apart
