"""Locales that are not UTF-8, and paths that are not ASCII: the same bytes, and nothing is unsayable."""

import shutil
import subprocess
from pathlib import Path

import pytest

from benchbook.project import Project, find
from tests import shelf
from tests.shelf import benchbook, files, mkdocs

FIGURE = """
visual_data = {
    "kind": "bar",
    "labels": ["µ", "\u2605"],
    "ylabel": "é",
    "series": [{"label": "ü", "y": [1.0, 2.0]}],
}
"""
SHOWN = "\n/// figure | a/one one\n    alt: A star \u2605.\nA caption \u2605.\n///\n"
BARE = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}


@pytest.fixture(scope="module")
def abroad(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with one run, in a folder with a blank and letters beyond ASCII."""
    project = shelf.make(tmp_path_factory.mktemp("abroad") / "büro mit \u2605")
    project.snippet_path("a/one").write_text(shelf.LESSON + FIGURE, encoding="utf-8")
    with project.page_path("a/one").open("a", encoding="utf-8") as page:
        page.write(SHOWN)
    done = benchbook(project, "record", "--accept")
    assert done.returncode == 0, done.stdout + done.stderr
    assert benchbook(project, "build").returncode == 0
    return project


@pytest.fixture(scope="module")
def latin(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of a real locale whose encoding is ISO-8859-1."""
    if shutil.which("localedef") is None:
        pytest.skip("making a locale takes localedef")
    folder = tmp_path_factory.mktemp("locales")
    name = "de_DE.ISO-8859-1"
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "ISO-8859-1", folder / name], capture_output=True, check=False
    )
    if not (folder / name).exists():
        pytest.skip(f"the sources of locales are not here: {made.stderr.decode(errors='replace')}")
    return {"LC_ALL": name, "LOCPATH": str(folder), "PYTHONUTF8": "0"}


@pytest.fixture(params=["bare", "latin", "ascii"])
def spoken(request: pytest.FixtureRequest) -> dict[str, str]:
    """The variables of one locale that cannot say everything."""
    if request.param == "latin":
        return dict(request.getfixturevalue("latin"))
    return BARE if request.param == "bare" else {"PYTHONIOENCODING": "ascii"}


def test_the_locale_changes_no_byte(abroad: Project, spoken: dict[str, str], tmp_path: Path) -> None:
    """Everything derived and the page with its figure are those of a UTF-8 locale."""
    project = find(shutil.copytree(abroad.root, tmp_path / "ein Büro \u2605"))
    derived = files(project.root)
    for name in [*project.derived(), ".benchbook/manifest.json"]:
        (project.root / name).unlink()
    done = benchbook(project, "build", **spoken)
    assert done.returncode == 0, done.stderr
    found = files(project.root)
    del found[".benchbook/manifest.json"], derived[".benchbook/manifest.json"]  # holds times of files
    assert found == derived
    assert benchbook(project, "check", **spoken).stdout.startswith("check: 0 problems")
    built = mkdocs(project, tmp_path / "site", **spoken)
    assert (built.returncode, built.stderr) == (0, "")
    assert "A caption \u2605." in (tmp_path / "site/a/one/index.html").read_text(encoding="utf-8")


def test_what_a_locale_cannot_say_is_escaped(abroad: Project, spoken: dict[str, str], tmp_path: Path) -> None:
    """A message with letters that standard output does not have is one line all the same."""
    project = find(shutil.copytree(abroad.root, tmp_path / "p"))
    with project.page_path("a/one").open("a", encoding="utf-8") as page:
        page.write("\n/// output | a/one n\u2605\n///\n")
    done = benchbook(project, "build", **spoken)
    assert (done.returncode, done.stdout) == (1, "")
    assert "a/one has no cell 'n\\u2605' (its cells: one)" in done.stderr
    done = benchbook(project, "check", **spoken)
    assert done.returncode == 1
    assert "'n\\u2605'" in done.stdout
    assert "mistake" not in done.stderr


def test_a_recording_says_and_keeps_the_same(abroad: Project, latin: dict[str, str], tmp_path: Path) -> None:
    """A snippet is recorded in a locale of ISO-8859-1 as in any other, below a link too."""
    shutil.copytree(abroad.root, tmp_path / "büro \u2605")
    (tmp_path / "link").symlink_to(tmp_path / "büro \u2605")
    done = benchbook(find(tmp_path / "büro \u2605"), "record", before=f"cd '{tmp_path}/link' &&", **latin)
    assert "1 reproduced; 1 run written to .benchbook/runs" in done.stdout, done.stdout + done.stderr
