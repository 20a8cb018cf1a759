"""Downloads: each snippet, as it is recorded, at an address of the site, so that ``uv run URL`` runs it."""

from benchbook.building.site import Files, Site


def path(slug: str) -> str:
    """Where the download of a lesson lies below ``docs/``."""
    return f"snippets/{slug}.py"


def files(site: Site) -> Files:
    """The file of each lesson that has a snippet: its digest is that of the runs that show it."""
    found = {lesson.slug: lesson.snippet for lesson in site.lessons if lesson.snippet is not None}
    return {f"docs/{path(slug)}": snippet.text.encode() for slug, snippet in found.items()}
