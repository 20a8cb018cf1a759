"""Standard streams that are closed, full or no longer read, and tables of descriptors that are full."""

from pathlib import Path

import pytest

from benchbook.project import Project
from tests import shelf
from tests.shelf import benchbook

OFF = "snippets/a/copy.py"  # what `check` finds of a copy that is out of date


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project in which `check` finds something."""
    project = shelf.make(tmp_path_factory.mktemp("odd") / "p")
    shelf.add_copy(project)
    return project


@pytest.mark.parametrize("after", [">&-", "<&- >&-", "2>&-", "<&- 2>&-"])
def test_a_closed_stream_changes_no_status(odd: Project, after: str) -> None:
    """What would be said there is lost, what is said elsewhere is said, and nothing else is harmed."""
    done = benchbook(odd, "check", after=after)
    assert done.returncode == 1
    assert done.stderr == ""
    assert (OFF in done.stdout) == (">&-" not in after or "2>&-" in after)


def test_a_closed_stream_spoils_no_file(tmp_path: Path) -> None:
    """No file of a build gets the number of standard output, and what is printed."""
    loud, quiet = (shelf.make(tmp_path / name) for name in ("loud", "quiet"))
    for project, after in ((loud, ""), (quiet, ">&- 2>&- <&-")):
        project.page_path("a/one").unlink()
        (project.root / "mkdocs.yml").write_text("site_name: A site\n")
        assert benchbook(project, "build", after=after).returncode == 0
    names = [name for name in shelf.files(loud.root) if name != ".benchbook/manifest.json"]
    assert len(names) > 5
    assert all(shelf.files(loud.root)[name] == shelf.files(quiet.root)[name] for name in names)


@pytest.mark.parametrize("after", ["| head -c 1", "| true"])
@pytest.mark.parametrize("word", ["check", "--help"])
def test_a_reader_that_has_seen_enough_is_no_mistake(odd: Project, word: str, after: str) -> None:
    """A pipe that nobody reads any more ends a command in silence."""
    done = benchbook(odd, word, before="set -o pipefail;", after=after)
    assert done.stderr == ""
    assert done.returncode in (0, 1)  # 0 where all of --help was written before the reader went


@pytest.mark.parametrize("word", ["check", "--help", "--version"])
def test_an_output_that_cannot_be_kept_is_told(odd: Project, word: str) -> None:
    """A full disk below standard output is one line, and never success."""
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    done = benchbook(odd, word, after="> /dev/full")
    assert (
        done.stderr
        == "benchbook: standard output: No space left on device (make room there, and do it again)\n"
    )
    assert done.returncode == 1


def test_few_descriptors_are_enough(odd: Project) -> None:
    """With room for 40 open files a project is built and checked."""
    done = benchbook(odd, "check", before="ulimit -n 40;")
    assert OFF in done.stdout
    assert done.stderr == ""


def test_too_few_descriptors_are_told(odd: Project) -> None:
    """Where not even one file can be opened, the line names it and the limit, or the interpreter ends."""
    done = benchbook(odd, "cite", "000000", before="ulimit -n 4;")
    assert done.returncode != 0
    assert "mistake of its own" not in done.stderr
