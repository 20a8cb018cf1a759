"""The site as tests build and read it: commands of this environment, the pages that came out, their trees."""

import os
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder

import pytest

from benchbook.project import find
from benchbook.rules.built import VOID

PROJECT = find(Path(__file__))
BIN = Path(sys.executable).parent
# No address of its own and no branch, and not the theme's notice about another project.
UNSET = ("SITE_URL", "PUBLISHED")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in UNSET} | {
    "NO_MKDOCS_2_WARNING": "1"
}


def run_tool(name: str, *words: str, folder: Path = PROJECT.root) -> None:
    """Runs a command of this environment in a folder; what it printed is the failure's text."""
    done = subprocess.run(
        [BIN / name, *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.fail(f"{name} {' '.join(words)}\n{done.stdout}{done.stderr}", pytrace=False)


def build(folder: Path) -> Path:
    """Builds the site from the committed runs into a folder."""
    run_tool("benchbook", "build")
    run_tool("mkdocs", "build", "--strict", "--site-dir", str(folder))
    return folder


def addresses(site: Path) -> list[str]:
    """The path of every page below the site's root: ``/``, ``/jit/compile/``, ``/404.html``."""
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    return [f"/{name.removesuffix('index.html')}" for name in names]


def file(site: Path, address: str) -> Path:
    """The file that an address is served from."""
    return site / address.strip("/") / ("index.html" if address.endswith("/") else "")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.builder = TreeBuilder()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        self.open.append(tag)
        if tag in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        while tag in self.open:  # elements that lack an end have one here
            self.builder.end(last := self.open.pop())
            if last == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.open:
            self.builder.data(data)


def tree(html: str) -> Element:
    """A page as a tree."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    while reader.open:
        reader.handle_endtag(reader.open[-1])
    return reader.builder.close()


def having(root: Element, kind: str) -> Iterator[Element]:
    """The elements of a class, in the page's order."""
    return (node for node in root.iter() if kind in node.get("class", "").split())


def text(node: Element) -> str:
    """All text in an element, white space squeezed."""
    return " ".join(" ".join(node.itertext()).split())
