"""Ordinary blocks: pymdownx's own, which stay text in silence where an option is not what it wants."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from benchbook.pages.block import Block, error
from benchbook.pages.grammar import ATTRIBUTES, MODES, NEEDS_ARGUMENT, ORDINARY, SWITCH, WORD

IS: Mapping[str, Callable[[Any], bool]] = {
    SWITCH: lambda content: isinstance(content, bool),
    WORD: lambda content: isinstance(content, str) and re.fullmatch(r"[a-zA-Z][\w-]*", content) is not None,
    ATTRIBUTES: lambda content: isinstance(content, dict) and all(map(_is_attribute, content.items())),
    MODES: lambda content: isinstance(content, str) and content in MODES.replace(",", "").split()[2:],
}


def check_ordinary(block: Block, path: str) -> None:
    """Proves that pymdownx takes a block with its argument and its options.

    Raises:
        PageError: An option that there is not, or one of a wrong kind; an argument that lacks or is wrong.
    """
    known = ORDINARY[block.name]
    for option, content in block.options.items():
        if option not in known:
            message = f"{block} has the option {option!r}"
            raise error(message, path, block.line, f"known: {', '.join(sorted(known))}")
        if not IS[known[option]](content):
            message = f"{block} has the option {option}: {content!r}"
            raise error(message, path, block.line, f"write {known[option]}")
    pattern = NEEDS_ARGUMENT.get(block.name)
    if pattern and not pattern.fullmatch(block.argument):
        message = (
            f"{block} has the argument {block.argument!r}" if block.argument else f"{block} has no argument"
        )
        raise error(message, path, block.line, f"write '/// {block.name} | ...'")


def _is_attribute(pair: tuple[object, object]) -> bool:
    name, content = pair
    return (
        isinstance(name, str)
        and isinstance(content, str)
        and re.fullmatch(r"[a-zA-Z][\w-]*", name) is not None
    )
