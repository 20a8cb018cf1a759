"""The plan: what is chosen, how often it runs, and in what kind of process."""

import pytest

from benchbook.errors import SnippetError, UsageError
from benchbook.lesson.snippet import parse
from benchbook.project import Backend, Project
from benchbook.recording import plan, program
from benchbook.recording.plan import Options
from tests.factory import SNIPPET, make_project

CPU = Backend("cpu", "cpu", "cpu", 1)
CUDA = Backend(
    "cuda", "gpu", "NVIDIA .*", 1, {"XLA_PYTHON_CLIENT_PREALLOCATE": "false"}, ("ssh", "far", "python3")
)
MEASURES = SNIPPET.replace("results = {", "measurements = {")
COLD = SNIPPET.replace("# tolerance = 1e-5", "# cold = true\n# timeout = 7")


def make(text: str, backend: Backend = CPU, *, inspect: bool = False, **options: object) -> plan.Plan:
    """The plan for one snippet of this text."""
    snippet = parse(text, slug="chapter/lesson", path="p")
    return plan.make([snippet], backend, None, Options(**options), inspect=inspect, cache="/cache")


@pytest.mark.parametrize(
    ("text", "backend", "processes", "fork", "alone"),
    [
        (SNIPPET, CPU, 1, True, False),
        (COLD, CPU, 1, False, False),
        (MEASURES, CPU, 10, False, True),
        (SNIPPET, CUDA, 1, False, False),
        (MEASURES, CUDA, 10, False, True),
    ],
)
def test_what_measures_runs_ten_times_cold_and_alone(
    text: str, backend: Backend, processes: int, fork: bool, alone: bool
):
    """What does not measure runs once, forked on CPU unless it asks for a cold start."""
    (job,) = make(text, backend)["jobs"]
    assert (job["processes"], job["fork"], job["alone"]) == (processes, fork, alone)


def test_a_job_holds_the_whole_snippet():
    """Text, digest, cells with their lines and the header's timeout travel together."""
    (job,) = make(COLD, inspect=True)["jobs"]
    lines = COLD.split("\n")
    assert (job["slug"], job["text"], job["timeout"], job["inspect"]) == ("chapter/lesson", COLD, 7, True)
    assert [cell["name"] for cell in job["cells"]] == ["inputs", "total", "exercise"]
    assert all(lines[cell["line"] - 1] == cell["source"].split("\n")[0] for cell in job["cells"])


def test_the_plan_says_what_the_worker_must_find():
    """Platform, kind, count and JAX are asserted over there; JAX is told which platform to choose."""
    made = make(SNIPPET, CUDA)
    assert made["expected"] == {
        "backend": "cuda",
        "platform": "gpu",
        "device_kind": "NVIDIA .*",
        "count": 1,
        "jax": None,
    }
    assert made["env"] == {"JAX_PLATFORMS": "cuda", "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    assert make(SNIPPET)["env"] == {"JAX_PLATFORMS": "cpu"}
    assert made["program"] == program.digest()


def test_options_reach_the_plan():
    """Processes count for what measures, the cache only when it is asked for."""
    assert make(MEASURES, processes=3)["jobs"][0]["processes"] == 3
    assert make(SNIPPET, processes=3)["jobs"][0]["processes"] == 1
    assert make(SNIPPET, parallel=4)["parallel"] == 4
    assert make(SNIPPET)["compile_cache"] is None
    assert make(SNIPPET, compile_cache=True)["compile_cache"] == "/cache"


def test_named_snippets_are_chosen_once_and_in_order(tmp_path):
    """Naming none means all, sorted."""
    project = make_project(tmp_path, {"b/two": SNIPPET, "a/one": SNIPPET})
    assert [snippet.slug for snippet in plan.choose(project, [])] == ["a/one", "b/two"]
    assert [snippet.slug for snippet in plan.choose(project, ["b/two", "a/one", "b/two"])] == [
        "b/two",
        "a/one",
    ]


def test_every_mistake_is_told_at_once(tmp_path):
    """All snippets are parsed before anything runs, and each mistake has its line."""
    project = make_project(tmp_path, {"a/one": "x = 1\n", "b/two": SNIPPET, "c/three": "# %% Bad\n"})
    with pytest.raises(SnippetError) as caught:
        plan.choose(project, [])
    assert str(caught.value).splitlines() == [
        "snippets/a/one.py:1: no cell (start one with a line '# %% name')",
        "snippets/c/three.py:1: a cell is named 'Bad' (name it with a-z, 0-9, _ or -, as in '# %% losses'; "
        "prose belongs in the page)",
    ]


def test_a_snippet_that_is_not_there_says_how_to_start_it(project: Project):
    """A slug that nobody wrote is no silent success."""
    with pytest.raises(
        SnippetError, match=r"snippets/a/b\.py: there is no such snippet \(benchbook new a/b\)"
    ):
        plan.choose(project, ["a/b"])


@pytest.mark.parametrize("word", ["lesson", "a/b/c", "../a", "A/b", "a/b.py", "snippets/a/b"])
def test_a_word_that_is_no_slug_is_wrong_use(project: Project, word: str):
    """Paths are not slugs, and none leads out of the tree."""
    with pytest.raises(UsageError, match=r"is no slug \(write chapter/lesson"):
        plan.choose(project, [word])


def test_a_project_without_snippets_says_so(tmp_path):
    """Nothing to record is a mistake, with the way to begin."""
    with pytest.raises(UsageError, match=r"snippets: there is no snippet \(benchbook new"):
        plan.choose(make_project(tmp_path, {}), [])


@pytest.mark.parametrize(
    ("jax", "runs"),
    [(None, True), ("0.12.0", True), ("0.12.1", True), ("0.9.2", False), ("0.12.0rc1", False)],
)
def test_a_minimum_jax_is_compared_as_a_version(jax: str | None, runs: bool):
    """0.9 is older than 0.12, and a release candidate is older than its release."""
    text = SNIPPET.replace("# tolerance = 1e-5", '# minimum-jax = "0.12.0"')
    assert plan.runs_on(parse(text, slug="a/b", path="p"), jax) is runs
    assert plan.runs_on(parse(SNIPPET, slug="a/b", path="p"), jax) is True
