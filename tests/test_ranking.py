"""The ranking: fresh runs first, then the highest final release, then the latest start."""

import pytest

from benchbook.archive import current, jax_version, load_all
from benchbook.lesson.cell import split
from benchbook.project import Project
from tests.factory import SNIPPET, run_tree, store_run

NOW = split(SNIPPET, path="p")
STALE = SNIPPET.replace("jnp.sum(x)", "jnp.mean(x)")
OTHER_EXERCISE = SNIPPET.replace("doubled = 2 * x", "doubled = x + x")


def on_jax(version: str, **changes: object) -> dict[str, object]:
    """Changes that make a run of that JAX."""
    return {"environment": run_tree()["environment"] | {"jax": version}, **changes}


def test_a_fresh_run_comes_before_a_newer_jax(project: Project):
    """What the snippet says now is worth more than a version."""
    fresh = store_run(project, **on_jax("0.9.2"))
    store_run(project, **on_jax("0.12.0", source_text=STALE, started="2027-01-01T00:00:00Z"))
    assert current(load_all(project, project.runs, "chapter/lesson"), NOW) == {"cpu": fresh}


def test_a_changed_exercise_makes_no_run_older(project: Project):
    """Freshness in exercises does not count."""
    store_run(project, **on_jax("0.9.2"))
    newer = store_run(project, **on_jax("0.12.0", source_text=OTHER_EXERCISE))
    assert current(load_all(project, project.runs, "chapter/lesson"), NOW) == {"cpu": newer}


@pytest.mark.parametrize(
    ("less", "more"),
    [("0.9.2", "0.12.0"), ("0.12.0rc1", "0.9.2"), ("0.13.0.dev20260101", "0.12.0"), ("0.12.0", "0.12.0.1")],
)
def test_the_highest_final_release_comes_first(project: Project, less: str, more: str):
    """Versions are ordered as versions, and every pre-release is behind every release."""
    store_run(project, **on_jax(less, started="2027-01-01T00:00:00Z"))
    expected = store_run(project, **on_jax(more))
    assert current(load_all(project, project.runs, "chapter/lesson"), NOW) == {"cpu": expected}


def test_of_equals_the_latest_start_is_current(project: Project):
    """Recording again replaces what is shown."""
    store_run(project, started="2026-01-02T03:04:05Z")
    expected = store_run(project, started="2026-01-02T03:04:06Z")
    store_run(project, started="2026-01-02T03:04:04Z")
    runs = load_all(project, project.runs, "chapter/lesson")
    assert current(runs, NOW) == current(reversed(runs), NOW) == {"cpu": expected}


def test_each_backend_has_a_current_run_and_retracted_ones_are_none(project: Project):
    """A retracted run is passed over, even where it was the only one."""
    old = store_run(project)
    new = store_run(project, started="2026-05-02T03:04:05Z")
    device = run_tree()["hardware"]["device"] | {"platform": "gpu"}
    cuda = store_run(project, backend="cuda", hardware=run_tree()["hardware"] | {"device": device})
    runs = load_all(project, project.runs, "chapter/lesson")
    assert current(runs, NOW) == {"cpu": new, "cuda": cuda}
    assert current(runs, NOW, without=[new.id]) == {"cpu": old, "cuda": cuda}
    assert current(runs, NOW, without={new.id: "", old.id: ""}) == {"cuda": cuda}


def test_a_version_that_nobody_knows_comes_before_all():
    """A local build with an odd version never hides a release."""
    assert jax_version("0.0+what!is?this") < jax_version("0.0.1.dev0")


def test_a_run_of_a_cell_that_is_gone_comes_after_a_fresh_one(project: Project):
    """What a deleted cell left is no result of the lesson."""
    more = SNIPPET.replace("# %% exercise", "# %% more\ntotal = 5.0\n\n# %% exercise")
    fresh = store_run(project, **on_jax("0.9.2"))
    store_run(project, **on_jax("0.12.0", source_text=more))
    assert current(load_all(project, project.runs, "chapter/lesson"), NOW) == {"cpu": fresh}
