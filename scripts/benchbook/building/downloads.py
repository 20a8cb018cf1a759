"""Downloads: each snippet, byte for byte, at an address of the site, so that ``uv run URL`` runs it."""

from benchbook.building.site import Files, Site


def path(slug: str) -> str:
    """Where the download of a lesson lies below ``docs/``."""
    return f"snippets/{slug}.py"


def files(site: Site) -> Files:
    """The file of each lesson that has a snippet."""
    project = site.project
    slugs = [lesson.slug for lesson in site.lessons if lesson.cells is not None]
    return {f"docs/{path(slug)}": project.snippet_path(slug).read_bytes() for slug in slugs}
