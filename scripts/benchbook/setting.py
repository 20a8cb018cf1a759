"""A setting of pyproject.toml: what a value read from TOML may be. Standard library only."""

import re
from typing import Any

from benchbook.errors import UsageError


def table(value: Any, name: str) -> dict[str, Any]:  # noqa: ANN401  # TOML is any of eight types
    """The value, when it is a table.

    Args:
        value: What stands there.
        name: Its place below ``tool.benchbook``, with a leading dot; empty for that table itself.

    Raises:
        UsageError: It is something else.
    """
    if not isinstance(value, dict):
        shown = " ".join(name.split())
        raise UsageError(
            f"[tool.benchbook{shown}] is no table", path="pyproject.toml", mend="write it as a table"
        )
    return value


def is_text(value: object) -> bool:
    """Whether it is a text."""
    return isinstance(value, str)


def is_words(value: object) -> bool:
    """Whether it is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


def is_pattern(value: object) -> bool:
    """Whether it is a regular expression."""
    try:
        return isinstance(value, str) and re.compile(value) is not None
    except re.error:
        return False
