"""The rule about the glossary: every term has one entry with a definition, and what teaches it is there."""

from collections.abc import Iterator

from benchbook.errors import PageError
from benchbook.pages import glossary
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem


def defined(inventory: Inventory) -> Iterator[Problem]:
    """The glossary can be read, and every page that is said to teach a term exists."""
    page = inventory.pages.get(glossary.PAGE)
    try:
        terms = glossary.parse(page.text) if page else []
    except PageError as error:
        yield Problem.of(error, path=glossary.PAGE)
        return
    for term in terms:
        for place in term.taught:
            if not (inventory.project.docs / place.path).is_file():
                message = f"{term.name!r} is taught in {place.path}, which is not there"
                yield Problem(
                    glossary.PAGE, term.line, message, "name a lesson that is, or leave the line out"
                )
