"""Notebooks: a lesson's code with what its current run printed, to be opened in Jupyter or Colab.

Each lesson's notebook is a plain file, at one address. Where it is a page as well, mkdocs-jupyter renders
``index.ipynb``: the same cells below one of settings that only MkDocs reads.
"""

from collections.abc import Mapping

from benchbook.blocks import catalogue
from benchbook.blocks.catalogue import Exhibit, Fragment
from benchbook.building import shelf, workbook
from benchbook.building.playback import Figure, Playback
from benchbook.building.site import Files, Site
from benchbook.building.sources import Lesson
from benchbook.building.workbook import Workbook
from benchbook.lesson.snippet import Snippet
from benchbook.pages.page import Page

TO_ROOT = "../../"  # from notebooks/<chapter>/<lesson>.ipynb
PAGE_TO_ROOT = "../../../"  # from notebooks/<chapter>/<lesson>/


def files(site: Site) -> Files:
    """The notebook of each lesson that has a fragment; twice where it is a page too."""
    pages = {page.path: page for page in site.pages}
    made: Files = {}
    for lesson in site.lessons:
        slug = lesson.slug
        if lesson.snippet is not None and slug in site.fragments:
            page = pages.get(site.project.relative(site.project.page_path(slug)))
            book = _workbook(site, lesson, lesson.snippet, page)
            made[f"docs/{shelf.path(slug)}"] = workbook.spell(book, root=site.url or TO_ROOT)
            offered = site.fragments[slug]["notebook"]
            if offered["page"]:
                spelled = workbook.spell(book, root=PAGE_TO_ROOT, offered=offered)
                made[f"docs/{offered['page']}"] = spelled
    return made


def _workbook(site: Site, lesson: Lesson, snippet: Snippet, page: Page | None) -> Workbook:
    title = str(page.front.get("title") or lesson.slug) if page else lesson.slug
    exhibit = _exhibit(site.fragments[lesson.slug])
    playback = None if exhibit is None else _playback(site, lesson, exhibit, page)
    return Workbook(snippet, title, has_page=page is not None, playback=playback)


def _exhibit(fragment: Fragment) -> Exhibit | None:
    """The current run on cpu, or else the first that the lesson's page shows."""
    exhibits = catalogue.shown(fragment, None)
    return next((found for found in exhibits if found["backend"] == "cpu"), exhibits[0] if exhibits else None)


def _playback(site: Site, lesson: Lesson, exhibit: Exhibit, page: Page | None) -> Playback:
    stored = next(stored for stored in lesson.runs if stored.id == exhibit["id"])
    uses = [use for use in page.uses if use.kind == "figure"] if page else []
    words = {use.name: use.options.get("alt", "") for use in uses if use.slug == lesson.slug}
    figures = {
        cell: _figure(site, files, words.get(cell) or f"The figure of {cell}")
        for cell, files in exhibit["figures"].items()
        if f"docs/{files['light']}" in site.made  # what could not be drawn was told
    }
    return Playback(stored.run, exhibit, figures)


def _figure(site: Site, files: Mapping[str, str], words: str) -> Figure:
    light, dark = files["light"], files["dark"]
    drawn = site.made[f"docs/{light}"] or (site.project.docs / light).read_bytes()
    return Figure(drawn.decode(), light, dark, words)
