"""Directives: the ``/// name | argument`` blocks of a page; pymdownx drops a wrong one in silence."""

import re
import textwrap
from collections.abc import Iterator

from benchbook.pages.block import Block, closed, error, opened
from benchbook.pages.grammar import NEEDS_ARGUMENT, ORDINARY, RULES, SELECTOR, Rule
from benchbook.pages.use import Use
from benchbook.project import SLUG

MARK = re.compile(r"[ \t>]*(?P<slashes>/{3,})(?P<rest>.*)")


def scan(text: str, masked: str, *, path: str) -> Iterator[Use]:
    """Every block of ours; pymdownx's own are checked and passed over.

    Args:
        text: The page, without tabs.
        masked: The same, from `prose.mask`.
        path: The file, as messages spell it.

    Raises:
        PageError: With the line and the mend.
    """
    lines, stack = text.split("\n"), list[Block]()
    for number, line in enumerate(masked.split("\n"), start=1):
        match = MARK.fullmatch(line)
        if match is None:
            continue
        length, rest = len(match["slashes"]), match["rest"].rstrip()
        if rest:
            _check_length(length, stack, number, path)
            block = opened(lines, number, length, path)
            if block.name in ORDINARY:
                _check_ordinary(block, path)
            stack.append(block)
        else:
            block = closed(stack, length, number, path)
            if block.name in RULES:
                yield _use(block, lines[block.body : number - 1], path)
    if stack:
        block = stack[-1]
        raise error(
            f"'/// {block.name}' is not closed", path, block.line, f"end it with {'/' * block.length}"
        )


def _check_length(length: int, stack: list[Block], number: int, path: str) -> None:
    if any(block.length == length for block in stack):
        raise error("a block inside one with as many slashes", path, number, "give the inner one another /")


def _check_ordinary(block: Block, path: str) -> None:
    unknown = sorted(set(block.options) - ORDINARY[block.name])
    if unknown:
        known = ", ".join(sorted(ORDINARY[block.name]))
        raise error(f"'/// {block.name}' has the option {unknown[0]!r}", path, block.line, f"known: {known}")
    if block.name in NEEDS_ARGUMENT and not block.argument:
        raise error(
            f"'/// {block.name}' has no argument", path, block.line, f"write '/// {block.name} | ...'"
        )


def _use(block: Block, body: list[str], path: str) -> Use:
    rule, where = RULES[block.name], f"'/// {block.name}'"
    words = block.argument.split()
    if not rule.words[0] <= len(words) <= rule.words[1] or not SLUG.fullmatch(words[0]):
        mend = f"write '/// {block.name} | chapter/lesson{' name' if rule.words[1] > 1 else ''}'"
        raise error(f"{where} has the argument {block.argument!r}", path, block.line, mend)
    _check_options(block, rule, path)
    text = textwrap.dedent("\n".join(body)).strip()
    if bool(text) != bool(rule.body):
        mend = f"write {rule.body} before its end" if rule.body else "end it right after its options"
        raise error(f"{where} has {'a' if text else 'no'} text", path, block.line, mend)
    return Use(block.name, " ".join(words), dict(block.options), text, block.line)


def _check_options(block: Block, rule: Rule, path: str) -> None:
    known = (*rule.required, *rule.optional)
    for option, content in block.options.items():
        if option not in known or not isinstance(content, str) or not content.strip():
            mend = f"known: {', '.join(known) or 'none'}; as text, quoted where YAML reads something else"
            raise error(f"'/// {block.name}' has the option {option}: {content!r}", path, block.line, mend)
        if ":value[" in content:
            raise error("a value in an option", path, block.line, "values stand in text only")
        if option == "run" and not SELECTOR.fullmatch(content):
            raise error(f"run: {content}", path, block.line, "write a backend, or one and a JAX: cpu-0.9.2")
    for option in rule.required:
        if option not in block.options:
            mend = f"write '    {option}: ...' on the line after it"
            raise error(f"'/// {block.name}' lacks {option}", path, block.line, mend)
