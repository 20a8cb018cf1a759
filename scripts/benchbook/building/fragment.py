"""A fragment: what the Markdown blocks of one lesson need, derived at build time as plain JSON data."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from benchbook import listing, statistics
from benchbook.archive import Stored
from benchbook.blocks import catalogue, shortfall
from benchbook.building import evidence, exhibit, shelf
from benchbook.building.evidence import Evidence
from benchbook.building.site import Files, Site
from benchbook.errors import BenchbookError, PageError
from benchbook.lesson import exercise
from benchbook.pages.page import Page
from benchbook.pages.use import Use
from benchbook.project import Project


def files(site: Site) -> Files:
    """The fragment of each lesson that has a snippet, as JSON; noted on the site as well."""
    uses = [use for page in site.pages for use in page.uses]
    openers = shelf.openers(site)
    made: Files = {}
    for lesson in site.lessons:
        if lesson.cells is not None:
            make = partial(derive, site.project, lesson.slug, uses=uses, local=site.local, url=site.url)
            tree = site.trial.attempt(partial(make, is_opener=lesson.slug in openers))
            if tree is not None:
                site.fragments[lesson.slug] = tree
                made[f".benchbook/fragments/{lesson.slug}.json"] = spelled(tree)
    return made


def spelled(tree: object) -> bytes:
    """A fragment as the file that the blocks read."""
    return (json.dumps(tree, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n").encode()


def derive(
    project: Project,
    slug: str,
    *,
    uses: Sequence[Use],
    local: bool,
    url: str = "",
    is_opener: bool = False,
) -> dict[str, Any]:
    """The fragment of a lesson; the same inputs give the same data.

    Args:
        project: The checkout.
        slug: The lesson.
        uses: What pages ask of it; claims are decided for these.
        local: Whether runs of this machine that were not accepted are shown.
        url: The site's address with a slash at its end, or "".
        is_opener: Whether the lesson's notebook is a page.

    Raises:
        SnippetError: There is no such snippet, or it is wrong.
        RunError: A run file is not right.
    """
    found = evidence.gather(project, slug, local=local)
    claims = sorted({use.options["holds"] for use in uses if use.kind == "claim" and use.slug == slug})
    return {
        "slug": slug,
        "url": url,
        "backends": sorted(project.backends),
        "shown": list(project.shown),
        "cells": {cell.name: listing.code(cell.source) for cell in found.snippet.cells},
        "example": listing.code(found.snippet.example),
        "notebook": shelf.links(project, slug, is_page=is_opener),
        "starters": {n: listing.code(s) for n, s in exercise.starters(found.snippet).items()},
        "runs": {run_id: _exhibit(found, stored) for run_id, stored in found.runs.items()},
        "current": dict(found.current),
        "selected": dict(found.selected),
        "claims": {
            text: {run_id: _decided(text, stored) for run_id, stored in found.runs.items()} for text in claims
        },
    }


def _exhibit(found: Evidence, stored: Stored) -> dict[str, Any]:
    return exhibit.describe(
        stored,
        fresh=found.fresh[stored.id],
        stale=found.stale(stored.id),
        accepted=stored.id not in found.local,
    )


def _decided(text: str, stored: Stored) -> dict[str, Any]:
    try:
        verdict, ratio = statistics.claim(text, stored.run, stored.digest)
    except BenchbookError as error:
        return {"error": error.message, "mend": error.mend}
    decided = None if ratio is None else [ratio.estimate, ratio.low, ratio.high]
    return {"verdict": verdict.value, "ratio": decided}


def problems(
    project: Project, page: Page, *, local: bool = False, derived: Mapping[str, dict[str, Any]] | None = None
) -> list[PageError]:
    """Everything that a page asks for and that is not there, with file and line.

    Only reference runs count, and with ``local`` those of this machine too. A run that is asked for by its
    JAX version must also be fresh. A fragment in ``derived``, made for all pages, is not derived again.
    """
    found: list[PageError] = []
    for slug in sorted({use.slug for use in page.uses}):
        uses = [use for use in page.uses if use.slug == slug]
        try:
            known = (derived or {}).get(slug) if slug else catalogue.whole(project, [])
            fragment = known or derive(project, slug, uses=uses, local=local)
        except BenchbookError as error:
            mend = str(error)
            found.append(PageError(f"{slug} cannot be shown", path=page.path, line=uses[0].line, mend=mend))
            continue
        found += [error for use in uses for error in shortfall.problems(use, fragment, path=page.path)]
    return sorted(found, key=lambda error: error.line or 0)
