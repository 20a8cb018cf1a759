"""Directives: the ``/// name | argument`` blocks of a page; pymdownx drops a wrong one in silence."""

import re
import textwrap
from collections.abc import Iterator

from benchbook.pages import prose
from benchbook.pages.block import Block, closed, error, opened
from benchbook.pages.grammar import ORDINARY, RULES, SELECTOR, Argument, Rule
from benchbook.pages.margin import check_margin
from benchbook.pages.nesting import check_end, check_place
from benchbook.pages.ordinary import check_ordinary
from benchbook.pages.use import Use

MARK = re.compile(r"[ \t>]*(?P<slashes>/{3,})(?P<rest>.*)")


def scan(text: str, masked: str, *, path: str, found: list[Block]) -> Iterator[Use]:
    """What every block of ours shows of a lesson; all blocks are checked, pymdownx's own too.

    Args:
        text: The page, without tabs.
        masked: The same, from `prose.mask`.
        path: The file, as messages spell it.
        found: Takes every block of ours.

    Raises:
        PageError: With the line and the mend.
    """
    lines, stack, named = text.split("\n"), list[Block](), dict[tuple[str, str], int]()
    for number, line in enumerate(masked.split("\n"), start=1):
        match = MARK.fullmatch(line)
        if match is None:
            continue
        length, rest = len(match["slashes"]), match["rest"].rstrip()
        if rest:
            _check_length(length, stack, number, path)
            block = opened(lines, number, length, path)
            check_margin(lines, number, path)
            _check_head(block, stack, named, path)
            stack.append(block)
        else:
            block = closed(stack, length, number, path)
            if stack:
                stack[-1].inner.append((block, number))
            if block.name in RULES:
                found.append(block)
                yield from _uses(block, lines, number, path)
    if stack:
        block = stack[-1]
        raise error(f"{block} is not closed", path, block.line, f"end it with {'/' * block.length}")


def _check_length(length: int, stack: list[Block], number: int, path: str) -> None:
    if any(block.length == length for block in stack):
        raise error("a block inside one with as many slashes", path, number, "give the outer one another /")


def _check_head(block: Block, stack: list[Block], named: dict[tuple[str, str], int], path: str) -> None:
    """Checks all that is known where a block begins, and notes its name."""
    if block.name in ORDINARY:
        check_ordinary(block, path)
        return
    rule = RULES[block.name]
    if not re.fullmatch(rule.argument.pattern, block.argument):
        mend = f"write '/// {block.name}{rule.argument.form}'"
        raise error(f"{block} has the argument {block.argument!r}", path, block.line, mend)
    _check_options(block, rule, path)
    check_place(block, stack, path)
    if rule.argument is Argument.NAME:
        first = named.setdefault((block.name, block.argument), block.line)
        if first != block.line:
            what = f"a second {block} of the name {block.argument!r}"
            raise error(what, path, block.line, f"the first is on line {first}: give it a name of its own")


def _uses(block: Block, lines: list[str], end: int, path: str) -> Iterator[Use]:
    rule = RULES[block.name]
    text = textwrap.dedent("\n".join(lines[block.body : end - 1])).strip()
    has_text = prose.shows(text) if rule.body else bool(text)
    if has_text != bool(rule.body) and not (rule.bare and not text):
        mend = f"write {rule.body} before its end" if rule.body else "end it right after its options"
        raise error(f"{block} has {'no' if rule.body else 'a'} text", path, block.line, mend)
    if rule.sourced and not prose.cites(text):
        mend = "write into its text where it is from: [words](https://...)"
        raise error(f"{block} links to no source", path, block.line, mend)
    check_end(block, lines, end, path)
    if rule.argument.is_lesson:
        yield Use(block.name, " ".join(block.argument.split()), dict(block.options), text, block.line)


def _check_options(block: Block, rule: Rule, path: str) -> None:
    known = (*rule.required, *rule.optional, *rule.switches)
    for option, content in block.options.items():
        is_right = isinstance(content, bool if option in rule.switches else str)
        if option not in known or not is_right or not str(content).strip():
            mend = f"known: {', '.join(known) or 'none'}; as text, quoted where YAML reads something else"
            if option in rule.switches:
                mend = "write true or false"
            named = " ".join(str(option).split())
            raise error(f"{block} has the option {named}: {content!r}", path, block.line, mend)
        if isinstance(content, bool):
            continue
        if ":value[" in content:
            raise error("a value in an option", path, block.line, "values stand in text only")
        if option == "run" and not SELECTOR.fullmatch(content):
            raise error(f"run: {content}", path, block.line, "write a backend, or one and a JAX: cpu-0.9.2")
    for option in rule.required:
        if option not in block.options:
            mend = f"write '    {option}: ...' on the line after it"
            raise error(f"{block} lacks {option}", path, block.line, mend)
