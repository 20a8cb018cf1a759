"""The derived files: each maker gives some of them, as bytes by their names."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial

from benchbook import archive, cite, run
from benchbook.building import (
    bench,
    datafile,
    downloads,
    drawings,
    fragment,
    glossary,
    llms,
    notebook,
    runpage,
    sources,
    stylesheet,
)
from benchbook.building.site import BuildError, Files, Site
from benchbook.building.sources import Trial
from benchbook.errors import BenchbookError
from benchbook.project import Project

SCHEMA = f"docs/schema/run-{run.SCHEMA}.json"
Maker = Callable[[Site], Files]


def schema(_: Site) -> Files:
    """The JSON Schema of a run file."""
    return {SCHEMA: run.spell(run.schema())}


# In this order; each takes the site and what the earlier ones noted on it, and writes nothing itself.
MAKERS: tuple[Maker, ...] = (
    *(schema, fragment.files, drawings.files, datafile.files, downloads.files),
    *(runpage.files, bench.files, notebook.files, llms.files, glossary.files, stylesheet.files),
)


def derive(project: Project, *, local: bool, kept: Collection[str]) -> Files:
    """Derives everything, and writes nothing.

    Args:
        project: The checkout.
        local: Whether runs of this machine that were not accepted are shown.
        kept: Files that are right as they lie: they come back as ``None``.

    Raises:
        BuildError: Something is wrong; it lists all of it.
    """
    trial = Trial()
    found = sources.read(project, local=local, trial=trial)
    url = trial.attempt(partial(cite.site_url, project))
    retracted = trial.attempt(partial(archive.retracted, project))
    files: Files = {}
    if url is not None and retracted is not None:
        site = Site(
            project, found, url=url, retracted=retracted, local=local, kept=kept, trial=trial, made=files
        )
        for make in MAKERS:
            files |= make(site)
        trial.problems.extend(_unmet(site))
    if trial.problems:
        raise BuildError(sorted(trial.problems, key=lambda problem: (problem.path or "", problem.line or 0)))
    return files


def _unmet(site: Site) -> Iterator[BenchbookError]:
    """What pages ask for and do not get; of a lesson whose own files are wrong, that was told already."""
    coded = {lesson.slug for lesson in site.lessons if lesson.snippet is not None}
    told = site.sources.broken | (coded - set(site.fragments))
    for found in site.pages:
        uses = tuple(use for use in found.uses if use.slug not in told)
        page = replace(found, uses=uses)
        yield from fragment.problems(site.project, page, local=site.local, derived=site.fragments)
