"""Checkouts on other systems: the line ends of Windows, and file systems that know no capitals."""

import hashlib
import re
import shutil
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.building import builder
from benchbook.building.site import BuildError
from benchbook.check import check
from benchbook.errors import UsageError
from benchbook.project import Project, find
from benchbook.recording import plan
from tests import disk, shelf
from tests.shelf import benchbook, files, mkdocs

ROOT = Path(__file__).parents[1]
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
GLOSSARY = "---\ntitle: Glossary\ndescription: Words.\n---\n\n# Glossary\n\n### word {: #word }\n\nA word.\n"


def git(folder: Path, *words: str | Path) -> None:
    """Git, with settings of its own."""
    subprocess.run([*GIT, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Project]:
    """A project with a run, and its clone by a git that writes the line ends of Windows."""
    folder = tmp_path_factory.mktemp("pair")
    project = shelf.make(folder / "unix")
    (project.docs / "glossary.md").write_text(GLOSSARY)
    (project.root / "mkdocs.yml").write_text(shelf.SITE + "  - Glossary: glossary.md\n")
    assert benchbook(project, "record", "--accept").returncode == 0
    (project.runs / "retracted.toml").write_text("# none\n")
    (project.root / ".gitattributes").write_text("docs/runs/** -text\n")
    git(project.root, "init", "-q")
    git(project.root, "add", ".")
    git(project.root, "commit", "-q", "-m", "all")
    git(folder, "clone", "-q", "-c", "core.autocrlf=true", project.root, "windows")
    clone = find(folder / "windows")
    (clone.runs / "retracted.toml").write_bytes(b"# none\r\n")
    return project, clone


def test_a_checkout_with_the_line_ends_of_windows_is_built_alike(
    pair: tuple[Project, Project], tmp_path: Path
) -> None:
    """Everything derived and every page are the same to the byte, and `check` finds nothing."""
    unix, windows = pair
    for name in ("pyproject.toml", "mkdocs.yml", "snippets/a/one.py", "docs/a/one.md", "docs/glossary.md"):
        assert b"\r\n" in (windows.root / name).read_bytes()
    for project in pair:
        assert check(project) == []
        builder.build(project)
        built = mkdocs(project, tmp_path / project.root.name)
        assert (built.returncode, built.stderr) == (0, "")
    assert files(unix.fragments) == files(windows.fragments)
    sites = [files(tmp_path / project.root.name) for project in pair]
    for site in sites:
        site["index.html"] = re.sub(rb"Build Date UTC : .*", b"", site["index.html"])
        del site["sitemap.xml.gz"], site["runs/retracted.toml"]  # a time; and what this test wrote
    assert {name for name in sites[0] | sites[1] if sites[0].get(name) != sites[1].get(name)} == set()
    assert b"\r" not in sites[1]["snippets/a/one.py"]


def test_a_snippet_is_recorded_with_the_digest_that_git_keeps(pair: tuple[Project, Project]) -> None:
    """The run of a checkout with CRLF reproduces that of one with LF, and holds the same source."""
    unix, windows = pair
    done = benchbook(windows, "record")
    assert "reproduced" in done.stdout, done.stdout + done.stderr
    (local,) = archive.load_all(windows, windows.local_runs, "a/one")
    (stored,) = archive.load_all(unix, unix.runs, "a/one")
    assert local.run.source == stored.run.source
    assert local.run.source.sha256 == hashlib.sha256(shelf.LESSON.encode()).hexdigest()


def test_line_numbers_are_those_of_the_editor(pair: tuple[Project, Project], tmp_path: Path) -> None:
    """In a page and a snippet with CRLF, and in a page with a signature, an error names the right line."""
    project = find(shutil.copytree(pair[1].root, tmp_path / "p"))
    page = project.page_path("a/one")
    good = page.read_bytes()
    line = good.count(b"\n") + 2
    for before in (b"", b"\xef\xbb\xbf"):
        page.write_bytes(before + good + b"\r\n/// output | a/one nowhere\r\n///\r\n")
        with pytest.raises(BuildError, match=rf"docs/a/one\.md:{line}: a/one has no cell 'nowhere'"):
            builder.build(project)
    page.write_bytes(good)
    snippet = project.snippet_path("a/one")
    snippet.write_bytes(snippet.read_bytes() + b"1 / 0\r\n")
    line = snippet.read_bytes().count(b"\n")
    assert (
        f"snippets/a/one.py:{line}: cell one: raised: ZeroDivisionError"
        in benchbook(project, "record").stdout
    )


def test_a_lesson_is_added_with_the_line_ends_of_the_navigation(
    pair: tuple[Project, Project], tmp_path: Path
) -> None:
    """The new line is like the others, so that an editor and git see one kind."""
    project = find(shutil.copytree(pair[1].root, tmp_path / "p"))
    assert benchbook(project, "new", "a/two").returncode == 0
    text = (project.root / "mkdocs.yml").read_bytes()
    assert b"      - a/one.md\r\n      - a/two.md\r\n" in text
    assert text.count(b"\n") == text.count(b"\r\n")


def test_a_run_that_git_converted_is_told_with_the_mend(
    pair: tuple[Project, Project], tmp_path: Path
) -> None:
    """One line says what happened, and which line of .gitattributes is missing."""
    git(tmp_path, "clone", "-q", pair[0].root, "bare")
    git(tmp_path / "bare", "rm", "-q", ".gitattributes")
    git(tmp_path / "bare", "commit", "-q", "-m", "none")
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", "bare", "windows")
    found = check(find(tmp_path / "windows"))
    (line,) = [str(problem) for problem in found if problem.path.startswith("docs/runs/a/one/")]
    assert "its line ends were converted (restore it from git, and see that .gitattributes has" in line


def test_a_clone_of_this_repository_has_the_line_ends_of_unix() -> None:
    """Whatever git is told elsewhere, scripts run and nothing served differs; runs are never touched."""
    lines = (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "* text=auto eol=lf",
        "docs/runs/** -text",
    ]


def clashes(names: Iterable[str]) -> list[str]:
    """Names, and folders on the way to them, that another file system would take for one."""
    spelled = {
        part for name in names for part in (name, *(str(folder) for folder in Path(name).parents)) if part
    }
    counted = Counter(unicodedata.normalize("NFC", name).casefold() for name in spelled)
    return sorted(name for name, count in counted.items() if count > 1)


def test_no_two_names_differ_only_by_case(site: Path) -> None:
    """Of what git knows, what a build derives and what the site serves: macOS and Windows keep them apart."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False
    )
    tracked = listed.stdout.decode().split("\0")
    assert clashes(["a/B/c", "a/b/c"]) == ["a/b", "a/b/c"]
    assert clashes(tracked) == []
    assert clashes([*tracked, *find(ROOT).derived()]) == []
    assert clashes(path.relative_to(site).as_posix() for path in site.rglob("*")) == []


@pytest.mark.parametrize("slug", ["Jit/compile", "jit/Compile"])
def test_a_lesson_with_a_capital_is_not_overlooked(project: Project, slug: str) -> None:
    """`check` says that nobody sees it, as one file system would take it for another lesson."""
    path = project.snippet_path(slug)
    path.parent.mkdir()
    path.write_text(shelf.LESSON)
    said = [str(problem) for problem in check(project)]
    assert f"snippets/{slug}.py: {slug!r} is no slug (name it with a-z, 0-9 and -, or nobody sees it)" in said
    with pytest.raises(UsageError, match="is no slug"):
        plan.choose(project, [slug])


def test_a_file_system_that_knows_no_capitals_holds_a_project(tmp_path: Path) -> None:
    """On exFAT, which has no links and no modes either, lessons are started, recorded, built and shown."""
    with disk.careless(tmp_path / "disk") as mounted:
        project = shelf.make(mounted.root / "p")
        assert (mounted.root / "P/PYPROJECT.toml").exists()
        assert benchbook(project, "new", "a/two").returncode == 0
        project.snippet_path("a/two").write_text(shelf.LESSON)
        project.page_path("a/two").unlink()
        (project.root / "mkdocs.yml").write_text(shelf.SITE)
        done = benchbook(project, "record", "--accept")
        assert "2 new; 2 runs written" in done.stdout, done.stdout + done.stderr
        project.page_path("a/two").write_text(shelf.PAGE.format(slug="a/two", order=2), encoding="utf-8")
        (project.root / "mkdocs.yml").write_text(shelf.SITE + "      - a/two.md\n")
        builder.build(project)
        assert check(project) == []
        built = mkdocs(project, mounted.root / "site")
        assert (built.returncode, built.stderr) == (0, "")
        assert not [name for name in files(mounted.root) if ".writing-" in name]
