"""The harvest: frames become runs on disk, or outcomes that say why not."""

import getpass
from collections.abc import Iterator
from typing import Any

import pytest

from benchbook.errors import RunError
from benchbook.project import Project
from benchbook.recording import plan
from benchbook.recording.harvest import Harvest
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options
from benchbook.worker.wire import Frame
from tests.answers import LESSON, SESSION, printing, process
from tests.recording import Noting

HEAD: Frame = SESSION | {"refusal": None}


def harvested(project: Project, *frames: Frame, listener: Noting | None = None) -> list[Outcome]:
    """The outcomes of frames that answer a plan of the one lesson, in two processes."""
    asked = plan.make([LESSON], project.backend("cpu"), None, Options(), inspect=False, cache=None)
    for job in asked["jobs"]:
        job["processes"] = 2
    return list(Harvest(project, accept=True, listener=listener or Noting()).follow(asked, frames))


def test_a_whole_job_is_a_run_on_disk(project: Project):
    """With its outcome; the listener is told of the session and of each process."""
    listener = Noting()
    (outcome,) = harvested(project, HEAD, process(0), process(1), listener=listener)
    assert (outcome.kind, outcome.slug, outcome.jax) == ("new", "chapter/lesson", "0.12.0")
    assert outcome.stored is not None
    assert outcome.stored.path.read_bytes()
    assert (listener.began, listener.advanced) == ([("cpu, JAX 0.12.0", 2)], 2)


def test_a_job_that_is_not_whole_is_no_run(project: Project):
    """Half of a method is not recorded."""
    (outcome,) = harvested(project, HEAD, process(0))
    said = "snippets/chapter/lesson.py: not every process answered"
    assert (outcome.kind, outcome.detail) == ("failed", (said,))
    assert not project.runs.exists()


def test_frames_before_the_session_are_refused(project: Project):
    """Nobody said on what they ran."""
    with pytest.raises(RunError, match="its frames are not in order"):
        harvested(project, process(0), process(1))
    assert not project.runs.exists()


def test_a_run_that_tells_who_this_is_is_not_written(project: Project, monkeypatch: pytest.MonkeyPatch):
    """The whole file is searched, whatever the worker let through."""
    monkeypatch.setattr(getpass, "getuser", lambda: "somebody")
    told: list[Any] = [printing(process(n), "total", "mail somebody@example\n") for n in range(2)]
    (outcome,) = harvested(project, HEAD, *told)
    said = "snippets/chapter/lesson.py: the run would hold the user's name (print less)"
    assert (outcome.kind, outcome.detail) == ("failed", (said,))
    assert not project.runs.exists()


def test_a_run_that_is_too_large_is_a_failure(project: Project):
    """The line names what takes the room."""
    large = [printing(process(n), "total", "x" * 200_000) for n in range(2)]
    (outcome,) = harvested(project, HEAD, *large)
    assert outcome.kind == "failed"
    assert "the output of cell 'total' takes 200000 (keep fewer samples or print less)" in outcome.detail[0]


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        ([HEAD, HEAD], "a second session begins"),
        ([HEAD, process(0), process(0)], "process 0 of job 0 answers twice"),
        ([HEAD, process(0) | {"job": -1}], "process: job: Input should be greater"),
        ([HEAD, process(0) | {"process": 7}], "process 7 of job 0 was not asked for"),
        ([HEAD, Frame(type="end", count=1), process(0)], "something follows the end"),
        ([HEAD | {"machine": {"jax": "\x1b[2J"}}], "machine: jax: String should match"),
    ],
)
def test_what_no_worker_answers_ends_the_session(project: Project, frames: list[Frame], told: str):
    """A command that is not the worker is told of in one line, live as from a file."""
    with pytest.raises(
        RunError, match=f"^an answer is not what a worker writes: {told}.* \\(look at what its"
    ):
        harvested(project, *frames)
    assert not project.runs.exists()


def test_a_mistake_of_the_reader_is_no_wrong_answer(project: Project):
    """What a listener or the frames themselves raise is told as what it is."""

    class Failing(Noting):
        def advance(self, session: str, what: str) -> None:
            raise KeyError(what)

    with pytest.raises(KeyError, match="chapter/lesson"):
        harvested(project, HEAD, process(0), listener=Failing())

    def frames() -> Iterator[Frame]:
        yield HEAD
        raise TypeError("of the session")

    asked = plan.make([LESSON], project.backend("cpu"), None, Options(), inspect=False, cache=None)
    with pytest.raises(TypeError, match="of the session"):
        list(Harvest(project, accept=True, listener=Noting()).follow(asked, frames()))


def test_what_was_asked_counts_and_not_what_is_repeated(project: Project):
    """A worker cannot file its run under another backend's name."""
    repeated: Any = {"expected": {"backend": "cuda"}, "program": "2" * 64}
    (outcome,) = harvested(project, HEAD | {"plan": repeated}, process(0), process(1))
    assert outcome.stored is not None
    assert outcome.stored.run.backend == outcome.backend == "cpu"


def test_processes_may_answer_in_any_order(project: Project):
    """The first is the first that began."""
    (outcome,) = harvested(project, HEAD, process(1), process(0))
    assert outcome.stored is not None
    assert outcome.stored.run.method.process_ns == [10, 11]
