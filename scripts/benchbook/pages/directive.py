"""Directives: the ``/// name | argument`` blocks of a page; pymdownx drops a wrong one in silence."""

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from benchbook.errors import PageError
from benchbook.project import SLUG

MARK = re.compile(r"[ \t>]*(?P<slashes>/{3,})(?P<rest>.*)")
HEAD = re.compile(r" *(?P<name>[\w-]+) *(?:\| *(?P<argument>.*?) *)?")
SELECTOR = re.compile(r"[a-z][a-z0-9-]*(?:-[0-9][0-9A-Za-z.+!]*)?")


@dataclass(frozen=True, slots=True)
class Use:
    """One thing that a page asks for.

    Attributes:
        kind: cell, starter, output, figure, measurements, claim or value.
        argument: The words after the bar: a slug, and a cell or an expression.
        options: The options as text; a value always has ``run``.
        body: The text inside the block: a caption, or a claim's sentence.
        line: The 1-based line on which it starts.
    """

    kind: str
    argument: str
    options: Mapping[str, str]
    body: str
    line: int

    @property
    def slug(self) -> str:
        """The lesson."""
        return self.argument.split(" ", 1)[0]

    @property
    def name(self) -> str:
        """The cell, or a value's expression; empty for the whole lesson."""
        return self.argument.partition(" ")[2]

    @property
    def run(self) -> str | None:
        """The one run asked for: a backend, or a backend and a JAX version as in ``cpu-0.9.2``."""
        return self.options.get("run")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a block of ours must look like.

    Attributes:
        words: How many words its argument may have, at least and at most.
        required: Options that it must have.
        optional: Options that it may have.
        body: What its text is; empty where it has none.
    """

    words: tuple[int, int]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    body: str = ""


RULES = {
    "cell": Rule((1, 2)),
    "starter": Rule((2, 2)),
    "output": Rule((1, 2), optional=("run",)),
    "figure": Rule((2, 2), required=("alt",), optional=("run",), body="the caption"),
    "measurements": Rule((1, 1), optional=("run",)),
    "claim": Rule((1, 1), required=("holds",), optional=("run",), body="the sentence"),
}
# pymdownx's own blocks and their options; `attrs` goes with each.
ORDINARY: Mapping[str, frozenset[str]] = {
    "admonition": frozenset({"type", "attrs"}),
    "details": frozenset({"open", "type", "attrs"}),
    "tab": frozenset({"new", "select", "attrs"}),
    "html": frozenset({"markdown", "attrs"}),
    "caption": frozenset({"attrs"}),
    "figure-caption": frozenset({"attrs"}),
    "table-caption": frozenset({"attrs"}),
    "define": frozenset({"attrs"}),
}
KNOWN = (*RULES, *ORDINARY)
NEEDS_ARGUMENT = frozenset({"tab", "html"})
ADMONITIONS = (
    "note",
    "attention",
    "caution",
    "danger",
    "error",
    "tip",
    "hint",
    "warning",
    "important",
    "question",
)


@dataclass(frozen=True, slots=True)
class _Open:
    length: int
    name: str
    argument: str
    options: Mapping[str, Any]
    line: int
    body: int


def scan(text: str, masked: str, *, path: str) -> Iterator[Use]:
    """Every block of ours; pymdownx's own are checked and passed over.

    Args:
        text: The page, without tabs.
        masked: The same, from `prose.mask`.
        path: The file, as messages spell it.

    Raises:
        PageError: With the line and the mend.
    """
    lines, stack = text.split("\n"), list[_Open]()
    for number, line in enumerate(masked.split("\n"), start=1):
        match = MARK.fullmatch(line)
        if match is None:
            continue
        length, rest = len(match["slashes"]), match["rest"].rstrip()
        if rest:
            _check_length(length, stack, number, path)
            stack.append(_opened(lines, number, length, path))
        else:
            block = _closed(stack, length, number, path)
            if block.name in RULES:
                yield _use(block, lines[block.body : number - 1], path)
    if stack:
        block = stack[-1]
        raise _error(
            f"'/// {block.name}' is not closed", path, block.line, f"end it with {'/' * block.length}"
        )


def _error(message: str, path: str, line: int, mend: str) -> PageError:
    return PageError(message, path=path, line=line, mend=mend)


def _check_length(length: int, stack: list[_Open], number: int, path: str) -> None:
    if any(block.length == length for block in stack):
        raise _error("a block inside one with as many slashes", path, number, "give the inner one another /")


def _opened(lines: list[str], number: int, length: int, path: str) -> _Open:
    rest = lines[number - 1].strip(" >")[length:].rstrip()
    head = HEAD.fullmatch(rest)
    name = head["name"].lower() if head else ""
    if head is None or name not in KNOWN:
        mend = f"known: {', '.join(KNOWN)}"
        if name in ADMONITIONS:
            mend = f"write '/// admonition | title' with the option 'type: {name}'"
        raise _error(f"'///{rest}' is no block", path, number, mend)
    options, end = _options(lines, number, path)
    block = _Open(length, name, head["argument"] or "", options, number, end)
    if name in ORDINARY:
        _check_ordinary(block, path)
    return block


def _closed(stack: list[_Open], length: int, number: int, path: str) -> _Open:
    if not stack:
        raise _error("a /// that closes nothing", path, number, "remove it, or name the block")
    block = stack.pop()
    if block.length != length:
        mend = f"close '/// {block.name}' of line {block.line} with {'/' * block.length} first"
        raise _error("a /// that closes no open block of its length", path, number, mend)
    return block


def _options(lines: list[str], number: int, path: str) -> tuple[Mapping[str, Any], int]:
    """The indented lines after the head of line ``number``, and the index of the line after them."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    end = number
    while end < len(lines) and lines[end].strip() and lines[end].startswith(" " * (indent + 4)):
        end += 1
    try:
        options = yaml.safe_load(textwrap.dedent("\n".join(lines[number:end]))) or {}
    except yaml.YAMLError:
        options = None
    if not isinstance(options, dict):
        mend = "write 'name: text', and quote a text that holds ': ' or starts with a sign"
        raise _error("its options are not YAML", path, number + 1, mend)
    return options, end


def _check_ordinary(block: _Open, path: str) -> None:
    unknown = sorted(set(block.options) - ORDINARY[block.name])
    if unknown:
        known = ", ".join(sorted(ORDINARY[block.name]))
        raise _error(f"'/// {block.name}' has the option {unknown[0]!r}", path, block.line, f"known: {known}")
    if block.name in NEEDS_ARGUMENT and not block.argument:
        raise _error(
            f"'/// {block.name}' has no argument", path, block.line, f"write '/// {block.name} | ...'"
        )


def _use(block: _Open, body: list[str], path: str) -> Use:
    rule, where = RULES[block.name], f"'/// {block.name}'"
    words = block.argument.split()
    if not rule.words[0] <= len(words) <= rule.words[1] or not SLUG.fullmatch(words[0]):
        mend = f"write '/// {block.name} | chapter/lesson{' name' if rule.words[1] > 1 else ''}'"
        raise _error(f"{where} has the argument {block.argument!r}", path, block.line, mend)
    _check_options(block, rule, path)
    text = textwrap.dedent("\n".join(body)).strip()
    if bool(text) != bool(rule.body):
        mend = f"write {rule.body} before its end" if rule.body else "end it right after its options"
        raise _error(f"{where} has {'a' if text else 'no'} text", path, block.line, mend)
    return Use(block.name, " ".join(words), dict(block.options), text, block.line)


def _check_options(block: _Open, rule: Rule, path: str) -> None:
    known = (*rule.required, *rule.optional)
    for option, content in block.options.items():
        if option not in known or not isinstance(content, str) or not content.strip():
            mend = f"known: {', '.join(known) or 'none'}; as text, quoted where YAML reads something else"
            raise _error(f"'/// {block.name}' has the option {option}: {content!r}", path, block.line, mend)
        if ":value[" in content:
            raise _error("a value in an option", path, block.line, "values stand in text only")
        if option == "run" and not SELECTOR.fullmatch(content):
            raise _error(f"run: {content}", path, block.line, "write a backend, or one and a JAX: cpu-0.9.2")
    for option in rule.required:
        if option not in block.options:
            mend = f"write '    {option}: ...' on the line after it"
            raise _error(f"'/// {block.name}' lacks {option}", path, block.line, mend)
