"""A mapping: names and values as YAML, the form of front matter and of a block's options."""

from typing import Any

import yaml

WRONG = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError)


class MappingError(ValueError):
    """A text that is no such mapping.

    Attributes:
        line: Its 0-based line where that is known, else 0.
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class _Loader(yaml.SafeLoader):
    """YAML without aliases: a few lines of those unfold to more than any memory holds."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuses an alias."""
        if self.check_event(yaml.AliasEvent):
            raise MappingError("an alias, which is not used here", self.line)
        return super().compose_node(parent, index)


def read(text: str) -> dict[Any, Any]:
    """What stands in the text; nothing in one that is empty.

    Raises:
        MappingError: It is not YAML, or no mapping.
    """
    try:
        found = yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader
    except MappingError:
        raise
    except RecursionError as error:
        raise MappingError("nested too deeply", 0) from error
    except WRONG as error:  # PyYAML raises what Python does for a date, a number or a tag that is none
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "it holds a value that is none"
        raise MappingError(" ".join(reason.split()), mark.line if mark else 0) from error
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise MappingError("it holds no names", 0)
    return found
