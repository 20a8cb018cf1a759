"""The outcome: what became of a snippet, and how its run compares with the current one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchbook import archive, terminal
from benchbook.archive import Stored
from benchbook.lesson.snippet import Snippet
from benchbook.project import Project
from benchbook.recording import comparison
from benchbook.run import Run

OutcomeKind = Literal["new", "reproduced", "changed", "failed", "skipped"]
LONGEST = 4096  # characters of output


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one snippet on one backend with one JAX.

    Attributes:
        slug: The snippet, or ``""`` where a whole session failed.
        backend: Its name.
        jax: The version, where it is known.
        kind: Against the current run; ``failed`` and ``skipped`` wrote nothing.
        detail: What changed, or why it failed, one line each.
        path: The file of the run that was written.
        output: What a cell that failed had printed, of a long one the end.

    What of it is printed may come from elsewhere: no text of it moves a cursor or begins a line.
    """

    slug: str
    backend: str
    jax: str | None
    kind: OutcomeKind
    detail: tuple[str, ...] = ()
    path: Path | None = None
    output: str = ""

    def __post_init__(self) -> None:
        """Makes every text harmless."""
        for name in ("slug", "backend", "jax"):
            value = getattr(self, name)
            object.__setattr__(self, name, value and terminal.line(value))
        object.__setattr__(self, "detail", tuple(map(terminal.line, self.detail)))
        object.__setattr__(self, "output", terminal.readable(self.output[-LONGEST:]))

    @property
    def stored(self) -> Stored | None:
        """The run that was written, read again: many outcomes take little memory."""
        return None if self.path is None else Stored.load(self.path, shown=str(self.path))


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
    jax = current.run.environment.jax
    named = f"run {current.id}" + (f" (JAX {jax})" if jax != run.environment.jax else "")
    changes = comparison.differences(current.run, run, tolerance=snippet.header.tolerance)
    if not changes:
        return "reproduced", (named,)
    if snippet.sha256 != current.run.source.sha256:
        changes.append("the snippet has changed since")
    moved = comparison.moved_programs(current.run, run)
    return "changed", (f"against {named}", *changes, *([moved] if moved else []))
