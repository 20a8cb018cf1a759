"""Recording for tests: texts and plans for one snippet, and a listener that notes."""

from benchbook.lesson.snippet import parse
from benchbook.project import Project
from benchbook.recording import plan, recorder
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options
from benchbook.run import Run
from benchbook.worker.wire import Plan

HEADER = "# /// script\n# dependencies = []\n# [tool.benchbook]\n# timeout = 60\n{more}# ///\n"


def snippet_text(cells: str, *, more: str = "") -> str:
    """A snippet's text: a header, with ``more`` settings one a line, and cells."""
    return HEADER.format(more="".join(f"# {line}\n" for line in more.splitlines())) + cells


def plan_for(text: str, project: Project, *, backend: str = "cpu") -> Plan:
    """The plan that records one snippet of this text."""
    snippet = parse(text, slug="chapter/lesson", path="snippets/chapter/lesson.py")
    return plan.make([snippet], project.backend(backend), None, Options(), inspect=False, cache=None)


class Noting:
    """A `harvest.Listener` that keeps what it was told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.began: list[tuple[str, int]] = []
        self.advanced = 0
        self.ended: list[str] = []

    def begin(self, session: str, processes: int) -> None:
        """A session."""
        self.began.append((session, processes))

    def advance(self, session: str, what: str) -> None:
        """A process of a session that has begun and has not ended."""
        assert session in {began for began, _ in self.began} - set(self.ended)
        self.advanced += 1

    def end(self, session: str) -> None:
        """The end of a session."""
        self.ended.append(session)

    def say(self, line: str) -> None:
        """A line."""
        self.said.append(line)


def record(project: Project, *slugs: str, listener: Noting | None = None, **options: object) -> list[Outcome]:
    """Records, by default two processes for what measures and two at once for the rest."""
    chosen = Options(**{"processes": 2, "parallel": 2, **options})
    return list(recorder.record(project, plan.choose(project, slugs), chosen, listener or Noting()))


def run_of(outcomes: dict[str, Outcome], slug: str) -> Run:
    """The run that was written."""
    stored = outcomes[slug].stored
    assert stored is not None, outcomes[slug]
    return stored.run
