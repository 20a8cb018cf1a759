"""Descriptions: each hand-written page has one, and it can stand where the theme and llms.txt put it."""

from pathlib import Path

import pytest

from benchbook.check import check
from benchbook.project import Project
from tests.factory import make_project


@pytest.fixture
def site(tmp_path: Path) -> Project:
    """A project with two pages and nothing else."""
    project = make_project(tmp_path / "project", {})
    for name in ("a", "b"):
        (project.docs / f"{name}.md").write_text(f"---\ndescription: The page {name}.\n---\n# {name}\n")
    return project


def found(project: Project) -> list[tuple[str, int | None, str]]:
    """What `check` says."""
    return [(problem.path, problem.line, problem.message) for problem in check(project)]


def test_a_description_of_its_own_is_enough(site: Project) -> None:
    """One plain sentence, and the longest that is shown, are right."""
    assert found(site) == []
    (site.docs / "a.md").write_text(f"---\ndescription: {'x' * 160}\n---\n# a\n")
    assert found(site) == []


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("title: a", "is missing"),
        ("description:", "is missing"),
        ("description: 3", "is missing"),
        ("description: '   '", "is missing"),
        ("description: 'TODO: say it'", "is not written yet"),
        (f"description: {'x' * 161}", "has 161 characters, more than 160"),
        ('description: A "loss" of 0.46.', "holds '\"', which is no plain text"),
        ("description: What `jit` does.", "holds '`', which is no plain text"),
        ("description: A <b>fast</b> loss.", "holds '<', which is no plain text"),
    ],
)
def test_any_other_is_a_problem_of_its_page(site: Project, front: str, message: str) -> None:
    """The page, its first line and what is wrong are named."""
    (site.docs / "a.md").write_text(f"---\n{front}\n---\n# a\n")
    assert found(site) == [("docs/a.md", 1, f"its description {message}")]


def test_two_pages_do_not_share_one(site: Project) -> None:
    """A reader of search results tells them apart."""
    (site.docs / "a.md").write_text("---\ndescription: The page b.\n---\n# a\n")
    message = "its description is that of another page too"
    assert found(site) == [("docs/a.md", 1, message), ("docs/b.md", 1, message)]


def test_a_derived_page_is_not_asked(site: Project) -> None:
    """What `build` writes is the engine's to describe."""
    (site.docs / "bench.md").write_text("# Bench\n")
    assert found(site) == []
