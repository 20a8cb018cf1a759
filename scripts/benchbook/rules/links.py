"""The rule about a built site's links: each leads to a page, a place in a page, or a file that is there."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from benchbook import cite
from benchbook.errors import UsageError
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

# A site without an address is put here, so that a link that climbs out of it is seen.
NOWHERE = "https://site.invalid/here/"
LINKING = frozenset({"href", "src", "action", "poster", "data", "xlink:href"})
ELSEWHERE = frozenset({"data", "mailto", "tel"})
HOST = re.compile(r"(localhost|\[[0-9a-f:.]+\]|[\w-]+(\.[\w-]+)+)(:\d+)?", re.IGNORECASE)
TEXT = ":~:"  # what follows in a fragment is words that a browser looks for
SEARCHED = "search/search_index.json"
ARTEFACT = re.compile(r"runs/[^/]+/[^/]+/[^/]+-jax-[^/]+/[^/]+")
STYLED = re.compile(r"url\(\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"')]*))\s*\)")
IMPORTED = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")
WRITTEN = re.compile(r"\]\(([^()\s]+)\)|<loc>([^<]*)</loc>")
PATTERNS = {
    ".css": STYLED,
    ".js": IMPORTED,
    ".txt": WRITTEN,
    ".xml": WRITTEN,
    SEARCHED: re.compile(r'"location":\s*"([^"]*)"'),
}
MEND = "correct the link where it is written, or write what it leads to"


@dataclass
class Document:
    """What links, or is linked to.

    Attributes:
        address: Its path below the site's root, as it is served.
        links: Line and address of everything that it leads to or loads.
        ids: Line of each name that a link may end in, in order.
    """

    address: str
    links: list[tuple[int, str]] = field(default_factory=list)
    ids: list[tuple[int, str]] = field(default_factory=list)


class _Links(HTMLParser):
    def __init__(self, document: Document) -> None:
        super().__init__()
        self.document = document

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        for name, value in attrs:
            text = (value or "").strip()
            if name == "id" or (tag == "a" and name == "name" and value != dict(attrs).get("id")):
                self.document.ids.append((line, text))
            elif name in LINKING:
                self.document.links.append((line, text))
            elif name == "srcset":
                self.document.links += [(line, part.split()[0]) for part in text.split(",") if part.strip()]


def links_lead_somewhere(inventory: Inventory) -> Iterator[Problem]:
    """No link, image, style or script of a built site leads nowhere, and no id of a page stands twice.

    Addresses of other sites are held to their spelling only: nothing is asked of the network.
    """
    if inventory.built is None:
        return
    try:
        address = cite.site_url(inventory.project)
    except UsageError as error:
        yield Problem.of(error, path="mkdocs.yml")
        return
    documents = {name: read(inventory.built, name) for name in _names(inventory.built)}
    place = Place(address, documents)
    for name, document in documents.items():
        shown = inventory.project.relative(inventory.built / name)
        for line, link in document.links:
            if wrong := place.wrong(document, link):
                yield Problem(shown, line, f"links to {link!r}, which {wrong}", MEND)
        for line, repeated in _again(document.ids):
            yield Problem(shown, line, f"has the id {repeated!r} again", "give each its own id or heading")


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _again(ids: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    seen: Counter[str] = Counter()
    for line, name in ids:
        seen[name] += 1
        if seen[name] == 2:  # noqa: PLR2004 - the second is the one to name
            yield line, name


def read(folder: Path, name: str) -> Document:
    """A file of the site with its links; most kinds of file have none."""
    document = Document(re.sub(r"(^|/)index\.html$", r"\1", name))
    path = folder / name
    if ARTEFACT.fullmatch(name):  # recorded text, which links nowhere
        return document
    if path.suffix == ".html":
        parser = _Links(document)
        parser.feed(path.read_text(encoding="utf-8", errors="replace"))
        parser.close()
    elif pattern := PATTERNS.get(name) or PATTERNS.get(path.suffix):
        for line, text in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            document.links += [(line, "".join(m.groups(""))) for m in pattern.finditer(text)]
    if name == SEARCHED:  # its addresses start at the root
        document.links = [(line, f"../{link}") for line, link in document.links]
    return document


class Place:
    """The site as a place to look links up in.

    Args:
        address: Where the site is published; empty for a copy without an address.
        documents: Every file by its name.
    """

    def __init__(self, address: str, documents: Mapping[str, Document]) -> None:
        self.address = address
        self.base = address or NOWHERE
        self.ids = {document.address: {name for _, name in document.ids} for document in documents.values()}
        self.folders = {f"{parent.as_posix()}/" for name in documents for parent in Path(name).parents}

    def wrong(self, document: Document, link: str) -> str | None:
        """What is wrong with a link of a document, in words that follow "which"."""
        if link.startswith("/") and not link.startswith("//") and not self.address:
            link = urljoin(self.base, link[1:] or ".")
        try:
            target, fragment = urldefrag(urljoin(self.base + document.address, link))
            parts = urlsplit(target)
        except ValueError:
            return "is no address"
        if parts.scheme in ELSEWHERE:
            return None
        if parts.netloc != urlsplit(self.base).netloc:
            spelled = parts.scheme in {"http", "https"} and HOST.fullmatch(parts.netloc) and " " not in link
            return None if spelled else "is no address"
        if not target.startswith(self.base):
            return "leads out of the site"
        return self._missing(
            unquote(urlsplit(target[len(self.base) :]).path), unquote(fragment.partition(TEXT)[0])
        )

    def _missing(self, path: str, fragment: str) -> str | None:
        name = re.sub(r"(^|/)index\.html$", r"\1", path)
        if name not in self.ids:
            if f"{name}/" in self.folders:
                return "lacks the slash at the end of a folder"
            return "is a folder without a page" if name in self.folders else "is not there"
        has_places = name == "" or name.endswith(("/", ".html"))  # elsewhere it selects, as in `#only-light`
        lost = has_places and fragment and fragment not in self.ids[name]
        return "is a page without that place" if lost else None
