"""The proof: frames are those of one session, in order, of jobs that were asked for, each once."""

import copy
from typing import Any

import pytest

from benchbook.project import Project
from benchbook.recording import proof
from benchbook.recording.proof import Course, ProofError
from tests import stranger


def followed(told: list[Any]) -> Course:
    """The course of these frames."""
    course = Course(proof.plan(told[0]))
    for frame in told:
        course.check(frame)
    return course


def test_a_session_is_whole_with_its_end(project: Project):
    """And not before; an end that counts others says that some were lost."""
    told = stranger.frames(project)
    assert followed(told).whole
    assert not followed(told[:-1]).whole
    assert not followed([*told[:2], told[-1]]).whole


@pytest.mark.parametrize(
    ("order", "problem"),
    [
        ([0, 0], "a second session begins"),
        ([0, 1, 2, 3, 1], "something follows the end"),
        ([0, 1, 1], "process 0 of job 0 answers twice"),
    ],
)
def test_frames_in_another_order_are_refused(project: Project, order: list[int], problem: str):
    """One head, each answer once, and nothing after the end."""
    told = stranger.frames(project)
    with pytest.raises(ProofError, match=problem):
        followed([told[number] for number in order])


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"type": "inspection"}, "inspection 0 of job 0 was not asked for"),
        ({"process": 2}, "process 2 of job 0 was not asked for"),
        ({"process": -1}, "process: process: Input should be greater"),
        ({"process": True}, "process: process: Input should be a valid integer"),
        ({"job": 1}, "job 1 is not in its plan"),
        ({"job": "0"}, "process: job: Input should be a valid integer"),
        ({"job": -1}, "process: job: Input should be greater"),
        ({"kind": "fine"}, "process: kind: Input should be 'completed'"),
        ({"detail": 3}, "process: detail: Input should be a valid string"),
        ({"cells": [[]]}, r"process: cells\.0: Input should be"),
        ({"cells": [{"stdout": 3}]}, r"process: cells\.0\.stdout: Input should be a valid string"),
        ({"type": "other"}, "it is neither session, process, inspection, note nor end"),
        ({"type": []}, "it is neither session, process, inspection, note nor end"),
        ({"type": "note", "detail": None}, "note: detail: Input should be a valid string"),
    ],
)
def test_an_answer_that_nobody_asked_for_is_refused(project: Project, change: dict[str, Any], problem: str):
    """With what is wrong about it."""
    told = stranger.frames(project)
    with pytest.raises(ProofError, match=problem):
        followed([told[0], told[1] | change])


@pytest.mark.parametrize(
    ("keys", "value", "problem"),
    [
        (("plan", "protocol"), 2, "its protocol is 2, not 1"),
        (("plan", "protocol"), "1", "plan: protocol: Input should be a valid integer"),
        (("plan", "program"), "x", "plan: program: String should match"),
        (("plan", "expected", "backend"), "../cpu", r"plan: expected\.backend: String should match"),
        (("plan", "expected", "jax"), "0.9.2", r"it has JAX 0\.12\.0, not 0\.9\.2"),
        (("plan", "jobs", 0, "slug"), "../../escape", r"plan: jobs\.0\.slug: String should match"),
        (("plan", "jobs", 0, "slug"), "a/b\n", r"plan: jobs\.0\.slug: String should match"),
        (("plan", "jobs", 0, "processes"), 0, r"plan: jobs\.0\.processes: Input should be greater"),
        (("plan", "jobs", 0, "processes"), 10**9, r"plan: jobs\.0\.processes: Input should be less"),
        (("plan", "jobs"), {}, "plan: jobs: Input should be a valid list"),
        (("machine",), [], "session: machine: Input should be a valid dictionary"),
        (("machine", "jax"), None, "machine: jax: Input should be a valid string"),
        (("machine", "jax"), "\x1b[2J", "machine: jax: String should match"),
        (("refusal",), "", "session: refusal: String should have at least 1"),
    ],
)
def test_a_head_that_no_worker_writes_is_refused(project: Project, keys: tuple, value: object, problem: str):
    """A name, a number or a text that is not what it should be, and a version that nobody speaks."""
    told = stranger.frames(project)
    tree = told[0]
    for key in keys[:-1]:
        tree = tree[key]
    tree[keys[-1]] = value
    with pytest.raises(ProofError, match=problem):
        followed(told)


def test_a_plan_names_a_snippet_once_and_not_too_many(project: Project):
    """A list without an end is no plan."""
    head = stranger.frames(project)[0]
    jobs = head["plan"]["jobs"]
    with pytest.raises(ProofError, match="its plan names a snippet twice"):
        proof.plan(head | {"plan": head["plan"] | {"jobs": jobs * 2}})
    with pytest.raises(ProofError, match="plan: jobs: List should have at most 10000 items"):
        proof.plan(head | {"plan": head["plan"] | {"jobs": jobs * 10_001}})


def test_after_a_refusal_nothing_answers(project: Project):
    """What was refused did not run."""
    head, first, *_ = stranger.frames(project)
    with pytest.raises(ProofError, match="a process answers although the backend was refused"):
        followed([copy.deepcopy(head) | {"refusal": "no TPU"}, first])
