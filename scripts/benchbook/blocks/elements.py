"""Elements of a page's tree that hold recorded text as text."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.util import AtomicString

from benchbook.terminal import pictured

INLINE = frozenset({"a", "code", "label", "span", "strong", "time"})


def literal(text: str) -> AtomicString:
    """Text that Markdown neither parses nor takes for a character reference, without control characters."""
    return AtomicString(pictured(text).replace("&", "&amp;"))


def add(parent: Element, tag: str, kind: str = "", text: str = "", **attributes: str) -> Element:
    """Appends an element with literal text.

    The text of a block goes into a span where it has a brace: attr_list reads ``{: ...}`` at the end of a
    block's own text, and recorded text must not be able to set attributes.

    Args:
        parent: Where it goes.
        tag: Its name.
        kind: Its classes.
        text: Its text, taken literally.
        attributes: Others; a final underscore is dropped, and inner ones become hyphens.
    """
    element = SubElement(parent, tag, {"class": kind} if kind else {})
    for name, content in attributes.items():
        element.set(name.rstrip("_").replace("_", "-"), literal(content))
    if text:
        holder = element if tag in INLINE or "{" not in text else SubElement(element, "span")
        holder.text = literal(text)
    return element


def stash(md: Markdown, parent: Element, html: str) -> Element:
    """Appends finished HTML, which Markdown puts back after everything else has run."""
    paragraph = SubElement(parent, "p")
    paragraph.text = AtomicString(md.htmlStash.store(html))
    return paragraph


def table(
    parent: Element, header: list[str], rows: list[list[str]], *, label: str, notes: Sequence[str] = ()
) -> list[list[Element]]:
    """Appends a table in a box of its own that scrolls, by touch and by keyboard.

    Args:
        parent: Where it goes.
        header: The columns' names.
        rows: Texts, as many as columns each; the first names the row.
        label: What the table is, for those who hear it.
        notes: One a row, each on a line of its own below it and as wide as the table; or none.

    Returns:
        The cells of the body, row by row, without the notes.
    """
    box = add(parent, "div", "bb-scroll", tabindex="0", role="region", aria_label=label)
    element = add(box, "table", "bb-table")
    head = add(add(element, "thead"), "tr")
    for name in header:  # an empty cell heads nothing
        add(head, "th", text=name, scope="col") if name else add(head, "td")
    body = add(element, "tbody")
    cells = []
    for number, row in enumerate(rows):
        cells.append(_row(add(body, "tr", "bb-noted" if notes else ""), row))
        if notes:
            add(add(body, "tr"), "td", "bb-note", notes[number], colspan=str(len(header)))
    return cells


def _row(parent: Element, texts: list[str]) -> list[Element]:
    first = add(parent, "th", text=texts[0], scope="row")
    return [first, *(add(parent, "td", text=text) for text in texts[1:])]
