"""Tabs: Material's content tabs, which work without a script, by radio buttons."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from benchbook.blocks.elements import add


def tabs(parent: Element, labels: Sequence[str], *, number: int) -> list[Element]:
    """Appends a set of tabs and returns the element of each one's content.

    Equal labels switch together across the page, where a script runs (``docs/assets/content.js``).

    Args:
        parent: Where the set goes.
        labels: One backend a tab; the first is open.
        number: Unique on the page.
    """
    group = add(parent, "div", "tabbed-set tabbed-alternate", data_tabs=f"bb{number}:{len(labels)}")
    ids = [f"bb-tab-{number}-{index}" for index, _ in enumerate(labels, start=1)]
    for index, identity in enumerate(ids):
        checked = {} if index else {"checked": "checked"}
        add(group, "input", id=identity, name=f"bb-tabs-{number}", type="radio", **checked)
    names = add(group, "div", "tabbed-labels")
    for label, identity in zip(labels, ids, strict=True):
        add(names, "label", text=label, for_=identity, data_backend=label)
    content = add(group, "div", "tabbed-content")
    return [add(content, "div", "tabbed-block") for _ in labels]
