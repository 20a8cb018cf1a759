"""The gathering: a job is whole when all that it was asked for has come, and not before."""

from typing import Any

import pytest

from benchbook.recording.gathering import Gathered, Gathering
from benchbook.worker.wire import Frame, Plan


def frame(kind: str = "completed", *, job: int = 0, process: int = 0, inspection: bool = False) -> Frame:
    """An answer."""
    what = "inspection" if inspection else "process"
    answer: Any = {"type": what, "job": job, "process": process, "kind": kind}
    return Frame(**answer)


def gathering(*jobs: tuple[int, bool]) -> Gathering:
    """Of jobs with so many processes, inspected or not."""
    asked: Any = {
        "expected": {"backend": "cpu"},
        "jobs": [
            {"slug": f"a/b{number}", "processes": processes, "inspect": inspect}
            for number, (processes, inspect) in enumerate(jobs)
        ],
    }
    return Gathering(Plan(**asked))


def test_a_job_is_whole_with_its_last_process():
    """Its frames are handed over in the order in which they came."""
    session = gathering((2, False))
    first, last = frame(), frame(process=1)
    assert session.take(first) is None
    assert session.take(last) == Gathered([first, last])


def test_jobs_that_run_together_are_kept_apart():
    """Frames may come in any order."""
    session = gathering((2, False), (1, False))
    assert session.take(frame(job=0)) is None
    assert session.take(frame(job=1)) == Gathered([frame(job=1)])
    assert session.missing() == ["a/b0"]
    assert session.take(frame(process=1)) == Gathered([frame(), frame(process=1)])
    assert session.missing() == []


@pytest.mark.parametrize("inspection_first", [True, False])
def test_an_inspection_is_waited_for(inspection_first: bool):
    """Whichever comes last completes the job."""
    session = gathering((1, True))
    answers = [frame(), frame(inspection=True)]
    early, late = reversed(answers) if inspection_first else answers
    assert session.take(early) is None
    assert session.take(late) == Gathered([answers[0]], answers[1])


def test_after_a_failure_no_inspection_is_waited_for():
    """The worker starts none."""
    session = gathering((2, True))
    assert session.take(frame("raised")) is None
    assert session.take(frame("abandoned", process=1)) == Gathered(
        [frame("raised"), frame("abandoned", process=1)]
    )


def test_an_inspection_that_was_begun_before_the_failure_is_dropped():
    """It runs beside the processes, and may end when its job is done; jobs after it are not lost."""
    session = gathering((1, True), (1, False))
    assert session.take(frame("raised")) == Gathered([frame("raised")])
    assert session.take(frame(inspection=True)) is None
    assert session.take(frame(job=1)) == Gathered([frame(job=1)])
    assert session.missing() == []


def test_what_is_to_come_is_counted():
    """One for each process and one for each inspection."""
    assert gathering((10, True), (1, False)).total == 12
