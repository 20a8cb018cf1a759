"""The glossary's fragment: what the Markdown extension needs to link the terms that a page uses."""

from functools import partial

from benchbook.building import fragment
from benchbook.building.site import Files, Site
from benchbook.pages import glossary

FRAGMENT = ".benchbook/fragments/glossary.json"


def files(site: Site) -> Files:
    """One JSON file; none for a site without a glossary."""
    page = next((page for page in site.pages if page.path == glossary.PAGE), None)
    terms = site.trial.attempt(partial(glossary.parse, page.text)) if page else None
    if terms is None:
        return {}
    tree = [{"id": term.id, "forms": term.forms} for term in terms]
    return {FRAGMENT: fragment.spelled(tree)}
