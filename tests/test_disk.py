"""Full disks and folders that nobody may write to: one line each, nothing lost, and all well afterwards."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbook.project import Project
from tests import disk, shelf
from tests.disk import Disk
from tests.shelf import benchbook, files, mkdocs

FULL = "No space left on device (make room there, and do it again)"
CLOSED = "Read-only file system (make it writable, or work on a copy elsewhere)"
# words of a command, the place that its one line names, its exit status
WRITING = {
    "record": (["record"], ".benchbook/runs: ", 1),
    "accept": (["record", "--accept"], "docs/runs: ", 1),
    "ingest": (["record", "--ingest", "RESULTS", "--accept"], "docs/runs: ", 1),
    "pack": (["record", "--pack", "job.py"], "job.py: cannot be written: ", 2),
    "build": (["build"], ".benchbook/fragments/a/copy.json: cannot be written: ", 1),
    "new": (["new", "a/three"], "snippets/a/three.py: ", 1),
    "fix": (["check", "--fix"], "snippets/a/copy.py: ", 1),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a packed program printed elsewhere."""
    folder = tmp_path_factory.mktemp("results")
    project = shelf.make(folder / "project")
    assert benchbook(project, "record", "--pack", folder / "job.py").returncode == 0
    with (folder / "results.jsonl").open("wb") as file:
        subprocess.run([sys.executable, folder / "job.py"], cwd=folder, stdout=file, check=True, timeout=120)
    return folder / "results.jsonl"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, results: Path) -> Iterator[tuple[Disk, Project]]:
    """A project on a small disk, with one run."""
    with disk.small(tmp_path_factory.mktemp("small") / "disk") as mounted:
        project = shelf.make(mounted.root / "p")
        assert benchbook(project, "record", "--ingest", results, "--accept").returncode == 0
        shelf.add_copy(project)
        yield mounted, project


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("reason", [FULL, CLOSED], ids=["full", "read-only"])
def test_a_command_that_cannot_write_says_so_in_one_line(
    small: tuple[Disk, Project], results: Path, name: str, reason: str
) -> None:
    """File, reason and mend; nothing is executed for nothing, nothing lost, and no half file left."""
    mounted, project = small
    words, place, status = WRITING[name]
    words = [str(results) if word == "RESULTS" else word for word in words]
    before = files(project.root)
    mounted.fill() if reason == FULL else mounted.forbid()
    try:
        done = benchbook(project, *words)
    finally:
        mounted.clear() if reason == FULL else mounted.allow()
    assert (done.stdout, done.stderr) == ("", f"benchbook: {place}{reason}\n")
    assert done.returncode == status
    assert files(project.root) == before


def test_what_only_reads_needs_no_room(tmp_path: Path, results: Path) -> None:
    """On a disk that refuses every write a project is checked, cited and built into another folder."""
    with disk.small(tmp_path / "disk") as mounted:
        project = shelf.make(mounted.root / "p")
        benchbook(project, "record", "--ingest", results, "--accept")
        benchbook(project, "build")
        mounted.forbid()
        run = next(project.runs.glob("a/one/*.json"))
        assert benchbook(project, "check").stdout == "check: 0 problems, 0 notes\n"
        assert benchbook(project, "cite", run.name).returncode == 0
        built = mkdocs(project, tmp_path / "site")
        assert (built.returncode, built.stderr) == (0, "")
        assert "fine µ" in (tmp_path / "site/a/one/index.html").read_text(encoding="utf-8")


def test_after_making_room_the_same_commands_work(tmp_path: Path, results: Path) -> None:
    """What was written before the disk was full is kept, the rest follows, and all is as on a large disk."""
    large = shelf.make(tmp_path / "large")
    with disk.small(tmp_path / "disk") as mounted:
        project = shelf.make(mounted.root / "p")
        for each in (project, large):
            benchbook(each, "record", "--ingest", results, "--accept")
        mounted.fill()
        with (mounted.root / "filler").open("r+b") as file:  # room for a few files
            file.truncate(mounted.root.joinpath("filler").stat().st_size - 40 * 1024)
        assert benchbook(project, "build").returncode == 1
        partly = files(project.root)
        assert not [name for name in partly if ".writing-" in name]
        mounted.clear()
        assert benchbook(project, "build").returncode == 0
        benchbook(large, "build")
        whole = {name: data for name, data in files(large.root).items() if name != ".benchbook/manifest.json"}
        assert partly.items() <= whole.items()
        assert {name: data for name, data in files(project.root).items() if name in whole} == whole


@pytest.mark.parametrize("words", [["build"], ["check"], ["new", "a/three"]], ids=" ".join)
def test_a_full_folder_for_temporary_files_is_no_matter(tmp_path: Path, words: list[str]) -> None:
    """What writes nothing there works: with nowhere to keep anything but the project."""
    with disk.small(tmp_path / "disk") as mounted:
        mounted.fill()
        project = shelf.make(tmp_path / "p")
        nowhere = {
            "TMPDIR": str(mounted.root),
            "HOME": str(mounted.root),
            "XDG_CACHE_HOME": str(mounted.root),
        }
        benchbook(project, *words, **nowhere)
        done = benchbook(project, *words, **nowhere)
        assert "Traceback" not in done.stderr
        assert "mistake" not in done.stderr
