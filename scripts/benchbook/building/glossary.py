"""The glossary's fragment: what the Markdown extension needs to link the terms that a page uses."""

import json
from functools import partial
from typing import Any

from benchbook.building.site import Files, Site
from benchbook.pages import glossary
from benchbook.pages.glossary import Teaching, Term

FRAGMENT = ".benchbook/fragments/glossary.json"


def files(site: Site) -> Files:
    """One JSON file; none for a site without a glossary."""
    page = next((page for page in site.pages if page.path == glossary.PAGE), None)
    terms = site.trial.attempt(partial(glossary.parse, page.text)) if page else None
    if terms is None:
        return {}
    tree = [_tree(term) for term in terms]
    return {FRAGMENT: (json.dumps(tree, ensure_ascii=False, separators=(",", ":")) + "\n").encode()}


def _tree(term: Term) -> dict[str, Any]:
    taught = [[place.title, _address(place)] for place in term.taught]
    return {"id": term.id, "forms": term.forms, "summary": term.summary, "taught": taught}


def _address(place: Teaching) -> str:
    """Where a reader of the glossary finds the page: MkDocs gives ``a/b.md`` the address ``a/b/``."""
    path, mark, anchor = place.target.partition("#")
    folder = path.removesuffix("index.md") if path.endswith("index.md") else path.removesuffix(".md") + "/"
    return f"../{folder}{mark}{anchor}"
