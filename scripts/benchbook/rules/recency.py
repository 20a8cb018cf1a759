"""Rules about the age of runs: what pages show on `cpu` is what the snippets say now."""

from collections.abc import Iterator
from importlib import metadata

from benchbook import archive
from benchbook.lesson.snippet import Snippet
from benchbook.reading import counted
from benchbook.recording.plan import PROCESSES
from benchbook.rules.inventory import Inventory, is_fresh, stale_cells
from benchbook.rules.problem import Problem

BACKEND = "cpu"  # the one that every machine has; runs of others may go stale, and pages say so


def current_on_cpu(inventory: Inventory) -> Iterator[Problem]:
    """Every lesson has a run on `cpu` that shows each of its cells, and none that is gone."""
    for slug, lesson in inventory.snippets.items():
        message, line = _shortfall(inventory, lesson)
        if message:
            yield Problem(lesson.path, line, message, f"benchbook record {slug} --accept")


def newest_jax(inventory: Inventory) -> Iterator[Problem]:
    """A note, which does not gate: the installed JAX is newer than what was recorded on `cpu`."""
    try:
        installed = metadata.version("jax")
    except metadata.PackageNotFoundError:
        return
    behind = [slug for slug in inventory.snippets if _is_behind(inventory, slug, installed)]
    if behind:
        yield Problem(
            inventory.project.relative(inventory.project.runs),
            None,
            f"jax {installed} is installed, and newer than every run on {BACKEND} of {', '.join(behind)}",
            f"benchbook record {' '.join(behind)} --accept",
            gates=False,
        )


def enough_processes(inventory: Inventory) -> Iterator[Problem]:
    """A note, which does not gate: what pages show on `cpu` was measured in fewer processes than usual."""
    for slug, lesson in inventory.snippets.items():
        current = archive.current(inventory.standing(slug), lesson.cells).get(BACKEND)
        if current is not None and lesson.measures and current.run.method.processes < PROCESSES:
            yield Problem(
                inventory.project.relative(current.path),
                None,
                f"{counted(current.run.method.processes, 'process')}, and the site records {PROCESSES}",
                f"benchbook record {slug} --accept",
                gates=False,
            )


def _shortfall(inventory: Inventory, lesson: Snippet) -> tuple[str | None, int | None]:
    runs = inventory.standing(lesson.slug)
    current = archive.current(runs, lesson.cells).get(BACKEND)
    if current is None:
        return f"no run on {BACKEND}", None
    run = f"run {current.id} on {BACKEND}"
    stale = stale_cells(current, lesson)
    if stale:
        return f"{run} is stale from the cell {stale[0]!r} on", lesson.cell(stale[0]).line
    return None if is_fresh(current, lesson) else f"{run} is stale: it ran a cell that is gone", None


def _is_behind(inventory: Inventory, slug: str, installed: str) -> bool:
    recorded = [
        stored.run.environment.jax for stored in inventory.standing(slug) if stored.run.backend == BACKEND
    ]
    newest = max(map(archive.jax_version, recorded), default=None)
    return newest is not None and newest < archive.jax_version(installed)
