"""Outcomes: a run is judged against the current one of its JAX, or else of any."""

from typing import Any

from benchbook.project import Project
from benchbook.recording.outcome import LONGEST, Outcome, OutcomeKind, judge
from tests.answers import LESSON
from tests.factory import SNIPPET, make_run, run_tree, store_run

OLDER = {"environment": run_tree()["environment"] | {"jax": "0.11.0"}}


def judged(project: Project, **changes: Any) -> tuple[OutcomeKind, tuple[str, ...]]:
    """Kind and detail of a run with these groups replaced."""
    return judge(project, LESSON, make_run(**changes))


def test_a_run_without_another_is_new(project: Project):
    """Nothing to compare with is no change; another backend's run is nothing to compare with."""
    assert judged(project) == ("new", ())
    store_run(project, backend="cuda")
    assert judged(project) == ("new", ())


def test_a_run_that_is_the_same_names_the_one_it_reproduces(project: Project):
    """Instants and times may differ."""
    stored = store_run(project)
    assert judged(project, started="2026-02-02T03:04:05Z") == ("reproduced", (f"run {stored.id}",))


def test_the_run_of_the_same_jax_comes_first(project: Project):
    """A newer JAX's run is compared with only where there is none of this one."""
    newer = store_run(project, results={"total": 4.0, "traces": 2})
    assert judged(project, **OLDER) == (
        "changed",
        (f"against run {newer.id} (JAX 0.12.0)", "result total: 4.0 is now 3.0"),
    )
    older = store_run(project, **OLDER)
    assert judged(project, **OLDER) == ("reproduced", (f"run {older.id}",))


def test_a_retracted_run_is_not_compared_with(project: Project):
    """What was found wrong is no measure."""
    stored = store_run(project)
    (project.runs / "retracted.toml").write_text(f'["{stored.id}"]\nreason = "wrong"\ndate = "2026-01-03"\n')
    assert judged(project) == ("new", ())


def test_a_change_says_whether_the_snippet_or_its_programs_moved(project: Project):
    """Both are said after what changed, so that a change can be put down to something."""
    program = {"name": "jit_f", "stablehlo": "1" * 64, "hlo": "2" * 64}
    stored = store_run(
        project,
        results={"total": 4.0, "traces": 2},
        source_text=SNIPPET.replace("A small", "Another"),
        programs=[program],
    )
    kind, detail = judged(project, programs=[program])
    assert kind == "changed"
    assert detail == (
        f"against run {stored.id}",
        "result total: 4.0 is now 3.0",
        "the snippet has changed since",
        "programs are the same: a change is the runtime's or the machine's",
    )
    _, detail = judged(project, programs=[program | {"hlo": "3" * 64}])
    assert detail[-1] == "traced programs are the same, optimised ones differ: XLA changed"


def test_no_text_of_an_outcome_is_obeyed_by_a_terminal():
    """It may come from elsewhere: a line stays a line, and of a long output the end is kept."""
    evil = "\x1b[2J\r\nfailed\u202e\ud800"
    outcome = Outcome("a/b", "cpu", "1.0" + evil, "failed", (evil,), output="x" * 10**6 + evil + "last")
    assert outcome.detail == ("␛[2J␍␊failed��",)
    assert outcome.jax == "1.0␛[2J␍␊failed��"
    assert outcome.output.endswith("\nfailed��last")
    assert len(outcome.output) <= LONGEST


def test_an_outcome_reads_its_run_again(project: Project):
    """It holds the file's name, so that many take little memory."""
    stored = store_run(project)
    assert Outcome("chapter/lesson", "cpu", None, "new", (), stored.path).stored == stored
    assert Outcome("chapter/lesson", "cpu", None, "skipped").stored is None
