"""Code: blocks that list a lesson's cells."""

from xml.etree.ElementTree import Element

from benchbook.blocks import notebook
from benchbook.blocks.elements import add
from benchbook.blocks.fold import fold
from benchbook.blocks.showing import Showing
from benchbook.blocks.shown import Shown, numbered


class Cell(Shown):
    """``/// cell | slug [name]``: a cell's code, or the whole example, under a number."""

    NAME = "cell"

    def on_create(self, parent: Element) -> Element:
        """Appends the caption and the listing."""
        shown = self.showing()
        name = shown.use.name
        anchor = self.anchor(name)
        element = add(parent, "div", "bb-listing", id=anchor.id)
        caption = add(element, "p", "bb-caption")
        numbered(caption, anchor).tail = ": "
        if name:
            add(caption, "code", text=name).tail = f" in {path(shown)}"
            self.listing(element, shown.fragment["cells"][name])
        else:
            _download(element, caption, shown)
            self.listing(fold(element, "bb-whole", "The code"), shown.fragment["example"])
            notebook.offer(shown, element)
        return element


class Starter(Shown):
    """``/// starter | slug cell``: what a learner begins an exercise with, folded."""

    NAME = "starter"

    def on_create(self, parent: Element) -> Element:
        """Appends the listing."""
        shown = self.showing()
        element = fold(parent, "bb-fold bb-starter", "Starter")
        self.listing(element, shown.fragment["starters"][shown.use.name])
        return element


def path(shown: Showing) -> str:
    """Where the snippet lies: in the project, and on the site."""
    return f"snippets/{shown.fragment['slug']}.py"


def _download(element: Element, caption: Element, shown: Showing) -> None:
    """Where the whole file is, and how it runs with nothing installed."""
    name = path(shown).rpartition("/")[2]
    add(caption, "span", text="the whole example. The file, with the exercises solved: ")
    add(caption, "a", text=name, href=shown.to(path(shown)), download="")
    url = shown.fragment["url"]
    command = f"uv run {url + path(shown) if url else name}"
    add(add(element, "p", "bb-command"), "code", "bb-run", command, data_path=path(shown))
