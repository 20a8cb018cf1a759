"""Full disks and folders that nobody may write to: one line each, nothing lost, and all well afterwards."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbook.building import builder
from benchbook.check import check
from benchbook.errors import BenchbookError
from benchbook.project import Project, find
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
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A project with a run, as a folder to copy; and what a packed program printed elsewhere."""
    folder = tmp_path_factory.mktemp("original")
    project = shelf.make(folder / "project")
    assert benchbook(project, "record", "--pack", folder / "job.py").returncode == 0
    with (folder / "results.jsonl").open("wb") as file:
        subprocess.run([sys.executable, folder / "job.py"], cwd=folder, stdout=file, check=True, timeout=120)
    assert benchbook(project, "record", "--ingest", folder / "results.jsonl", "--accept").returncode == 0
    return project.root, folder / "results.jsonl"


@pytest.fixture(scope="module")
def small(
    tmp_path_factory: pytest.TempPathFactory, original: tuple[Path, Path]
) -> Iterator[tuple[Disk, Project]]:
    """A copy on a small disk, with something to mend."""
    with disk.small(tmp_path_factory.mktemp("small") / "disk") as mounted:
        project = find(shutil.copytree(original[0], mounted.root / "p"))
        shelf.add_copy(project)
        yield mounted, project


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("reason", [FULL, CLOSED], ids=["full", "read-only"])
def test_a_command_that_cannot_write_says_so_in_one_line(
    small: tuple[Disk, Project], original: tuple[Path, Path], name: str, reason: str
) -> None:
    """File, reason and mend; nothing is executed for nothing, nothing lost, and no half file left."""
    mounted, project = small
    words, place, status = WRITING[name]
    words = [str(original[1]) if word == "RESULTS" else word for word in words]
    before = files(project.root)
    mounted.fill() if reason == FULL else mounted.forbid()
    try:
        done = benchbook(project, *words)
    finally:
        mounted.clear() if reason == FULL else mounted.allow()
    assert (done.stdout, done.stderr) == ("", f"benchbook: {place}{reason}\n")
    assert done.returncode == status
    assert files(project.root) == before


def test_what_only_reads_needs_no_room(tmp_path: Path, original: tuple[Path, Path]) -> None:
    """On a disk that refuses every write a project is checked, cited and built into another folder."""
    with disk.small(tmp_path / "disk") as mounted:
        project = find(shutil.copytree(original[0], mounted.root / "p"))
        builder.build(project)
        mounted.forbid()
        run = next(project.runs.glob("a/one/*.json"))
        assert benchbook(project, "check").stdout == "check: 0 problems, 0 notes\n"
        assert benchbook(project, "cite", run.name).returncode == 0
        built = mkdocs(project, tmp_path / "site")
        assert (built.returncode, built.stderr) == (0, "")
        assert "fine µ" in (tmp_path / "site/a/one/index.html").read_text(encoding="utf-8")


def test_after_making_room_the_same_commands_work(tmp_path: Path, original: tuple[Path, Path]) -> None:
    """What was written before the disk was full is kept, the rest follows, and all is as on a large disk."""
    large = find(shutil.copytree(original[0], tmp_path / "large"))
    with disk.small(tmp_path / "disk") as mounted:
        project = find(shutil.copytree(original[0], mounted.root / "p"))
        mounted.fill()
        with (mounted.root / "filler").open("r+b") as file:  # room for a few files
            file.truncate(mounted.root.joinpath("filler").stat().st_size - 40 * 1024)
        with pytest.raises(BenchbookError, match="No space left on device"):
            builder.build(project)
        partly = files(project.root)
        assert not [name for name in partly if ".writing-" in name]
        mounted.clear()
        builder.build(project)
        builder.build(large)
        whole = {name: data for name, data in files(large.root).items() if name != ".benchbook/manifest.json"}
        assert partly.items() <= whole.items()
        assert {name: data for name, data in files(project.root).items() if name in whole} == whole


def test_a_full_folder_for_temporary_files_is_no_matter(tmp_path: Path, original: tuple[Path, Path]) -> None:
    """With nowhere to keep anything but the project, the project is built and checked."""
    with disk.small(tmp_path / "disk") as mounted:
        mounted.fill()
        project = find(shutil.copytree(original[0], tmp_path / "p"))
        nowhere = {
            "TMPDIR": str(mounted.root),
            "HOME": str(mounted.root),
            "XDG_CACHE_HOME": str(mounted.root),
        }
        built = benchbook(project, "build", **nowhere)
        mounted.forbid()
        for done in (built, benchbook(project, "check", **nowhere)):
            assert done.returncode == 0  # Matplotlib says that it keeps no list of fonts; we say nothing
            assert "benchbook: " not in done.stderr
            assert "Traceback" not in done.stderr


def test_the_same_run_twice_at_once_is_one_file(tmp_path: Path, original: tuple[Path, Path]) -> None:
    """Two recorders that take in the same results at the same moment both succeed."""
    root, results = original
    project = shelf.make(tmp_path / "p")
    words = [sys.executable, "-m", "benchbook", "record", "--ingest", results, "--accept"]
    recorders = [
        subprocess.Popen(words, cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    said = [recorder.communicate(timeout=120) for recorder in recorders]
    assert [recorder.returncode for recorder in recorders] == [0, 0, 0], said
    assert files(project.runs) == files(find(root).runs)


def test_what_a_killed_writer_left_troubles_nobody(tmp_path: Path, original: tuple[Path, Path]) -> None:
    """It is on no page, in no site and no problem; the next build that writes sweeps it away."""
    project = find(shutil.copytree(original[0], tmp_path / "p"))
    places = [project.runs / "a/one", project.docs / "a", project.snippets / "a", project.docs / "figures"]
    left = [place / ".writing-abcdefg1" for place in places]
    builder.build(project)
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"half")
    assert check(project) == []
    built = mkdocs(project, tmp_path / "site")
    assert (built.returncode, built.stderr) == (0, "")
    assert not [name for name in files(tmp_path / "site") if ".writing" in name]
    builder.build(project, force=True)
    assert not [path for path in left if path.exists()]
