"""Rules about what pages say: it is there, it holds, and every number has something behind it."""

import re
from collections.abc import Iterator

from benchbook import archive, statistics
from benchbook.archive import Stored
from benchbook.building import fragment
from benchbook.language import expression
from benchbook.language.expression import ExpressionError, Verdict
from benchbook.pages import prose
from benchbook.pages.page import Page
from benchbook.pages.use import Use
from benchbook.rules import typed
from benchbook.rules.inventory import Inventory, is_fresh
from benchbook.rules.problem import Problem

PLACEHOLDER = re.compile(r"\bTODO\b")


def references(inventory: Inventory) -> Iterator[Problem]:
    """Every cell, figure, value and option that a page names is there."""
    for page in inventory.pages.values():
        for error in fragment.problems(inventory.project, page):
            yield Problem.of(error, path=page.path)


def claims_hold(inventory: Inventory) -> Iterator[Problem]:
    """A claim over results holds on every fresh run that is not retracted; one over times never gates."""
    for page in inventory.pages.values():
        for use in page.uses:
            if use.kind == "claim":
                yield from _broken(inventory, page, use)


def no_typed_numbers(inventory: Inventory) -> Iterator[Problem]:
    """No lesson or chapter page states a time, a rate or an amount of memory without run or source."""
    project = inventory.project
    lessons = {project.relative(project.page_path(slug)) for slug in inventory.snippets}
    chapters = {project.relative(path) for path in project.docs.glob("*/index.md")}
    for path in sorted((lessons | chapters) & set(inventory.pages)):
        for number in typed.find(inventory.pages[path].text):
            yield Problem(
                path,
                number.line,
                f"{number.text!r} is typed, and no source is cited",
                "write :value[...], or put a link or footnote into the sentence",
            )


def nothing_left_to_write(inventory: Inventory) -> Iterator[Problem]:
    """No lesson or chapter page holds a sentence that only says what is to be written there."""
    for path, found in inventory.pages.items():
        for number, line in enumerate(prose.mask(found.text).splitlines(), start=1):
            if PLACEHOLDER.search(line):
                yield Problem(path, number, "TODO: this is not written yet", "write it, or take it out")


def _broken(inventory: Inventory, page: Page, use: Use) -> Iterator[Problem]:
    lesson = inventory.snippets.get(use.slug)
    if lesson is None:
        return
    runs = inventory.standing(use.slug)
    current = archive.current(runs, lesson.cells).values()
    for stored in runs:
        if not _is_meant(use, stored) or not is_fresh(stored, lesson):
            continue
        try:
            wrong = _refuted(use.options["holds"], stored)
        except ExpressionError as error:  # which `references` reports where the run is a current one
            wrong = None if stored in current else f"cannot be decided: {error.message},"
        if wrong:
            mend = "correct the claim, or retract the run in docs/runs/retracted.toml"
            yield Problem(page.path, use.line, f"the claim {wrong} on {stored.path.name}", mend)


def _is_meant(use: Use, stored: Stored) -> bool:
    names = (stored.run.backend, f"{stored.run.backend}-{stored.run.environment.jax}")
    return use.run is None or use.run in names


def _refuted(text: str, stored: Stored) -> str | None:
    """What one run says against a claim over results."""
    if expression.claims_time(text, stored.run.measurements):
        return None
    verdict, _ = statistics.claim(text, stored.run, stored.digest)
    return None if verdict is Verdict.HOLDS else f"{text!r} {verdict}"
