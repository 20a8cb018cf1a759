"""Fragments hold what the blocks show: the right runs, decided claims, and problems with file and line."""

import json
from typing import Any

import pytest

from benchbook import archive
from benchbook.building import fragment
from benchbook.pages.page import Page, scan
from benchbook.pages.use import Use
from benchbook.project import Project
from tests.factory import SNIPPET, make_run, run_tree, store_run

SLUG = "chapter/lesson"
CHANGED = SNIPPET.replace("jnp.sum(x)", "jnp.sum(x) + 0")


def on(jax: str, **changes: Any) -> dict[str, Any]:
    """Changes that put a run on another JAX."""
    environment = run_tree()["environment"] | {"jax": jax, "jaxlib": jax}
    return {"environment": environment, **changes}


def derive(project: Project, *claims: str, local: bool = False) -> dict[str, Any]:
    """The fragment of the one lesson, with some claims to decide."""
    uses = [Use("claim", SLUG, {"holds": text}, "S.", 1) for text in claims]
    return fragment.derive(project, SLUG, uses=uses, local=local)


def page(text: str) -> Page:
    """A scanned page."""
    return scan(text, path="docs/p.md")


def test_a_fragment_is_plain_data_and_the_same_each_time(project: Project) -> None:
    """It survives JSON, and deriving it again changes nothing."""
    store_run(project)
    store_run(project, **on("0.9.2"))
    first = derive(project, "eager > compiled", "total == 3")
    assert json.loads(json.dumps(first, allow_nan=False)) == first
    assert json.dumps(first) == json.dumps(derive(project, "total == 3", "eager > compiled"))


def test_the_newest_jax_is_current_and_each_version_can_be_asked_for(project: Project) -> None:
    """A page may set two versions side by side."""
    new, old = store_run(project), store_run(project, **on("0.9.2"))
    found = derive(project)
    assert found["current"] == {"cpu": new.id}
    assert found["selected"] == {"cpu-0.12.0": new.id, "cpu-0.9.2": old.id}
    assert set(found["runs"]) == {new.id, old.id}


def test_of_one_version_the_latest_fresh_run_is_taken(project: Project) -> None:
    """A later run of other code does not take its place."""
    fresh = store_run(project)
    store_run(project, started="2026-01-01T00:00:00Z")
    store_run(project, started="2026-03-01T00:00:00Z", source_text=CHANGED)
    found = derive(project)
    assert found["selected"] == {"cpu-0.12.0": fresh.id}
    assert not found["runs"][fresh.id]["stale"]


def test_a_stale_run_says_which_cells_it_still_stands_for(project: Project) -> None:
    """Freshness ends at the first cell that changed."""
    stored = store_run(project, source_text=CHANGED)
    found = derive(project)["runs"][stored.id]
    assert (found["fresh"], found["stale"]) == (["inputs"], True)


def test_a_retracted_run_is_in_no_fragment(project: Project) -> None:
    """Neither as current nor by its version."""
    stored = store_run(project)
    text = f'["{stored.id}"]\nreason = "wrong"\ndate = 2026-02-01\n'
    (project.runs / "retracted.toml").write_text(text)
    found = derive(project)
    assert (found["runs"], found["current"], found["selected"]) == ({}, {}, {})


def test_runs_of_this_machine_are_shown_only_when_asked_for(project: Project) -> None:
    """And then they are marked as not accepted."""
    reference = store_run(project)
    own = archive.save(make_run(started="2026-02-02T00:00:00Z"), project.local_runs)
    assert derive(project)["current"] == {"cpu": reference.id}
    found = derive(project, local=True)
    assert found["current"] == {"cpu": own.id}
    assert not found["runs"][own.id]["accepted"]


def test_claims_are_decided_on_each_run(project: Project) -> None:
    """Times by the interval of their ratio, values outright, and a wrong one says what is wrong."""
    stored = store_run(project)
    texts = ("eager > compiled", "eager < compiled", "total == 3", "total == 4", "nothing > 1")
    claims = derive(project, *texts)["claims"]
    decided = {text: by_run[stored.id] for text, by_run in claims.items()}
    assert decided["eager > compiled"]["verdict"] == "holds"
    assert decided["eager > compiled"]["ratio"][0] == pytest.approx(3)
    assert decided["eager < compiled"]["verdict"] == "does not hold"
    assert decided["total == 3"] == {"verdict": "holds", "ratio": None}
    assert decided["total == 4"]["verdict"] == "does not hold"
    assert "nothing" in decided["nothing > 1"]["error"]


def test_rows_state_method_and_verdict(project: Project) -> None:
    """A number is never without its inputs, its method and the rule of its verdict."""
    stored = store_run(project)
    row = derive(project)["runs"][stored.id]["rows"][1]
    assert row["name"] == "compiled"
    assert row["median"] == "5.02 µs [5.00, 5.04]"
    assert (row["inputs"], row["calls"], row["warmup"], row["wait"]) == (
        "float32[3]",
        "4 \u00d7 5",
        "1",
        "each call",
    )
    assert (row["verdict"], row["rule"]) == ("stable", "MAD / median 0.2%, at most 5%")


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("/// cell | chapter/lesson totl\n///", "has no cell 'totl' (its cells: inputs, total, exercise)"),
        ("/// cell | chapter/other\n///", "chapter/other cannot be shown"),
        ("/// starter | chapter/lesson total\n///", "cell 'total' is no exercise"),
        ("/// output | chapter/lesson\n    run: cpu-0.1\n///", "has no run on cpu-0.1 (run benchbook record"),
        ("/// output | chapter/lesson\n    run: gpu\n///", "no backend is named gpu (known: cpu, cuda)"),
        ("/// output | chapter/lesson\n    run: cuda\n///", "chapter/lesson --backend cuda --accept"),
        ("/// output | chapter/lesson\n    run: cpu-0.9.2\n///", "the run on cpu-0.9.2 is stale"),
        ("/// figure | chapter/lesson inputs\n    alt: x\nC.\n///", "holds a figure 'inputs'"),
        (
            "/// claim | chapter/lesson\n    holds: totl == 3\nS.\n///",
            "no result or measurement is named 'totl'",
        ),
        (":value[chapter/lesson totl]", "no result or measurement is named 'totl'"),
        (":value[chapter/lesson@cuda total]", "has no run on cuda"),
        (":value[chapter/lesson@cpu-0.1 total]", "has no run on cpu-0.1"),
        (":value[chapter/lesson eager + total]", "p.md:3"),
        (":value[chapter/lesson __import__('os')]", "p.md:3"),
    ],
)
def test_what_is_not_there_is_a_problem_with_file_and_line(project: Project, block: str, said: str) -> None:
    """Each wrong name, run and expression is found, and nothing else."""
    store_run(project)
    store_run(project, **on("0.9.2", source_text=CHANGED))
    found = fragment.problems(project, page(f"A\n\n{block}\n"))
    assert len(found) == 1
    assert str(found[0]).startswith("docs/p.md:3: ")
    assert said in str(found[0])


def test_a_whole_page_has_no_problem(project: Project) -> None:
    """A right page stays right, whether or not a backend has a run."""
    store_run(project)
    blocks = "/// output | chapter/lesson\n///\n\n/// measurements | chapter/lesson\n///\n"
    text = f"{blocks}\n:value[chapter/lesson total]\n"
    assert fragment.problems(project, page(text)) == []


def test_blocks_of_a_lesson_without_runs_are_no_problem(project: Project) -> None:
    """The page says that no run is there; only a value in a sentence cannot do without."""
    text = "/// output | chapter/lesson\n///\n\n/// figure | chapter/lesson total\n    alt: x\nC.\n///\n"
    assert fragment.problems(project, page(text)) == []
    assert "--accept" in str(fragment.problems(project, page(":value[chapter/lesson total]"))[0])
