"""The contents: hand-written pages and chapters in the order of the navigation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchbook.building.site import Site
from benchbook.lesson import nav
from benchbook.pages.page import Page

ROOT = "docs/"
INDEX = "index.md"


@dataclass(frozen=True, slots=True)
class Entry:
    """One page.

    Attributes:
        path: Below ``docs``, such as ``jit/compile.md``.
        title: From its front matter, or else its path.
        description: From its front matter; empty where there is none.
    """

    path: str
    title: str
    description: str

    @property
    def slug(self) -> str:
        """The path without its suffix: a lesson's name."""
        return self.path.removesuffix(".md")

    @property
    def address(self) -> str:
        """Where the page is served, below the site's root."""
        return self.path.removesuffix(INDEX) if self.is_index else f"{self.slug}/"

    @property
    def is_index(self) -> bool:
        """Whether it opens its folder."""
        return self.path.split("/")[-1] == INDEX

    @property
    def chapter(self) -> str:
        """The folder that holds it; empty for pages at the top."""
        return self.path.rpartition("/")[0]


def entries(site: Site) -> list[Entry]:
    """Every page, as the navigation orders them; others follow by path."""
    order = {path: number for number, path in enumerate(_listed(site))}
    found = [_entry(page) for page in site.pages]
    return sorted(found, key=lambda entry: (order.get(entry.path, len(order)), entry.path))


def chapters(pages: Sequence[Entry]) -> Mapping[str, Entry]:
    """The opening page of each chapter by the chapter's folder, in the order of ``pages``."""
    return {page.chapter: page for page in pages if page.is_index and page.chapter}


def _listed(site: Site) -> list[str]:
    root = site.project.root
    if not (root / nav.FILE).is_file():
        return []
    found = site.trial.attempt(lambda: nav.entries(nav.read(root)))
    return [entry.path for entry in found or ()]


def _entry(page: Page) -> Entry:
    path = page.path.removeprefix(ROOT)
    title, description = (page.front.get(key) for key in ("title", "description"))
    return Entry(path, str(title or path), " ".join(str(description or "").split()))
