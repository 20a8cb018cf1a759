"""Everything that must hold of a project, as one list of rules."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from benchbook.project import Project
from benchbook.rules import built as site
from benchbook.rules import (
    copies,
    description,
    formulas,
    inventory,
    lesson,
    links,
    notebook,
    recency,
    records,
    terms,
    wording,
)
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem

__all__ = ["RULES", "Problem", "check", "fix"]

RULES: tuple[Callable[[Inventory], Iterable[Problem]], ...] = (
    records.readable,
    records.artefacts_are_sound,
    records.tells_nothing,
    records.tells_the_truth,
    records.nothing_strays,
    records.retractions_name_runs,
    recency.current_on_cpu,
    recency.newest_jax,
    recency.enough_processes,
    lesson.snippet_and_page,
    lesson.front_matter,
    lesson.fits_the_page,
    lesson.navigation,
    description.described,
    wording.references,
    wording.claims_hold,
    wording.no_typed_numbers,
    wording.nothing_left_to_write,
    formulas.well_formed,
    terms.defined,
    copies.identical,
    site.no_leftovers,
    links.links_lead_somewhere,
    notebook.notebooks,
)


def check(project: Project, *, built: Path | None = None) -> list[Problem]:
    """What falls short, by path and line; notes are among it, and do not gate.

    Args:
        project: The project.
        built: The folder of a built site, to be searched for leftovers and broken links.
    """
    found = inventory.gather(project, built=built)
    problems = {problem for rule in RULES for problem in rule(found)}
    return sorted(problems, key=lambda problem: (problem.path, problem.line or 0, problem.message))


def fix(project: Project) -> Iterator[str]:
    """Mends what a machine may mend; one line for each thing as soon as it is done.

    Raises:
        SnippetError: The harness is no snippet.
    """
    return copies.write(inventory.gather(project))
