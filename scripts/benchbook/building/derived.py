"""The derived files: figures, run pages, fragments and the JSON Schema, each as bytes by its name."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from benchbook import archive, cite, run
from benchbook.archive import Stored
from benchbook.building import fragment, runpage, sources
from benchbook.building.sources import Lesson, Trial
from benchbook.drawing import figure
from benchbook.errors import BenchbookError
from benchbook.pages.page import Page
from benchbook.project import Project
from benchbook.run import Panel

SCHEMA = f"docs/schema/run-{run.SCHEMA}.json"
Files = dict[str, bytes | None]


class BuildError(BenchbookError):
    """Everything that keeps the site from being built.

    Args:
        problems: One or more, in the order of their files.
    """

    def __init__(self, problems: Sequence[BenchbookError]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def derive(project: Project, *, local: bool, kept: Collection[str]) -> Files:
    """Derives everything, and writes nothing.

    Args:
        project: The checkout.
        local: Whether runs of this machine that were not accepted are shown.
        kept: Figures that are right as they lie: they come back as ``None``.

    Raises:
        BuildError: Something is wrong; it lists all of it.
    """
    trial = Trial()
    found = sources.read(project, local=local, trial=trial)
    url = trial.attempt(partial(cite.site_url, project))
    retracted = trial.attempt(partial(archive.retracted, project))
    files: Files = {SCHEMA: run.spell(run.schema())}
    if url is not None and retracted is not None:
        told = set(found.broken)
        trees: dict[str, dict[str, Any]] = {}
        for lesson in found.lessons:
            if lesson.cells is not None:
                tree = trial.attempt(partial(_fragment, project, lesson.slug, found.pages, local=local))
                if tree is None:
                    told.add(lesson.slug)
                else:
                    trees[lesson.slug] = tree
                    files |= _spelled(lesson.slug, tree)
            files |= _figures(project, lesson, kept=kept, trial=trial)
            files |= _run_page(project, lesson, url=url, retracted=retracted)
        trial.problems.extend(_unmet(project, found.pages, trees, told=told, local=local))
    if trial.problems:
        raise BuildError(sorted(trial.problems, key=lambda problem: (problem.path or "", problem.line or 0)))
    return files


def _unmet(
    project: Project,
    pages: Sequence[Page],
    trees: Mapping[str, dict[str, Any]],
    *,
    told: Collection[str],
    local: bool,
) -> Iterator[BenchbookError]:
    """What pages ask for and do not get; of a lesson whose own files are wrong, that was told already."""
    for found in pages:
        uses = tuple(use for use in found.uses if use.slug not in told)
        yield from fragment.problems(project, replace(found, uses=uses), local=local, derived=trees)


def _fragment(project: Project, slug: str, pages: Sequence[Page], *, local: bool) -> dict[str, Any]:
    uses = [use for found in pages for use in found.uses if use.slug == slug]
    return fragment.derive(project, slug, uses=uses, local=local)


def _spelled(slug: str, tree: dict[str, Any]) -> Files:
    data = json.dumps(tree, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
    return {f".benchbook/fragments/{slug}.json": data.encode()}


def _figures(project: Project, lesson: Lesson, *, kept: Collection[str], trial: Trial) -> Files:
    files: Files = {}
    for stored in lesson.runs:
        for cell, panels in stored.run.figures.items():
            files |= trial.attempt(partial(_figure, project, stored, cell, panels, kept=kept)) or {}
    return files


def _figure(
    project: Project, stored: Stored, cell: str, panels: Sequence[Panel], *, kept: Collection[str]
) -> Files:
    names = {
        dark: f"docs/{figure.path(stored.run.slug, stored.id, stored.run.backend, cell, dark=dark)}"
        for dark in (False, True)
    }
    draw = partial(figure.draw, panels, stored.run.measurements, seed=stored.digest)
    try:
        return {name: None if name in kept else draw(dark=dark) for dark, name in names.items()}
    except BenchbookError as error:
        message = f"the figure of cell {cell!r}: {error.message}"
        raise BenchbookError(message, path=project.relative(stored.path), mend=error.mend) from error


def _run_page(project: Project, lesson: Lesson, *, url: str, retracted: Mapping[str, str]) -> Files:
    if not lesson.runs:
        return {}
    current = archive.current(lesson.runs, lesson.cells or (), without=retracted)
    text = runpage.markdown(
        lesson.slug,
        lesson.runs,
        cells=lesson.cells,
        retracted=retracted,
        url=url,
        current={stored.id for stored in current.values()},
        local=lesson.local,
        lesson=project.page_path(lesson.slug).exists(),
    )
    return {f"docs/{runpage.path(lesson.slug)}": text.encode()}
