"""Nesting: which block stands in which, and what a block must hold."""

from benchbook.pages import prose
from benchbook.pages.block import Block, error
from benchbook.pages.grammar import RULES


def check_place(block: Block, stack: list[Block], path: str) -> None:
    """Proves that a block may begin where it does.

    Args:
        block: One of ours.
        stack: The blocks that are open there.
        path: The file, as messages spell it.

    Raises:
        PageError: It does not stand right in its own outer block, stands in the text of another, or folds
            inside a fold.
    """
    inside = RULES[block.name].inside
    if inside and (not stack or stack[-1].name != inside):
        mend = f"put it right into a '/// {inside}', which has one / more"
        raise error(f"{block} outside a '/// {inside}'", path, block.line, mend)
    shown = next((entry for entry in stack if _shows(entry)), None)
    if shown is not None:
        mend = f"end '/// {shown.name}' of line {shown.line} before it"
        raise error(f"{block} inside {shown}", path, block.line, mend)
    outer = next((entry for entry in stack if entry.name in RULES and RULES[entry.name].folded), None)
    if RULES[block.name].folded and outer is not None and outer.name != inside:
        mend = f"end '/// {outer.name}' of line {outer.line} before it"
        raise error(f"{block} inside {outer}", path, block.line, mend)


def _shows(block: Block) -> bool:
    """Whether its text belongs to one thing that a run recorded."""
    rule = RULES.get(block.name)
    return rule is not None and rule.argument.is_lesson and bool(rule.body)


def check_end(block: Block, lines: list[str], end: int, path: str) -> None:
    """Proves that a block holds what it must.

    Args:
        block: One of ours, with the blocks in it.
        lines: The page's lines.
        end: The 1-based line that closes it.
        path: The file, as messages spell it.

    Raises:
        PageError: Too few or too many of its inner blocks, none of them right, or text in the wrong place.
    """
    if (wanted := RULES[block.name].holds) is None:
        return
    name, least, most = wanted
    held = [(inner, last) for inner, last in block.inner if inner.name == name]
    if not least <= len(held) <= most:
        count = str(least) if least == most else f"{least} to {most}"
        mend = f"write {count} '/// {name}' into it"
        raise error(f"{block} holds {len(held)} '/// {name}'", path, block.line, mend)
    if "right" in RULES[name].switches and not any(inner.options.get("right") for inner, _ in held):
        mend = "write '    right: true' below the right one"
        raise error(f"{block} has no right {name}", path, block.line, mend)
    _check_text(block, held, lines[: end - 1], path)


def _check_text(block: Block, held: list[tuple[Block, int]], lines: list[str], path: str) -> None:
    """Text stands before the inner blocks, and neither between nor below them."""
    name, first = held[0][0].name, held[0][0].line
    if not prose.shows("\n".join(lines[block.body : first - 1])):
        mend = f"write {RULES[block.name].body} above line {first}"
        raise error(f"{block} has no text before its {name}", path, block.line, mend)
    within = {number for inner, last in held for number in range(inner.line, last + 1)}
    for number, line in enumerate(lines, start=1):
        if number > first and number not in within and line.strip():
            mend = f"move it above line {first}, or below the end of {block}"
            raise error(f"{block} goes on after its {name}", path, number, mend)
