"""What a reader downloads is the snippet itself."""

import hashlib

from benchbook import check
from benchbook.building import builder
from benchbook.lesson.snippet import load
from benchbook.project import Project
from tests.factory import store_run


def test_a_download_is_the_snippet_as_it_is_recorded(project: Project) -> None:
    """Its digest is that of the runs, whatever line ends a checkout has; letters and spaces stay."""
    path = project.snippet_path("chapter/lesson")
    data = path.read_bytes() + b"# \xc3\xa9  \n"
    path.write_bytes(data.replace(b"\n", b"\r\n"))
    builder.build(project)
    assert (project.docs / "snippets/chapter/lesson.py").read_bytes() == data
    assert hashlib.sha256(data).hexdigest() == load(path, slug="chapter/lesson", shown="p").sha256


def test_a_download_goes_with_its_snippet(project: Project) -> None:
    """Its runs may stay."""
    store_run(project)
    builder.build(project)
    project.snippet_path("chapter/lesson").unlink()
    assert "docs/snippets/chapter/lesson.py" in builder.build(project).removed


def test_downloads_are_no_lessons_of_their_own(project: Project) -> None:
    """What `check` finds is the same before and after a build."""
    store_run(project)
    before = check.check(project)
    builder.build(project)
    assert check.check(project) == before
