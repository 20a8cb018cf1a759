"""What a reader downloads is the snippet itself."""

from benchbook import check
from benchbook.building import builder
from benchbook.project import Project
from tests.factory import store_run


def test_a_download_is_the_snippet_byte_for_byte(project: Project) -> None:
    """Line ends, letters beyond ASCII and spaces included."""
    path = project.snippet_path("chapter/lesson")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + b"# \xc3\xa9  \r\n")
    builder.build(project)
    assert (project.docs / "snippets/chapter/lesson.py").read_bytes() == path.read_bytes()


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
