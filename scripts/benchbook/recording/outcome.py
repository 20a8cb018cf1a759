"""The outcome: what became of a snippet, and how its run compares with the current one."""

from dataclasses import dataclass
from typing import Literal

from benchbook import archive
from benchbook.archive import Stored
from benchbook.lesson.snippet import Snippet
from benchbook.project import Project
from benchbook.recording import comparison
from benchbook.run import Run

OutcomeKind = Literal["new", "reproduced", "changed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one snippet on one backend with one JAX.

    Attributes:
        slug: The snippet, or ``""`` where a whole session failed.
        backend: Its name.
        jax: The version, where it is known.
        kind: Against the current run; ``failed`` and ``skipped`` wrote nothing.
        detail: What changed, or why it failed, one line each.
        stored: The run that was written.
        output: What a cell that failed had printed.
    """

    slug: str
    backend: str
    jax: str | None
    kind: OutcomeKind
    detail: tuple[str, ...] = ()
    stored: Stored | None = None
    output: str = ""


def judge(project: Project, snippet: Snippet, run: Run) -> tuple[OutcomeKind, tuple[str, ...]]:
    """Kind and detail against the current run of the same JAX, or else of any.

    Raises:
        RunError: A run that is there is not right.
    """
    runs = archive.load_all(project, project.runs, run.slug)
    without = archive.retracted(project)
    alike = [stored for stored in runs if stored.run.environment.jax == run.environment.jax]
    for candidates in (alike, runs):
        current = archive.current(candidates, snippet.cells, without=without).get(run.backend)
        if current is not None:
            break
    else:
        return "new", ()
    changes = comparison.differences(current.run, run, tolerance=snippet.header.tolerance)
    if not changes:
        return "reproduced", (f"run {current.id}",)
    if snippet.sha256 != current.run.source.sha256:
        changes.append("the snippet has changed since")
    moved = comparison.moved_programs(current.run, run)
    return "changed", (f"against run {current.id}", *changes, *([moved] if moved else []))
