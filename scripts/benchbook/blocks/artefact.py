"""An artefact: a file that a run left behind, as a link to it, with what proves it to be that file."""

from xml.etree.ElementTree import Element

from pymdownx.blocks.block import type_string

from benchbook import reading
from benchbook.blocks.catalogue import Exhibit
from benchbook.blocks.elements import add
from benchbook.blocks.showing import Showing
from benchbook.blocks.shown import Shown


class Artefact(Shown):
    """``/// artefact | slug name``: a file of each run, by backend; its text says what the file is."""

    NAME = "artefact"
    OPTIONS = {"run": ("", type_string)}  # noqa: RUF012 - pymdownx's own form

    def on_create(self, parent: Element) -> Element:
        """Appends the place of the text, then the file of each run."""
        element = add(parent, "div", "bb-artefact")
        add(element, "div")
        self.showing().each(element, _draw)
        return element

    def on_add(self, block: Element) -> Element:
        """The first part takes the text."""
        return block[0]

    def on_end(self, block: Element) -> None:
        """Without a text there is no place for one."""
        if not len(block[0]):
            block.remove(block[0])


def _draw(showing: Showing, parent: Element, exhibit: Exhibit) -> None:
    """The file, its type, its size and the first digits of its digest; the run page has the others."""
    showing.notice(parent, exhibit)
    found = exhibit["artefacts"].get(showing.use.name)
    if found is None:
        add(parent, "p", "bb-quiet", "This run holds no such file; no other stands in.")
        return
    line = add(parent, "p", "bb-file")
    if exhibit["accepted"]:
        add(line, "a", text=found["name"], href=showing.to(found["path"]), download="")
    else:  # the site does not hold it
        add(line, "span", text=found["name"])
    facts = f" · {found['type']} · {reading.size(found['size'])} · sha256 {found['sha256'][:12]} · "
    add(line, "span", text=facts)
    row = showing.link(exhibit, f"file-{showing.use.name}")
    add(line, "a", text="the whole digest, and how to open it", href=row)
