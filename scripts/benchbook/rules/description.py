"""The rule about descriptions: what search engines, links elsewhere and llms.txt say of a page."""

from collections import Counter
from collections.abc import Iterator, Mapping

from benchbook.pages.page import Page
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

LONGEST = 160  # characters: what search engines show of it
UNPLAIN = frozenset('"<>&`*[]\n')  # the theme writes it into an attribute, as it stands
MEND = "write 'description:' and one plain sentence"


def described(inventory: Inventory) -> Iterator[Problem]:
    """Every hand-written page describes itself in a sentence that fits, is plain text, and is its own."""
    counts = Counter(map(_description, inventory.pages.values()))
    for path, page in inventory.pages.items():
        wrong = _wrong(_description(page), counts)
        if wrong:
            yield Problem(path, 1, f"its description {wrong}", MEND)


def _description(page: Page) -> str:
    found = page.front.get("description")
    return found.strip() if isinstance(found, str) else ""


def _wrong(description: str, counts: Mapping[str, int]) -> str | None:
    unplain = sorted(UNPLAIN & set(description))
    if not description:
        return "is missing"
    if description.startswith("TODO"):
        return "is not written yet"
    if len(description) > LONGEST:
        return f"has {len(description)} characters, more than {LONGEST}"
    if unplain:
        return f"holds {unplain[0]!r}, which is no plain text"
    return "is that of another page too" if counts[description] > 1 else None
