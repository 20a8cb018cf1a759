"""A value: ``:value[slug expression]``, a number of a run in a sentence."""

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.inlinepatterns import InlineProcessor

from benchbook import reading
from benchbook.blocks import assertion, catalogue
from benchbook.blocks.elements import literal
from benchbook.blocks.showing import Showing
from benchbook.pages import page, prose
from benchbook.pages.use import Use


class Value(InlineProcessor):
    """``:value[slug expression]``: a number of a run, in a sentence."""

    def __init__(self, md: Markdown, show: Callable[[Use], Showing], made: Callable[[Use], None]) -> None:
        super().__init__(re.escape(page.VALUE), md)
        self.show = show
        self.made = made

    def handleMatch(  # type: ignore[override] # noqa: N802 - the stubs know only the older form; the name is Markdown's
        self, m: re.Match[str], data: str
    ) -> tuple[Element | None, int | None, int | None]:
        """Makes the link; `guard` has proved that the value is there."""
        end = prose.closing(data, m.end())
        if end is None:
            return None, None, None
        use = page.value(data[m.end() : end], path="page", line=0)
        self.made(use)
        shown = self.show(use)
        exhibit = catalogue.shown(shown.fragment, shown.use.run)[0]
        found = catalogue.quantity(shown.use.name, exhibit)
        link, title, unstable = assertion.value(shown)
        element = Element("a", {"class": "bb-value", "href": link, "title": literal(title)})
        element.text = literal(reading.text(found.value, found.unit) + (" (not stable)" if unstable else ""))
        return element, m.start(), end + 1
