"""A transcript: what the cells of a run printed, and that their assertions held."""

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown

from benchbook.blocks import catalogue
from benchbook.blocks.catalogue import Exhibit
from benchbook.blocks.elements import add, stash
from benchbook.blocks.fold import fold
from benchbook.blocks.showing import Showing


def draw(showing: Showing, parent: Element, exhibit: Exhibit) -> None:
    """One cell's output, or the whole transcript and its PASS line."""
    showing.notice(parent, exhibit)
    if showing.use.name:
        entry = catalogue.cell(exhibit, showing.use.name)
        if entry is None:
            add(parent, "p", "bb-quiet", "This run has no such cell.")
        elif not _captured(showing.md, parent, entry):
            add(parent, "p", "bb-quiet", "This cell printed nothing.")
        return
    _whole(showing.md, parent, exhibit)
    _passed(parent, exhibit)


def _whole(md: Markdown, parent: Element, exhibit: Exhibit) -> None:
    """All output but that of the exercises, folded: it tells what experiments give that come after it."""
    place = fold(parent, "bb-whole", "All that was printed")
    for entry in exhibit["cells"]:
        if not entry["solution"] and (entry["stdout"] or entry["stderr"]):
            add(place, "p", "bb-label", entry["name"])
            _captured(md, place, entry)


def _captured(md: Markdown, parent: Element, entry: Mapping[str, Any]) -> bool:
    for stream in ("stdout", "stderr"):
        if entry[stream] and stream == "stderr":
            add(parent, "p", "bb-label", "on standard error")
        if entry[stream]:
            stash(md, parent, entry[stream])
        dropped = entry[f"{stream}_dropped"]
        if dropped:
            add(parent, "p", "bb-quiet", f"{dropped} more bytes were printed, and counted but not kept.")
    return bool(entry["stdout"] or entry["stderr"])


def _passed(parent: Element, exhibit: Exhibit) -> None:
    cells, count = exhibit["cells"], exhibit["processes"]
    exercises = ", exercises included," if any(entry["solution"] for entry in cells) else ""
    line = add(parent, "p", "bb-pass")
    add(line, "strong", text="PASS")
    held = f": every assertion of the {len(cells)} cells{exercises} held in {count} process"
    add(line, "span", text=held + ("es." if count > 1 else "."))
