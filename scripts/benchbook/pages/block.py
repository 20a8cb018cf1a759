"""A block: the head ``/// name | argument`` with the options below it, opened and closed."""

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchbook.errors import PageError
from benchbook.pages import mapping
from benchbook.pages.grammar import ADMONITIONS, KNOWN
from benchbook.pages.mapping import MappingError

OPTION = re.compile(r"^[\w-]+(?= *:)", re.MULTILINE)
HEAD = re.compile(r" *(?P<name>[\w-]+) *(?:\| *(?P<argument>.*))?")


@dataclass(frozen=True, slots=True)
class Block:
    """A block.

    Attributes:
        length: How many slashes open it; as many close it.
        name: Its name, in small letters.
        argument: The words after the bar.
        options: As YAML reads them.
        line: The 1-based line of its head.
        body: The index of the line after its options.
        inner: The blocks right in it, once they are closed, each with the number of its last line.
    """

    length: int
    name: str
    argument: str
    options: Mapping[str, Any]
    line: int
    body: int
    inner: list[tuple["Block", int]] = field(default_factory=list)

    def __str__(self) -> str:
        """As errors name it."""
        return f"'/// {self.name}'"


def opened(lines: list[str], number: int, length: int, path: str) -> Block:
    """The block whose head is line ``number``.

    Args:
        lines: The page's lines.
        number: The 1-based line.
        length: How many slashes stand there.
        path: The file, as messages spell it.

    Raises:
        PageError: It is no block that there is, or its options are not YAML.
    """
    rest = lines[number - 1].strip(" >")[length:].rstrip()
    head = HEAD.fullmatch(rest)
    name = head["name"].lower() if head else ""
    if head is None or name not in KNOWN:
        mend = f"known: {', '.join(KNOWN)}"
        if name in ADMONITIONS:
            mend = f"write '/// admonition | title' with the option 'type: {name}'"
        raise error(f"'///{rest}' is no block", path, number, mend)
    options, end = _options(lines, number, path)
    return Block(length, name, head["argument"] or "", options, number, end)


def closed(stack: list[Block], length: int, number: int, path: str) -> Block:
    """Takes the block that a line of slashes closes off the stack.

    Raises:
        PageError: It closes none, or another than the last one.
    """
    if not stack:
        raise error("a /// that closes nothing", path, number, "remove it, or name the block")
    block = stack.pop()
    if block.length != length:
        mend = f"close '/// {block.name}' of line {block.line} with {'/' * block.length} first"
        raise error("a /// that closes no open block of its length", path, number, mend)
    return block


def _options(lines: list[str], number: int, path: str) -> tuple[Mapping[str, Any], int]:
    """The indented lines after the head of line ``number``, and the index of the line after them."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    end = number
    while end < len(lines) and lines[end].strip() and lines[end].startswith(" " * (indent + 4)):
        end += 1
    text = textwrap.dedent("\n".join(lines[number:end]))
    try:
        options = mapping.read(text)
    except MappingError:
        mend = "write 'name: text', and quote a text that holds ': ' or starts with a sign"
        raise error("its options are not YAML", path, number + 1, mend) from None
    names = OPTION.findall(text)
    for name in names:
        if names.count(name) > 1:
            raise error(f"the option {name!r} stands there twice", path, number + 1, "keep one of them")
    return options, end


def error(message: str, path: str, line: int, mend: str) -> PageError:
    """An error of a page at a line."""
    return PageError(message, path=path, line=line, mend=mend)
