"""The archive: files added whole, proven by their names, and the current one of them."""

import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.archive import Stored, current, jax_version, load_all, retracted, save, write_whole
from benchbook.errors import RunError
from benchbook.lesson.snippet import split
from benchbook.project import Project
from tests.factory import SNIPPET, make_run, run_tree, store_run

NOW = split(SNIPPET, path="p")


def refusal(path: Path) -> str:
    """With which words a file is refused."""
    with pytest.raises(RunError, match=r"^shown: ") as caught:
        Stored.load(path, shown="shown")
    return caught.value.message


def on_jax(version: str, **changes: object) -> dict[str, object]:
    """Changes that make a run of that JAX."""
    return {"environment": run_tree()["environment"] | {"jax": version}, **changes}


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


def test_a_write_that_fails_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A reader sees the old state or the new one."""
    path = tmp_path / "file"
    write_whole(path, b"old")

    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new and longer")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_written_for_everybody_to_read(tmp_path: Path):
    """A run is published: its mode is that of any file of a checkout."""
    write_whole(tmp_path / "a/b/file", b"x")
    assert (tmp_path / "a/b/file").stat().st_mode & 0o777 == 0o644


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
    assert archive.artefact_path(stored.path, "a.txt") == folder / "a.txt"
    assert load_all(project, project.runs, "chapter/lesson") == [stored]


def test_a_run_whose_artefact_cannot_be_written_is_not_written(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    """There is no run whose artefact is missing."""
    whole = archive.write_whole

    def fail(path: Path, data: bytes) -> None:
        if path.name == "b.txt":
            raise OSError(28, "No space left on device")
        whole(path, data)

    monkeypatch.setattr(archive, "write_whole", fail)
    with pytest.raises(OSError, match="No space"):
        save(make_run(), project.runs, {"a.txt": b"x", "b.txt": b"y"})
    assert list(project.runs.rglob("*.json")) == []


def test_retracted_runs_are_read_with_reason_and_date(project: Project):
    """The file is one table a run; none is no retraction."""
    assert retracted(project) == {}
    project.runs.mkdir(parents=True)
    path = project.runs / "retracted.toml"
    path.write_text('["0123456789ab"]\nreason = "the clock stood still"\ndate = 2026-01-02\n')
    assert retracted(project) == {"0123456789ab": "the clock stood still (2026-01-02)"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a", "not valid TOML"),
        ('[short]\nreason = "r"\ndate = "d"\n', "[short] is not right"),
        ('["0123456789ab"]\nreason = "r"\n', "[0123456789ab] is not right"),
        ('["0123456789ab"]\nreason = "r"\ndate = "d"\nwho = "w"\n', "[0123456789ab] is not right"),
        ('"0123456789ab" = "wrong"\n', "[0123456789ab] is not right"),
    ],
)
def test_a_wrong_retraction_is_an_error(project: Project, text: str, message: str):
    """A run is not left standing because its retraction was mistyped."""
    project.runs.mkdir(parents=True)
    (project.runs / "retracted.toml").write_text(text)
    with pytest.raises(RunError, match=r"^docs/runs/retracted\.toml: ") as caught:
        retracted(project)
    assert message in caught.value.message


STALE = SNIPPET.replace("jnp.sum(x)", "jnp.mean(x)")
OTHER_EXERCISE = SNIPPET.replace("doubled = 2 * x", "doubled = x + x")


def test_a_fresh_run_comes_before_a_newer_jax(project: Project):
    """What the snippet says now is worth more than a version."""
    fresh = store_run(project, **on_jax("0.9.2"))
    store_run(project, **on_jax("0.12.0", source_text=STALE, started="2027-01-01T00:00:00Z"))
    assert current(load_all(project, project.runs, "chapter/lesson"), NOW) == {"cpu": fresh}


def test_a_changed_exercise_makes_no_run_older(project: Project):
    """Freshness in exercises does not count."""
    store_run(project, **on_jax("0.9.2"))
    newer = store_run(project, **on_jax("0.12.0", source_text=OTHER_EXERCISE))
    assert current(load_all(project, project.runs, "chapter/lesson"), NOW) == {"cpu": newer}


@pytest.mark.parametrize(
    ("less", "more"),
    [("0.9.2", "0.12.0"), ("0.12.0rc1", "0.9.2"), ("0.13.0.dev20260101", "0.12.0"), ("0.12.0", "0.12.0.1")],
)
def test_the_highest_final_release_comes_first(project: Project, less: str, more: str):
    """Versions are ordered as versions, and every pre-release is behind every release."""
    store_run(project, **on_jax(less, started="2027-01-01T00:00:00Z"))
    expected = store_run(project, **on_jax(more))
    assert current(load_all(project, project.runs, "chapter/lesson"), NOW) == {"cpu": expected}


def test_of_equals_the_latest_start_is_current(project: Project):
    """Recording again replaces what is shown."""
    store_run(project, started="2026-01-02T03:04:05Z")
    expected = store_run(project, started="2026-01-02T03:04:06Z")
    store_run(project, started="2026-01-02T03:04:04Z")
    runs = load_all(project, project.runs, "chapter/lesson")
    assert current(runs, NOW) == current(reversed(runs), NOW) == {"cpu": expected}


def test_each_backend_has_a_current_run_and_retracted_ones_are_none(project: Project):
    """A retracted run is passed over, even where it was the only one."""
    old = store_run(project)
    new = store_run(project, started="2026-05-02T03:04:05Z")
    device = run_tree()["hardware"]["device"] | {"platform": "gpu"}
    cuda = store_run(project, backend="cuda", hardware=run_tree()["hardware"] | {"device": device})
    runs = load_all(project, project.runs, "chapter/lesson")
    assert current(runs, NOW) == {"cpu": new, "cuda": cuda}
    assert current(runs, NOW, without=[new.id]) == {"cpu": old, "cuda": cuda}
    assert current(runs, NOW, without={new.id: "", old.id: ""}) == {"cuda": cuda}


def test_a_version_that_nobody_knows_comes_before_all():
    """A local build with an odd version never hides a release."""
    assert jax_version("0.0+what!is?this") < jax_version("0.0.1.dev0")
