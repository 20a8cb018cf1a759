"""The rule about a built site's notebooks: each is there, of today's code, and its links lead somewhere."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchbook import cite
from benchbook.errors import UsageError
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

LINK = re.compile(r"\]\((?P<to>[^)\s]+)\)")
MEND = "run benchbook build, then mkdocs build"


def notebooks(inventory: Inventory) -> Iterator[Problem]:
    """A built site holds each lesson's notebook, and the page of one in each chapter; their links resolve."""
    built = inventory.built
    if built is None:
        return
    for slug, lesson in inventory.snippets.items():
        path = built / "notebooks" / f"{slug}.ipynb"
        found = _load(path)
        wrong = "is no notebook" if path.exists() else "is not there"
        if found is None or found["metadata"].get("benchbook", {}).get("source") != lesson.sha256:
            what = wrong if found is None else f"holds other code than {lesson.path}"
            yield Problem(inventory.project.relative(path), None, what, MEND)
    for chapter in sorted({slug.partition("/")[0] for slug in inventory.snippets if inventory.page(slug)}):
        pages = list((built / "notebooks" / chapter).glob("*/index.html"))
        if len(pages) != 1:
            shown = inventory.project.relative(built / "notebooks" / chapter)
            yield Problem(shown, None, f"has {len(pages)} pages of notebooks and not one", MEND)
    yield from _dead_links(inventory, built)


def _dead_links(inventory: Inventory, built: Path) -> Iterator[Problem]:
    try:
        url = cite.site_url(inventory.project)
    except UsageError:  # the rule about links tells it
        url = ""
    anchors = cache(_anchors)
    for path in sorted((built / "notebooks").rglob("*.ipynb")):
        found = _load(path) or {"cells": []}
        words = ["".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == "markdown"]
        for link in (match["to"] for text in words for match in LINK.finditer(text)):
            target = _target(link, path.parent, built, url)
            if target and not _is_there(*target, anchors):
                shown = inventory.project.relative(path)
                yield Problem(shown, None, f"links to {link}, which is not there", "correct what made it")


def _target(link: str, here: Path, built: Path, url: str) -> tuple[Path, str] | None:
    """The file of the site that a link leads to, and the place in it; ``None`` for another site's."""
    own = bool(url) and link.startswith(url)
    if "://" in link and not own:
        return None
    name, _, anchor = (link[len(url) :] if own else link).partition("#")
    file = (built if own else here) / name
    return (file / "index.html" if file.is_dir() else file), anchor


def _is_there(file: Path, anchor: str, anchors: Callable[[Path], frozenset[str]]) -> bool:
    return file.is_file() and (not anchor or anchor in anchors(file))


def _anchors(page: Path) -> frozenset[str]:
    return frozenset(re.findall(r'\bid="([^"]+)"', page.read_text(encoding="utf-8", errors="replace")))


def _load(path: Path) -> dict[str, Any] | None:
    """The notebook; ``None`` where there is none."""
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    whole = isinstance(tree, dict) and {"cells", "metadata"} <= tree.keys()
    return tree if whole else None
