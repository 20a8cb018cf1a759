"""The navigation in mkdocs.yml: what it lists, and where a lesson's line goes. People keep that file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchbook.errors import UsageError

FILE = "mkdocs.yml"


@dataclass(frozen=True, slots=True)
class Entry:
    """One page or address of the navigation.

    Attributes:
        path: Below ``docs``, or an address.
        line: The 1-based line in mkdocs.yml.
    """

    path: str
    line: int


def read(root: Path) -> str:
    """The text of mkdocs.yml.

    Raises:
        UsageError: There is none, or it is not UTF-8.
        OSError: It cannot be read.
    """
    try:
        return (root / FILE).read_bytes().decode("utf-8")
    except FileNotFoundError as error:
        raise UsageError("there is no such file", path=FILE, mend="restore it from git") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"not UTF-8: {error.reason}", path=FILE, mend="save it as UTF-8") from error


def entries(text: str) -> list[Entry]:
    """Everything that the navigation lists, in its order.

    Args:
        text: mkdocs.yml; its tags, such as ``!ENV``, are passed over.

    Raises:
        UsageError: It is not YAML.
    """
    return [Entry(node.value, node.start_mark.line + 1) for node in _leaves(_nav(text))]


def add(text: str, slug: str) -> str:
    """The text with a line for the lesson after the last one of its chapter; nothing else changes.

    Raises:
        UsageError: It is not YAML, or the chapter has no list of its own.
    """
    chapter = slug.split("/", maxsplit=1)[0]
    siblings = _siblings(_nav(text), f"{chapter}/", set())
    if siblings is None or siblings.flow_style:
        raise UsageError(
            f"the navigation has no list for {chapter!r}",
            path=FILE,
            mend=f"add an entry with the line '- {chapter}/index.md' below it",
        )
    last = max(_last_line(leaf) for leaf in _leaves(siblings))
    lines, end = text.splitlines(keepends=True), "\r\n" if "\r\n" in text else "\n"
    lines[last] = lines[last] if lines[last].endswith("\n") else lines[last] + end
    lines.insert(last + 1, f"{' ' * siblings.start_mark.column}- {slug}.md{end}")
    return "".join(lines)


def _last_line(leaf: yaml.ScalarNode) -> int:
    """The 0-based line that ends it; a text of several lines ends where the next one begins."""
    mark = leaf.end_mark
    return mark.line - 1 if mark.line and not mark.column else mark.line


def _nav(text: str) -> yaml.Node | None:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)  # nodes only: no tag is looked up, nothing is built
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        raise UsageError("not valid YAML", path=FILE, line=line, mend="correct that line") from error
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    return next((value for key, value in pairs if key.value == "nav"), None)


def _leaves(root: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Every page below a node, each once: by its aliases YAML can hold a list in itself."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            yield node
        elif isinstance(node, yaml.SequenceNode):
            waiting += reversed(node.value)
        elif isinstance(node, yaml.MappingNode):
            waiting += reversed([value for _, value in node.value])


def _siblings(node: yaml.Node | None, prefix: str, seen: set[int]) -> yaml.SequenceNode | None:
    """The innermost list that holds a page below ``prefix``; ``seen`` takes what was looked at."""
    if id(node) in seen:
        return None
    seen.add(id(node))
    within = node.value if isinstance(node, yaml.SequenceNode) else []
    if isinstance(node, yaml.MappingNode):
        within = [value for _, value in node.value]
    for inner in within:
        found = _siblings(inner, prefix, seen)
        if found is not None:
            return found
    if isinstance(node, yaml.SequenceNode) and any(leaf.value.startswith(prefix) for leaf in _leaves(node)):
        return node
    return None
