"""Markup: recorded text as raw HTML that no browser and no Markdown extension can take for anything else.

Every character that is no letter, digit or space becomes a numeric reference, line ends too. So no line of a
page starts with recorded text, and no fence, link, block, snippet or value can be made of it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from benchbook import listing, terminal

PLAIN = re.compile(r"[^A-Za-z0-9 ]")


def text(recorded: str) -> str:
    """Recorded text, inert; control characters are pictures."""
    return PLAIN.sub(lambda match: f"&#{ord(match[0])};", terminal.pictured(recorded))


def element(name: str, *children: str, **attributes: str | None) -> str:
    """An element of markup; attributes are escaped here, children are markup already.

    An attribute is named as in Python, ``class_`` or ``aria_label``; one that is ``None`` is left out.
    """
    given = {
        key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None
    }
    opening = "".join(f' {key}="{text(value)}"' for key, value in given.items())
    return f"<{name}{opening}>{''.join(children)}</{name}>"


def image(source: str, alternative: str) -> str:
    """An image; it has no children and no closing tag."""
    return f'<img src="{text(source)}" alt="{text(alternative)}" loading="lazy">'


def code(recorded: str) -> str:
    """A word of code in a line."""
    return element("code", text(recorded))


def block(recorded: str, *, wraps: bool = False) -> str:
    """Text in a block of its own, to which Material adds a copy button; ``wraps`` is for one long line."""
    kind = "highlight run-line" if wraps else "highlight"
    return element("div", element("pre", element("code", text(recorded))), class_=kind)


def python(source: str) -> str:
    """Highlighted Python, in the colours of a lesson's listings."""
    spans = (element(kind, text(value)) if kind else text(value) for kind, value in listing.pieces(source))
    return element("div", element("pre", element("code", *spans)), class_="highlight")


def table(caption: str, header: Sequence[str], rows: Iterable[str]) -> str:
    """A table in a region of its own.

    Args:
        caption: Recorded or own text; it also names the region.
        header: The column heads, as text.
        rows: Markup of whole rows, as from `row`.
    """
    head = element("thead", element("tr", *(element("th", text(head), scope="col") for head in header)))
    body = element("tbody", *rows)
    return region(
        caption, element("table", element("caption", text(caption)), head, body, class_="run-table")
    )


def region(label: str, *children: str) -> str:
    """A box that scrolls sideways where its content is wider, and takes the keyboard's focus."""
    return element("div", *children, class_="run-scroll", tabindex="0", role="region", aria_label=label)


def row(head: str, *cells: str, anchor: str | None = None) -> str:
    """A row of markup whose first cell heads it; ``anchor`` is its id."""
    return element(
        "tr", element("th", head, scope="row"), *(element("td", cell) for cell in cells), id=anchor
    )


def note(cell: str, *, columns: int) -> str:
    """A row that says what the one above it means, as wide as the table."""
    return element("tr", element("td", cell, colspan=str(columns)), class_="run-note")


def pairs(caption: str, entries: Mapping[str, str]) -> str:
    """A table of names and recorded values; nothing where there are no entries."""
    rows = [row(text(name), text(value)) for name, value in entries.items()]
    return table(caption, ("Name", "Value"), rows) if rows else ""


def folded(summary: str, *children: str) -> str:
    """Markup that is closed until a reader opens it."""
    return element("details", element("summary", text(summary)), *children)
