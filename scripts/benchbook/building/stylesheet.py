"""The style sheet: the sheets of ``docs/assets`` as one file: a page waits for each file."""

from functools import partial
from pathlib import Path

from benchbook.building.site import Files, Site
from benchbook.errors import BenchbookError

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
    sheets = (site.trial.attempt(partial(_text, site, found[name])) for name in order)
    return {SHEET: "\n".join(sheet or "" for sheet in sheets).encode()}


def _text(site: Site, path: Path) -> str:
    shown = site.project.relative(path)
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise BenchbookError(message, path=shown, mend="make it a file, or remove it") from error
    except UnicodeDecodeError as error:
        raise BenchbookError(f"not UTF-8: {error.reason}", path=shown, mend="save it as UTF-8") from error
