"""The parcel: a packed program's results become the runs that recording here would give, or are refused."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.errors import RunError, UsageError
from benchbook.lesson.snippet import parse
from benchbook.project import Backend, Project
from benchbook.recording import parcel, plan
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options
from benchbook.worker.turn import WAITING, Turn
from tests.factory import make_project
from tests.lessons import ARTEFACT, COMPILED, OTHER
from tests.recording import Noting, record, run_of, snippet_text

TEXTS = {
    "a/forked": snippet_text(COMPILED),
    "a/other": snippet_text(OTHER),
    "b/artefact": snippet_text(ARTEFACT),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose snippets are packed."""
    return make_project(tmp_path_factory.mktemp("parcel") / "project", TEXTS)


@pytest.fixture(scope="module")
def accepted(project: Project) -> dict[str, Outcome]:
    """The reference runs of all snippets, recorded here."""
    return {outcome.slug: outcome for outcome in record(project, accept=True)}


@pytest.fixture(scope="module")
def carried(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of a packed program that was run by hand, in another folder."""
    folder = tmp_path_factory.mktemp("elsewhere")
    snippets = plan.choose(project, sorted(TEXTS))
    text = parcel.pack(snippets, project.backend("cpu"), None, Options(parallel=2))
    (folder / "packed.py").write_text(text)
    with (folder / "results.jsonl").open("wb") as results:
        words = [sys.executable, "packed.py"]
        subprocess.run(words, cwd=folder, stdout=results, check=True)
    return folder / "results.jsonl"


def project_at(root: Path) -> Project:
    """Another checkout of the project, without a run."""
    return make_project(root, TEXTS)


def ingest(project: Project, path: Path, *, accept: bool = False) -> list[Outcome]:
    """Takes results in."""
    return list(parcel.ingest(project, path, Options(accept=accept), Noting()))


def test_a_carried_run_is_the_run_that_record_would_give(
    project: Project, carried: Path, accepted: dict[str, Outcome], tmp_path: Path
):
    """Source, cells, results, figures and programs are the same, and artefacts come along."""
    elsewhere = project_at(tmp_path)
    outcomes = {outcome.slug: outcome for outcome in ingest(elsewhere, carried, accept=True)}
    assert sorted(outcomes) == ["a/forked", "a/other", "b/artefact"]
    for slug, outcome in outcomes.items():
        assert outcome.kind == "new"
        one, two = run_of(outcomes, slug), run_of(accepted, slug)
        for group in ("source", "results", "figures", "programs", "artefacts", "environment"):
            assert getattr(one, group) == getattr(two, group), group
        assert [(c.name, c.stdout, c.stderr) for c in one.cells] == [
            (c.name, c.stdout, c.stderr) for c in two.cells
        ]
        assert outcome.stored is not None
        assert outcome.stored.path.is_relative_to(elsewhere.runs)
    note = outcomes["b/artefact"].stored
    assert note is not None
    assert archive.artefact_path(note.path, "note.txt").read_bytes() == b"kept\n"


@pytest.mark.parametrize(
    ("text", "env", "said"),
    [
        ("# {home}/notes.txt\n", {}, "snippets/a/b.py: holds the home path"),
        ("", {"XLA_FLAGS": "--xla_dump_to={home}/dump"}, "pyproject.toml: env of there holds the home path"),
    ],
)
def test_a_program_that_would_tell_who_this_is_is_not_packed(text: str, env: dict[str, str], said: str):
    """What is carried away names no home: the snippet or the setting that does is named, and the mend."""
    home = str(Path.home())
    source = snippet_text("# %% one\n" + text.format(home=home))
    snippet = parse(source, slug="a/b", path="snippets/a/b.py")
    backend = Backend("there", "cpu", env={name: value.format(home=home) for name, value in env.items()})
    with pytest.raises(UsageError) as caught:
        parcel.pack([snippet], backend, None, Options())
    assert str(caught.value).startswith(f"{said}, and what is packed is carried away (")


def test_carried_results_are_compared_like_any_other(
    project: Project, carried: Path, accepted: dict[str, Outcome]
):
    """Without --accept they stay in `.benchbook/`, and reproduce the reference runs."""
    before = sorted(project.runs.rglob("*"))
    assert [outcome.kind for outcome in ingest(project, carried)] == ["reproduced"] * 3
    assert sorted(project.runs.rglob("*")) == before


def test_results_that_were_cut_keep_whole_runs_and_fail(project: Project, carried: Path, tmp_path: Path):
    """Wherever the file ends, what came whole is kept, and the cut is said."""
    lines = [line for line in carried.read_bytes().splitlines(keepends=True) if line != b"\n"]
    cut = tmp_path / "cut.jsonl"
    elsewhere = project_at(tmp_path)
    cut.write_bytes(b"".join(lines[:-1]))
    failed, *others = ingest(elsewhere, cut)
    assert (failed.kind, failed.detail) == ("failed", (f"{cut}: cut short: whole runs are kept",))
    assert [outcome.kind for outcome in others] == ["new"] * 3
    cut.write_bytes(b"".join(lines[:-2]) + lines[-2][:-100])
    failed, *others = ingest(elsewhere, cut)
    assert failed.kind == "failed"
    assert [outcome.kind for outcome in others].count("failed") == 1
    assert len(others) == 3
    cut.write_bytes(b"".join(lines[:2] + lines[3:]))
    failed, *others = ingest(elsewhere, cut)
    assert [failed.kind, *(outcome.kind for outcome in others)].count("failed") == 2
    assert len(others) == 3


def test_results_of_a_program_that_had_to_wait_are_taken_in(project: Project, tmp_path: Path):
    """What it noted for a person meanwhile is no answer, and its count in the end is right."""
    text = parcel.pack(plan.choose(project, ["b/artefact"]), project.backend("cpu"), None, Options())
    (tmp_path / "packed.py").write_text(text)
    (tmp_path / "tmp").mkdir()
    turn = Turn(tmp_path / "tmp")
    assert turn.take(alone=True)
    with subprocess.Popen(
        [sys.executable, "packed.py"],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
        stdout=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            lines = []
            while not lines or WAITING.encode() not in lines[-1]:
                lines.append(process.stdout.readline())
                assert lines[-1], "it ended before it waited"
            turn.leave()
            lines += process.stdout
        finally:
            turn.leave()
            process.kill()
            os.close(turn.descriptor)
    (tmp_path / "results.jsonl").write_bytes(b"".join(lines))
    elsewhere = project_at(tmp_path / "elsewhere")
    assert [outcome.kind for outcome in ingest(elsewhere, tmp_path / "results.jsonl")] == ["new"]


def test_notes_before_the_session_are_passed_over(project: Project, carried: Path, tmp_path: Path):
    """A worker may have to wait before it has anything to say of the machine."""
    note = {"benchbook": 1, "type": "note", "detail": "waiting"}
    *frames, end = frames_of(carried)
    path = write(tmp_path / "noted.jsonl", [note, note, *frames, end | {"count": end["count"] + 2}])
    outcomes = ingest(project_at(tmp_path), path)
    assert [outcome.kind for outcome in outcomes] == ["new"] * 3
    with pytest.raises(RunError, match=r"noted\.jsonl:3: note: detail: Input should be a valid string"):
        ingest(project, write(path, [note, note | {"detail": 3}, *frames, end]))
    with pytest.raises(RunError, match="holds no results of a packed program"):
        ingest(project, write(path, [note]))


def frames_of(path: Path) -> list[dict]:
    """A results file as a list of objects."""
    return [json.loads(line) for line in path.read_bytes().splitlines() if line]


def write(path: Path, frames: list[dict]) -> Path:
    """The list as a results file."""
    path.write_text("\n" + "".join(json.dumps(frame) + "\n" for frame in frames))
    return path


def without(tree: dict, *keys: str) -> dict:
    """The tree with one key taken out."""
    key, *below = keys
    return {
        k: (without(v, *below) if below else ...) if k == key else v
        for k, v in tree.items()
        if below or k != key
    }


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (("plan",), "plan is no object"),
        (("plan", "jobs"), "plan: jobs: Field required"),
        (("plan", "expected"), "plan: expected: Field required"),
        (("plan", "compile_cache"), "plan: compile_cache: Field required"),
        (("plan", "expected", "backend"), r"plan: expected\.backend: Field required"),
        (("machine",), "session: machine: Field required"),
        (("machine", "jax"), "machine: jax: Field required"),
        (("refusal",), "session: refusal: Field required"),
    ],
)
def test_results_that_lack_something_are_refused_in_one_line(
    project: Project, carried: Path, tmp_path: Path, keys: tuple[str, ...], told: str
):
    """A file that somebody edited is an error that names it, not a traceback."""
    head, *others = frames_of(carried)
    path = write(tmp_path / "edited.jsonl", [without(head, *keys), *others])
    with pytest.raises(RunError, match=rf"edited\.jsonl:2: {told} \(give what the packed"):
        ingest(project, path)


@pytest.mark.parametrize(
    "data", [b"", b"nothing of ours\n", b'{"benchbook": 1, "type": "end", "count": 0}\n']
)
def test_a_file_without_results_is_refused(project: Project, tmp_path: Path, data: bytes):
    """What is no results file says what to give instead."""
    path = tmp_path / "results.jsonl"
    path.write_bytes(data)
    with pytest.raises(
        RunError, match=r"holds no results of a packed program, or was cut short in its first line \(give all"
    ):
        ingest(project, path)
    with pytest.raises(RunError, match=r"none\.jsonl: cannot be read: No such file"):
        ingest(project, tmp_path / "none.jsonl")


def test_a_carried_refusal_is_the_backends(project: Project, carried: Path, tmp_path: Path):
    """A packed program that found no device brings back one line."""
    head, *_, end = frames_of(carried)
    path = write(tmp_path / "refused.jsonl", [head | {"refusal": "no TPU"}, end | {"count": 1}])
    (outcome,) = ingest(project, path)
    count = len(head["plan"]["jobs"])
    assert outcome.detail == (f"backend cpu is not here: no TPU; snippets not executed: {count}",)


def test_a_run_that_cannot_be_written_is_a_failure(project: Project, carried: Path, tmp_path: Path):
    """A full or read-only disk costs that run, and is told in one line."""
    elsewhere = project_at(tmp_path)
    (tmp_path / ".benchbook").mkdir()
    (tmp_path / ".benchbook/runs").write_text("a file in the way")
    outcomes = ingest(elsewhere, carried)
    assert [outcome.kind for outcome in outcomes] == ["failed"] * 3
    assert all("cannot be written: " in outcome.detail[0] for outcome in outcomes)


def test_results_may_be_taken_in_twice(project: Project, carried: Path, tmp_path: Path):
    """The same frames are the same runs to the byte: the second time nothing is added, and nothing fails."""
    elsewhere = project_at(tmp_path)
    first = {outcome.slug: outcome for outcome in ingest(elsewhere, carried, accept=True)}
    before = {path: path.read_bytes() for path in elsewhere.runs.rglob("*") if path.is_file()}
    for outcome in ingest(elsewhere, carried, accept=True):
        assert (outcome.kind, outcome.stored) == ("reproduced", first[outcome.slug].stored)
    assert {path: path.read_bytes() for path in elsewhere.runs.rglob("*") if path.is_file()} == before
