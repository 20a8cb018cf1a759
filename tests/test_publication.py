"""The published branch: what the setting may say, and that the workflow really makes it."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchbook import publication
from benchbook.errors import UsageError
from benchbook.project import Project, find
from benchbook.publication import Publication
from tests.built import PROJECT

WORKFLOW = PROJECT.root / ".github/workflows/publish.yml"
SECRET = "a-token-of-the-workflow"  # noqa: S105 - it opens nothing


@pytest.fixture(autouse=True)
def _unset(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of these tests publishes nowhere."""
    monkeypatch.delenv("PUBLISHED", raising=False)


def _configured(project: Project, line: str) -> Project:
    path = project.root / "pyproject.toml"
    path.write_text(path.read_text().replace("[tool.benchbook]\n", f"[tool.benchbook]\n{line}\n", 1))
    return find(project.root)


def _job(name: str) -> dict[str, Any]:
    jobs: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text())["jobs"]
    return jobs[name]


def _git(*words: str, cwd: Path) -> str:
    return subprocess.run(["git", *words], cwd=cwd, capture_output=True, text=True, check=True).stdout


def test_a_setting_names_owner_repository_and_branch(project: Project):
    """Nothing is published unless it says so."""
    assert project.published is None
    found = _configured(project, 'published = "some-one/jax.measured@pages/main"').published
    assert found == Publication("some-one", "jax.measured", "pages/main")
    assert found.colab("notebooks/a/b.ipynb") == (
        "https://colab.research.google.com/github/some-one/jax.measured/blob/pages/main/notebooks/a/b.ipynb"
    )


@pytest.mark.parametrize("branch", ["v1.2", "a/b-c/d_e", "lock", "a.locked", "x.y.z"])
def test_any_branch_that_git_allows_may_be_named(branch: str, tmp_path: Path):
    """Dots and slashes inside a name are no mistake."""
    found = publication.read(f"owner/.github@{branch}", path=None)
    assert found == Publication("owner", ".github", branch)
    _git("check-ref-format", "--branch", branch, cwd=tmp_path)


def test_the_environment_has_the_last_word(project: Project, monkeypatch: pytest.MonkeyPatch):
    """A workflow says where it publishes itself; an empty word says that nothing is published."""
    monkeypatch.setenv("PUBLISHED", "fork/repository@gh-pages")
    configured = _configured(project, 'published = "owner/repository@gh-pages"')
    assert configured.published == Publication("fork", "repository", "gh-pages")
    monkeypatch.setenv("PUBLISHED", "")
    assert find(project.root).published is None


@pytest.mark.parametrize(
    "value",
    [
        "1",
        "0",
        "[]",
        '"owner/repository"',
        '"owner@branch"',
        '"owner/repository@"',
        '"https://github.com/owner/repository@gh-pages"',
        '"owner/repository@gh-pages/"',
        '"owner/repository@a b"',
        '"owner/repository@gh-pages\\n"',
        '"owner/..@gh-pages"',
        '"owner/.@gh-pages"',
        '"owner/repository@.."',
        '"owner/repository@a/../b"',
        '"owner/repository@a..b"',
        '"owner/repository@.a"',
        '"owner/repository@a/.b"',
        '"owner/repository@a."',
        '"owner/repository@a.lock/b"',
        '"owner/repository@-a"',
        '"own\u00ebr/repository@gh-pages"',
    ],
)
def test_a_wrong_setting_is_one_line_with_its_mend(project: Project, value: str):
    """The file, what stands there, and how to write it; exit status 2."""
    with pytest.raises(UsageError, match="'published' is ") as caught:
        _configured(project, f"published = {value}")
    assert (caught.value.path, caught.value.exit_status) == ("pyproject.toml", 2)
    assert caught.value.mend == 'write it as in "owner/repository@gh-pages"'


def test_a_wrong_word_of_the_environment_is_named(project: Project, monkeypatch: pytest.MonkeyPatch):
    """The message names the variable, and no file."""
    monkeypatch.setenv("PUBLISHED", "gh-pages")
    with pytest.raises(UsageError, match=r"^PUBLISHED is 'gh-pages'"):
        find(project.root)


def test_the_workflow_says_where_it_publishes():
    """What it tells the build is its own repository, at the branch that it pushes."""
    build, pushed = _job("build"), _job("branch")["steps"][-1]["run"]
    told = next(step["env"]["PUBLISHED"] for step in build["steps"] if step.get("run") == "make site")
    found = publication.read(told.replace("${{ github.repository }}", "owner/repository"), path=None)
    assert found == Publication("owner", "repository", "gh-pages")
    assert f"--initial-branch {found.branch}\n" in pushed
    assert {"build", "branch"} == set(_job("deploy")["needs"])


def test_only_the_job_that_pushes_may_write():
    """What executes snippets and builds has no right to change the repository."""
    rights = yaml.safe_load(WORKFLOW.read_text())["permissions"]
    assert rights == {"contents": "read"}
    assert "permissions" not in _job("build")
    assert _job("branch")["permissions"] == {"contents": "write"}


def test_the_pushed_branch_is_the_site(tmp_path: Path):
    """The workflow's own script, with git for real: one commit that holds every file, the second time too."""
    remote, work = tmp_path / "remote/owner/repository", tmp_path / "work"
    remote.mkdir(parents=True)
    _git("init", "--quiet", "--bare", cwd=remote)
    for number in (1, 2):
        site, here = tmp_path / f"site{number}", work / str(number)
        (site / "notebooks/jit").mkdir(parents=True)
        here.mkdir(parents=True)
        (site / "notebooks/jit/compile.ipynb").write_text(f"{number}\n")
        (site / f"page{number}.html").write_text("<p>page</p>")
        subprocess.run(["tar", "-cf", here / "artifact.tar", "-C", site, "."], check=True)
        _push(here, tmp_path)
    assert _git("rev-list", "--count", "gh-pages", cwd=remote).strip() == "1"
    assert _git("ls-tree", "-r", "--name-only", "gh-pages", cwd=remote).split() == [
        ".nojekyll",
        "notebooks/jit/compile.ipynb",
        "page2.html",
    ]
    assert _git("show", "gh-pages:notebooks/jit/compile.ipynb", cwd=remote) == "2\n"
    assert SECRET not in _git("log", "--format=fuller", "gh-pages", cwd=remote)


def _push(here: Path, home: Path) -> None:
    """Runs the step as a runner does, with the repository's address leading to a folder."""
    redirect = f"url.file://{home}/remote/.insteadOf"
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TOKEN": SECRET,
        "GITHUB_SHA": "0" * 40,
        "GITHUB_REPOSITORY": "owner/repository",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": redirect,
        "GIT_CONFIG_VALUE_0": f"https://x-access-token:{SECRET}@github.com/",
    }
    script = _job("branch")["steps"][-1]["run"]
    subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=here, env=variables, check=True)
