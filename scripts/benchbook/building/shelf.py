"""The shelf: where notebooks lie, which of them are pages as well, and how a lesson's page finds its own.

The first lesson of each chapter has its notebook as a page, so a new chapter gets one without a setting.
"""

from collections.abc import Collection

from benchbook.building.site import Site
from benchbook.project import Project


def path(slug: str) -> str:
    """Where a lesson's notebook lies below ``docs/``, and below the site's root."""
    return f"notebooks/{slug}.ipynb"


def page_path(slug: str) -> str:
    """Where the source of a notebook's page lies below ``docs/``."""
    return f"notebooks/{slug}/index.ipynb"


def openers(site: Site) -> Collection[str]:
    """The lessons whose notebook is a page: the first of each chapter, by the order in its front matter."""
    fronts = {page.path: page.front for page in site.pages}
    first: dict[str, tuple[float, str]] = {}
    for slug in (lesson.slug for lesson in site.lessons if lesson.snippet is not None):
        front = fronts.get(site.project.relative(site.project.page_path(slug)))
        if front is not None:
            chapter, order = slug.partition("/")[0], front.get("order")
            place = (order if isinstance(order, int) else float("inf"), slug)
            first[chapter] = min(first.get(chapter, place), place)
    return {slug for _, slug in first.values()}


def links(project: Project, slug: str, *, is_page: bool) -> dict[str, str | None]:
    """Where a lesson's page finds its notebook: the file and its page, below ``docs/``, and Colab.

    What there is not is ``None``.
    """
    published = project.published
    return {
        "file": path(slug),
        "page": page_path(slug) if is_page else None,
        "colab": published.colab(path(slug)) if published else None,
    }
