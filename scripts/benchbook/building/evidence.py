"""Evidence: the runs of a lesson that its pages may show, and which cells of each are fresh."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchbook import archive
from benchbook.archive import Stored
from benchbook.freshness import fresh_cells, stands_for
from benchbook.lesson import snippet
from benchbook.lesson.snippet import Snippet
from benchbook.project import Project


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a lesson's pages can rest on.

    Attributes:
        snippet: The lesson's code now.
        runs: By id: every run that a block may show. None of them is retracted.
        current: The id of the current run of each backend.
        selected: By backend and JAX version, as in ``cpu-0.9.2``: the latest run, fresh ones first.
        fresh: By id: the cells that the run still stands for.
        local: The ids of runs of this machine that were not accepted.
    """

    snippet: Snippet
    runs: Mapping[str, Stored]
    current: Mapping[str, str]
    selected: Mapping[str, str]
    fresh: Mapping[str, frozenset[str]]
    local: frozenset[str]

    def stale(self, run_id: str) -> bool:
        """Whether the run executed other cells than the lesson has now, exercises apart."""
        return not stands_for(self.runs[run_id].run.source.text, self.snippet.cells)


def gather(project: Project, slug: str, *, local: bool) -> Evidence:
    """Reads the runs of a lesson and chooses those that its pages may show.

    Args:
        project: The checkout.
        slug: The lesson.
        local: Whether runs that were not accepted take part.

    Raises:
        SnippetError: There is no such snippet, or it is wrong.
        RunError: A run file is not right.
    """
    path = project.snippet_path(slug)
    parsed = snippet.load(path, slug=slug, shown=project.relative(path))
    accepted = archive.load_all(project, project.runs, slug)
    own = archive.load_all(project, project.local_runs, slug) if local else []
    excluded = archive.retracted(project)
    candidates = {stored.id: stored for stored in [*own, *accepted] if stored.id not in excluded}
    fresh = {
        run_id: fresh_cells(stored.run.source.text, parsed.cells) for run_id, stored in candidates.items()
    }
    current = {name: stored.id for name, stored in archive.current(candidates.values(), parsed.cells).items()}
    selected = _selected(candidates.values(), parsed)
    chosen = sorted({*current.values(), *selected.values()})
    return Evidence(
        snippet=parsed,
        runs={run_id: candidates[run_id] for run_id in chosen},
        current=current,
        selected=selected,
        fresh={run_id: fresh[run_id] for run_id in chosen},
        local=frozenset(chosen) - {stored.id for stored in accepted},
    )


def _selected(runs: Iterable[Stored], parsed: Snippet) -> dict[str, str]:
    def rank(stored: Stored) -> tuple[bool, str, str]:
        return stands_for(stored.run.source.text, parsed.cells), stored.run.started, stored.digest

    ranked = sorted(runs, key=rank)
    chosen = {f"{stored.run.backend}-{stored.run.environment.jax}": stored.id for stored in ranked}
    return dict(sorted(chosen.items()))
