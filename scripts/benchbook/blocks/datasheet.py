"""A data sheet: what a run measured and drew, as tables and figures."""

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from benchbook.blocks.catalogue import Exhibit
from benchbook.blocks.elements import add, table
from benchbook.blocks.showing import Showing

COLUMNS = {
    "name": "name",
    "median": "median [95% interval]",
    "minimum": "min",
    "maximum": "max",
    "verdict": "verdict",
}


def measurements(showing: Showing, parent: Element, exhibit: Exhibit) -> None:
    """The table of a run's measurements; each name leads to its samples."""
    showing.notice(parent, exhibit)
    if not exhibit["rows"]:
        add(parent, "p", "bb-quiet", "This run measured nothing.")
        return
    rows = [["" if column == "name" else row[column] for column in COLUMNS] for row in exhibit["rows"]]
    label = f"Measurements of {exhibit['backend']}, run {exhibit['id']}"
    notes = [" \u00b7 ".join([row["inputs"], *method(row)]) for row in exhibit["rows"]]
    drawn = table(parent, list(COLUMNS.values()), rows, label=label, notes=notes)
    for cells, row in zip(drawn, exhibit["rows"], strict=True):
        add(cells[0], "a", text=row["name"], href=showing.link(exhibit, row["name"]))
        if not row["stable"]:
            cells[-1].set("class", "bb-unstable")


def method(row: Mapping[str, Any]) -> list[str]:
    """What the numbers of a row mean, apart from its inputs: no number stands without it."""
    return [
        f"calls \u00d7 processes: {row['calls']}",
        f"warm-up calls: {row['warmup']}",
        f"waits: {row['wait']}",
        f"excludes: {row['excludes']}",
        row["rule"],
    ]


def figure(showing: Showing, parent: Element, exhibit: Exhibit) -> None:
    """The drawing for light and for dark pages, and its data."""
    showing.notice(parent, exhibit)
    drawn = exhibit["figures"].get(showing.use.name)
    if drawn is None:
        add(parent, "p", "bb-quiet", "This run holds no such figure.")
        return
    width, height = map(str, drawn["size"])
    given = {"alt": showing.use.options["alt"], "width": width, "height": height, "loading": "lazy"}
    for scheme in ("light", "dark"):  # the theme shows one, and only that is loaded
        add(parent, "img", src=showing.to(f"{drawn[scheme]}#only-{scheme}"), **given)
    files = add(parent, "p", "bb-files")
    add(files, "a", text="SVG", href=showing.to(drawn["light"])).tail = " · "
    add(files, "a", text="data as CSV", href=showing.to(drawn["data"]))
    details = add(parent, "details", "bb-data")
    add(details, "summary", text="The data as a table")
    for data in drawn["tables"]:
        add(details, "p", "bb-label", data["caption"])
        table(details, data["header"], data["rows"], label=data["caption"])
