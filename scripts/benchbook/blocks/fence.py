"""Fences: code that an author wrote into a page, in the same few elements as a lesson's listings."""

from xml.etree.ElementTree import Element

from markdown.treeprocessors import Treeprocessor

from benchbook import listing

MARK = '<div class="highlight"'


class Fences(Treeprocessor):
    """Takes out what gives no colour; finished HTML lies in Markdown's stash until the end."""

    def run(self, root: Element) -> None:
        """Changes the stash in place."""
        stash = self.md.htmlStash.rawHtmlBlocks
        for index, html in enumerate(stash):
            if isinstance(html, str) and MARK in html:
                stash[index] = listing.lighter(html)
