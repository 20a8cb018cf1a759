"""The style sheet: the sheets of ``docs/assets`` as one file: a page waits for each file."""

from benchbook.building.site import Files, Site

SHEET = "docs/assets/site.css"
# The later ones overrule the earlier; a sheet that is not named stands before those for paper.
FIRST = ("palette", "type", "frame", "recorded", "exercise", "page", "reading")
LAST = ("print",)


def files(site: Site) -> Files:
    """One file; none for a site without sheets of its own."""
    folder = site.project.docs / "assets"
    found = {path.stem: path for path in sorted(folder.glob("*.css")) if path != site.project.root / SHEET}
    others = [name for name in found if name not in FIRST + LAST]
    order = [name for name in (*FIRST, *others, *LAST) if name in found]
    if not order:
        return {}
    return {SHEET: "\n".join(found[name].read_text(encoding="utf-8") for name in order).encode()}
