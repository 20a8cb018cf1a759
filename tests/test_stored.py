"""Stored runs: files added whole, and proven by their names."""

import hashlib
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from benchbook.archive import Stored, artefact_path, load_all, save, stored, write_whole
from benchbook.errors import RunError
from benchbook.project import Project
from tests.factory import make_run, store_run


def refusal(path: Path) -> str:
    """With which words a file is refused."""
    with pytest.raises(RunError, match=r"^shown: ") as caught:
        Stored.load(path, shown="shown")
    return caught.value.message


def test_a_saved_run_loads_as_it_was(project: Project):
    """The file under `docs/runs/<slug>/` holds the run, and its name says backend, JAX and digest."""
    stored = save(make_run(), project.runs)
    digest = hashlib.sha256(stored.path.read_bytes()).hexdigest()
    assert stored.path == project.runs / "chapter/lesson" / f"cpu-jax-0.12.0-{digest[:12]}.json"
    assert Stored.load(stored.path, shown="p") == stored
    assert (stored.digest, stored.id) == (digest, digest[:12])
    assert load_all(project, project.runs, "chapter/lesson") == [stored]


def test_sha256sum_agrees_with_the_name(project: Project):
    """Anybody can check a run with the command that every system has."""
    path = store_run(project).path
    printed = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True).stdout
    assert printed.startswith(path.stem.rpartition("-")[2])


def test_saving_the_same_run_again_changes_nothing(project: Project):
    """One run has one file."""
    assert store_run(project) == store_run(project)
    assert len(list(project.runs.rglob("*.json"))) == 1


@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
def test_a_run_that_cannot_be_finished_leaves_nothing(
    project: Project, monkeypatch: pytest.MonkeyPatch, call: str
):
    """A full disk or a crash between two steps leaves no file: neither a half run nor a temporary one."""
    before = store_run(project)

    def fail(*words: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((os, "fsync", fail) if call == "fsync" else (Path, call, fail)))
    with pytest.raises(OSError, match="No space"):
        save(make_run(started="2026-01-02T03:04:06Z"), project.runs)
    monkeypatch.undo()
    assert [path for path in project.runs.rglob("*") if path.is_file()] == [before.path]


def test_a_place_that_is_no_folder_is_an_error_of_the_system(project: Project):
    """Nothing is written elsewhere instead."""
    project.runs.parent.mkdir(exist_ok=True)
    project.runs.write_text("a file")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        save(make_run(), project.runs)
    assert project.runs.read_text() == "a file"


def test_a_changed_digit_is_found(project: Project):
    """The file's digest is in its name."""
    path = store_run(project).path
    path.write_bytes(path.read_bytes().replace(b'"total": 3.0', b'"total": 3.1'))
    assert re.fullmatch(
        r"its sha256 starts with \w{12}, its name says \w{12}: the file was changed", refusal(path)
    )


def test_converted_line_ends_are_told_apart(project: Project):
    """Git on Windows changes no number: one line says what it did and how to keep it from doing so."""
    path = store_run(project).path
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(RunError, match=r"converted \(restore .* \.gitattributes has .*docs/runs/\*\* -text"):
        Stored.load(path, shown="shown")


def test_the_artefacts_of_a_run_that_is_not_finished_are_taken_back(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    """No file stays that `check` would call a stray; those of a run that another wrote meanwhile stay."""
    run, artefacts = make_run(), {"a.txt": b"a", "b.txt": b"b"}
    finish = Path.replace

    def fail(self: Path, target: Path) -> Path:
        if target.suffix == ".json":
            raise OSError(28, "No space left on device")
        return finish(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        save(run, project.runs, artefacts)
    assert [path for path in project.runs.rglob("*") if path.name != "chapter"] == [
        project.runs / "chapter/lesson"
    ]
    monkeypatch.undo()
    whole = save(run, project.runs, artefacts)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        save(run, project.runs, artefacts)
    assert sorted(path.read_bytes() for path in whole.path.with_suffix("").iterdir()) == [b"a", b"b"]


def test_what_a_killed_recorder_left_is_swept_away(project: Project):
    """The next run of the lesson takes with it what nobody writes any more."""
    store_run(project)
    left = project.runs / "chapter/lesson" / ".writing-abcdefgh"
    left.write_bytes(b"half")
    store_run(project, started="2026-01-02T03:04:06Z")
    assert not left.exists()


@pytest.mark.parametrize(
    "name",
    ["run.json", "cpu-jax-0.12.0.json", "CPU-jax-0.12.0-{id}.json", "cpu-jax-0.12.0-{id}.JSON", "{id}.json"],
)
def test_a_name_that_is_none_of_ours_is_refused(project: Project, name: str):
    """Only `benchbook record` adds files, and it names them all alike."""
    stored = store_run(project)
    path = stored.path.rename(stored.path.with_name(name.format(id=stored.id)))
    assert refusal(path) == "not a run's file name"


@pytest.mark.parametrize("name", ["cuda-jax-0.12.0-{id}.json", "cpu-jax-0.12.1-{id}.json"])
def test_a_name_that_says_something_else_is_refused(project: Project, name: str):
    """Backend and version in the name are those of the run."""
    stored = store_run(project)
    path = stored.path.rename(stored.path.with_name(name.format(id=stored.id)))
    assert refusal(path) == "holds a run of chapter/lesson on cpu"


@pytest.mark.parametrize("folder", ["chapter/other", "other/lesson", "lesson"])
def test_a_run_in_the_folder_of_another_lesson_is_refused(project: Project, folder: str):
    """A run cannot be shown under a lesson that it is not of."""
    stored = store_run(project)
    (project.runs / folder).mkdir(parents=True)
    path = stored.path.rename(project.runs / folder / stored.path.name)
    assert refusal(path) == "holds a run of chapter/lesson on cpu"


def test_load_all_names_the_file_that_is_not_right(project: Project):
    """One bad file is an error with its path, not a run less."""
    stored = store_run(project)
    stored.path.write_bytes(b"")
    with pytest.raises(RunError, match=f"^docs/runs/chapter/lesson/{stored.path.name}: "):
        load_all(project, project.runs, "chapter/lesson")
    assert load_all(project, project.runs, "chapter/none") == []


def test_artefacts_lie_in_a_folder_named_like_the_run(project: Project):
    """Artefacts are written before the run that names them."""
    stored = save(make_run(), project.runs, {"trace.json.gz": b"\x1f\x8b", "a.txt": b"x"})
    folder = stored.path.parent / stored.path.name.removesuffix(".json")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "trace.json.gz": b"\x1f\x8b",
        "a.txt": b"x",
    }
    assert artefact_path(stored.path, "a.txt") == folder / "a.txt"
    assert load_all(project, project.runs, "chapter/lesson") == [stored]


def test_a_run_whose_artefact_cannot_be_written_is_not_written(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    """There is no run whose artefact is missing."""
    whole = write_whole

    def fail(path: Path, data: bytes) -> None:
        if path.name == "b.txt":
            raise OSError(28, "No space left on device")
        whole(path, data)

    monkeypatch.setattr(stored, "write_whole", fail)
    with pytest.raises(OSError, match="No space"):
        save(make_run(), project.runs, {"a.txt": b"x", "b.txt": b"y"})
    assert list(project.runs.rglob("*.json")) == []


def folder(path: Path) -> None:
    """A folder where a run should be."""
    path.mkdir()


def link_to_nothing(path: Path) -> None:
    """A link that leads nowhere."""
    path.symlink_to("gone.json")


def link_to_itself(path: Path) -> None:
    """A link that never ends."""
    path.symlink_to(path.name)


@pytest.mark.parametrize("make", [folder, link_to_nothing, link_to_itself])
def test_what_has_a_run_s_name_and_cannot_be_read_is_named(project: Project, make: Callable[[Path], None]):
    """It is an error with path and mend, for one file and for all of a lesson."""
    stored = store_run(project)
    stored.path.unlink()
    make(stored.path)
    assert refusal(stored.path).startswith("cannot be read: ")
    with pytest.raises(RunError, match=rf"^docs/runs/chapter/lesson/{stored.path.name}: .* \(restore the fi"):
        load_all(project, project.runs, "chapter/lesson")
