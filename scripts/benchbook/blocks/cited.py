"""A cited statement: what is said of other backends, from a source, and which of them have a run by now."""

from xml.etree.ElementTree import Element

from pymdownx.blocks.block import type_string

from benchbook.blocks import catalogue, citation
from benchbook.blocks.catalogue import Exhibit
from benchbook.blocks.elements import add
from benchbook.blocks.showing import Showing
from benchbook.blocks.shown import Shown
from benchbook.reading import counted, listed


class Cited(Shown):
    """``/// cited | slug``: a text with its sources, and the runs of its backends; without a slug, of any."""

    NAME = "cited"
    ARGUMENT = None
    OPTIONS = {"backends": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the box that takes the text."""
        return add(parent, "div", "bb-cited")

    def on_end(self, block: Element) -> None:
        """Appends which runs there are by now."""
        showing = self.showing()
        named = citation.backends(showing.use)
        found = [entry for entry in catalogue.shown(showing.fragment, None) if entry["backend"] in named]
        have = {exhibit["backend"] for exhibit in found}
        others = [name for name in named if name not in have]
        missing = listed(others, "or") if others else ""
        if not found:
            whose = "this lesson" if showing.use.slug else "any lesson"
            text = f"Cited, not measured here: no run of {whose} on {missing} yet."
            add(block, "p", "bb-missing", text)
            return
        line = add(block, "p", "bb-quiet")
        for number, exhibit in enumerate(found):
            _run(showing, line, exhibit, opening="; a run on " if number else "A run on ")
        add(line, "span", text=f"; none on {missing} yet." if missing else ".")


def _run(showing: Showing, line: Element, exhibit: Exhibit, *, opening: str) -> None:
    """One run, to which its link leads, with what a line of provenance says."""
    add(line, "span", text=opening)
    add(line, "span", "bb-backend", exhibit["backend"], data_backend=exhibit["backend"])
    here = " is recorded here" if exhibit["accepted"] else ""
    if "lessons" in exhibit:
        count = exhibit["lessons"]
        here += f" for {counted(count, 'lesson')}" + (", the latest" if count > 1 else "")
    add(line, "span", text=f"{here}: {exhibit['device']}, JAX {exhibit['jax']}, ")
    add(line, "time", text=exhibit["date"], datetime=exhibit["date"])
    add(line, "span", text=", run ")
    add(line, "a", text=exhibit["id"], href=showing.link(exhibit))
    if exhibit["stale"]:
        add(line, "span", "bb-stale", ", stale: the lesson's code changed after this run")
    if not exhibit["accepted"]:
        add(line, "strong", "bb-local", ", recorded on this machine, not accepted")
