"""The scaffold: what `new` writes is a lesson that runs and scans, and nothing is written over."""

import subprocess
import sys

import pytest

from benchbook.check import check
from benchbook.errors import UsageError
from benchbook.lesson import nav, snippet, starter
from benchbook.lesson.scaffold import new
from benchbook.pages import page
from benchbook.project import Project

MKDOCS = """\
# The site.
site_url: !ENV [SITE_URL, ""]   # by setting
markdown_extensions:
  - pymdownx.emoji: { emoji_index: !!python/name:material.extensions.emoji.twemoji }
nav:
    - Home: index.md
    - A chapter:   # the first
        - chapter/index.md
        - The lesson: chapter/lesson.md   # the only one
    # the end of the chapter
    - Other:
        - other/index.md
"""
ANATOMY = [
    "What you will be able to do",
    "The problem",
    "The idea",
    "Check the values before timing",
    "Step by step",
    "The figure",
    "Recorded run",
    "Experiments",
    "Exercises",
    "Check your understanding",
    "Diagnose the result",
    "Carry forward",
    "Keep your evidence",
    "Primary references",
]


@pytest.fixture
def site(project: Project) -> Project:
    """A project with two chapters in its navigation."""
    (project.root / nav.FILE).write_text(MKDOCS)
    for chapter in ("chapter", "other"):
        (project.docs / chapter).mkdir()
        (project.docs / chapter / "index.md").write_text("# A chapter\n")
    (project.docs / "chapter" / "lesson.md").write_text("---\norder: 4\n---\n# A lesson\n")
    return project


def _files(project: Project) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in project.root.rglob("*") if path.is_file()}


def test_the_files_are_named(site: Project) -> None:
    """A snippet, a page and the navigation."""
    assert new(site, "chapter/cache-keys") == [
        "snippets/chapter/cache-keys.py",
        "docs/chapter/cache-keys.md",
        "mkdocs.yml",
    ]


def test_the_snippet_is_valid(site: Project) -> None:
    """It parses as a snippet, and each of its three exercises has a blank for the reader."""
    new(site, "chapter/cache-keys")
    path = site.snippet_path("chapter/cache-keys")
    written = snippet.load(path, slug="chapter/cache-keys", shown="shown")
    exercises = [cell for cell in written.cells if cell.solution]
    levels = ["foundation", "practice", "challenge"]
    assert [cell.name for cell in exercises] == [f"exercise-{level}" for level in levels]
    assert all(" = ...  # TODO: " in starter.derive(cell.source) for cell in exercises)


def test_the_snippet_runs_as_it_stands(site: Project) -> None:
    """A writer starts from something that works."""
    new(site, "chapter/cache-keys")
    command = [sys.executable, site.snippet_path("chapter/cache-keys")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("PASS: the values are as derived without JAX\n")


def test_the_page_has_the_whole_anatomy(site: Project) -> None:
    """Each part has its heading, in order, and each block of it is one that the scanner knows."""
    new(site, "chapter/cache-keys")
    written = page.load(site, site.page_path("chapter/cache-keys"))
    headings = [line[3:] for line in written.text.splitlines() if line.startswith("## ")]
    assert [heading for heading in headings if heading in ANATOMY] == ANATOMY
    assert {use.kind for use in written.uses} == {"cell", "output", "claim", "figure", "starter"}
    assert {use.slug for use in written.uses} == {"chapter/cache-keys"}


def test_the_page_names_only_cells_that_are_there(site: Project) -> None:
    """Page and snippet fit from the start."""
    new(site, "chapter/cache-keys")
    cells = snippet.load(
        site.snippet_path("chapter/cache-keys"), slug="chapter/cache-keys", shown="shown"
    ).cells
    uses = page.load(site, site.page_path("chapter/cache-keys")).uses
    named = {use.name for use in uses if use.name and use.kind != "claim"}
    assert named <= {cell.name for cell in cells}


def test_the_front_matter_follows_the_chapter(site: Project) -> None:
    """The order is the next one of the chapter."""
    new(site, "chapter/cache-keys")
    front = page.load(site, site.page_path("chapter/cache-keys")).front
    assert front.pop("description").startswith("TODO: ")
    assert front == {"title": "Cache keys", "chapter": "chapter", "order": 5, "minutes": 45}


def test_the_navigation_gains_one_line_and_keeps_the_rest(site: Project) -> None:
    """Comments, tags and layout stay as they were."""
    new(site, "chapter/cache-keys")
    expected = MKDOCS.replace("# the only one\n", "# the only one\n        - chapter/cache-keys.md\n")
    assert (site.root / nav.FILE).read_text() == expected
    new(site, "other/first")
    assert (site.root / nav.FILE).read_text() == expected + "        - other/first.md\n"


def test_a_navigation_without_a_last_newline_is_kept_whole(site: Project) -> None:
    """The line goes below the last one, not behind it."""
    (site.root / nav.FILE).write_text(MKDOCS.rstrip("\n"))
    new(site, "other/first")
    assert (site.root / nav.FILE).read_text() == MKDOCS + "        - other/first.md\n"


@pytest.mark.parametrize(
    ("slug", "message", "mend"),
    [
        ("chapter/lesson", "snippets/chapter/lesson.py: is there already", "choose another slug"),
        ("Chapter/Lesson", "'Chapter/Lesson' is no slug", "write chapter/lesson"),
        ("lesson", "'lesson' is no slug", "write chapter/lesson"),
        ("../other/x", "'../other/x' is no slug", "write chapter/lesson"),
        ("chapter/a/b", "'chapter/a/b' is no slug", "write chapter/lesson"),
        ("missing/lesson", "there is no chapter 'missing'", "choose from chapter, other"),
    ],
)
def test_a_wrong_slug_is_refused_and_writes_nothing(
    site: Project, slug: str, message: str, mend: str
) -> None:
    """A taken, a malformed and an unknown place leave the project as it was."""
    before = _files(site)
    with pytest.raises(UsageError) as caught:
        new(site, slug)
    assert str(caught.value).startswith(message)
    assert mend in str(caught.value.mend)
    assert _files(site) == before


@pytest.mark.parametrize(
    "text",
    [
        "nav:\n  - Home: index.md\n",
        "nav: [chapter/index.md, other/index.md]\n",
        "site_name: no nav\n",
        "",
        "nav: [\n",
    ],
)
def test_a_navigation_without_a_place_is_refused_and_writes_nothing(site: Project, text: str) -> None:
    """Where the line would go is never guessed."""
    (site.root / nav.FILE).write_text(text)
    before = _files(site)
    with pytest.raises(UsageError, match=r"mkdocs\.yml"):
        new(site, "chapter/cache-keys")
    assert _files(site) == before


def test_a_page_without_its_snippet_is_not_written_over(site: Project) -> None:
    """Either half of a slug makes it taken."""
    site.snippet_path("chapter/lesson").unlink()
    with pytest.raises(UsageError, match=r"docs/chapter/lesson\.md: is there already"):
        new(site, "chapter/lesson")


def test_check_names_what_is_left_to_do(site: Project) -> None:
    """A new lesson falls short in what only its author can do: record it, and write its sentences."""
    new(site, "other/stages")
    messages = {problem.message for problem in check(site) if "stages" in problem.path}
    assert "TODO: this is not written yet" in messages
    assert all("not written yet" in message or "run" in message for message in messages), messages
