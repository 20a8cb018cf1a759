"""A notebook: where the lesson's is, below the listing of the whole example."""

from xml.etree.ElementTree import Element

from benchbook.blocks.elements import add
from benchbook.blocks.showing import Showing


def offer(showing: Showing, parent: Element) -> None:
    """Appends links to the file, to its page where it has one, and to Colab where the site's branch is known.

    Args:
        showing: Knows the lesson.
        parent: Where they go.
    """
    found = showing.fragment["notebook"]
    line = add(parent, "p", "bb-files", "As a notebook: ")
    add(line, "a", text=found["file"].rpartition("/")[2], href=showing.to(found["file"]), download="")
    if found["page"]:
        add(line, "span", text=" · ")
        add(line, "a", text="read it here", href=showing.to(found["page"]))
    if found["colab"]:
        add(line, "span", text=" · ")
        add(line, "a", text="open in Colab", href=found["colab"])
