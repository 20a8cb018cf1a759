"""The rule about formulas: each can be made, which is found out as the site finds it out."""

from collections.abc import Iterator

from markdown import Markdown

from benchbook.blocks import maths
from benchbook.errors import PageError
from benchbook.pages import directive, prose
from benchbook.pages.page import Page
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

# Those of mkdocs.yml that decide what is code, raw HTML or an item of a list.
EXTENSIONS = ("attr_list", "footnotes", "md_in_html", "tables", "pymdownx.superfences")


def well_formed(inventory: Inventory) -> Iterator[Problem]:
    """Every formula of a page is one; the first that is not is named."""
    for page in inventory.pages.values():
        if "$" in page.text:
            yield from _problems(page)


def _problems(page: Page) -> Iterator[Problem]:
    text, arguments = _without_blocks(page.text)
    own = "\n\n".join(arguments.values())  # each on a line of its own
    for source, lines in ((text, None), (own, list(arguments))):
        markdown = Markdown(extensions=list(EXTENSIONS))
        maths.extend(markdown)
        try:
            markdown.convert(source)
        except PageError as error:
            line = error.line
            if lines is not None and line is not None:
                line = lines[(line - 1) // 2]
            yield Problem(page.path, line, error.message, error.mend or "correct it")


def _without_blocks(text: str) -> tuple[str, dict[int, str]]:
    """A page in which the lines are empty that make blocks, and what stands behind their bars, by line."""
    lines, arguments, options = text.split("\n"), dict[int, str](), 0
    for number, seen in enumerate(prose.mask(text).split("\n"), start=1):
        indent = len(seen) - len(seen.lstrip())
        match = directive.MARK.fullmatch(seen)
        is_option = bool(options) and bool(lines[number - 1].strip()) and indent >= options
        if match or is_option:
            argument = match["rest"].partition("|")[2].strip() if match else ""
            if argument:
                arguments[number] = lines[number - 1].partition("|")[2].strip()
            lines[number - 1] = ""
        options = indent + 4 if match else options if is_option else 0
    front = prose.FRONT.match(text)
    for number in range(front[0].count("\n") if front else 0):
        lines[number] = ""
    return "\n".join(lines), arguments
