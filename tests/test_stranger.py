"""A stranger's results are data: taken in whole, or refused in one line, and never written elsewhere."""

import base64
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchbook import archive
from benchbook.errors import BenchbookError
from benchbook.project import Project
from tests import stranger
from tests.answers import artefact
from tests.conftest import SOAK

Change = Callable[[list[Any]], object]


def failed(project: Project, path: Path) -> str:
    """Why the lesson of the file became no run; nothing was written."""
    (outcome,) = stranger.ingest(project, path)
    assert (outcome.kind, outcome.slug) == ("failed", stranger.SLUG)
    assert not project.runs.exists()
    assert len(outcome.detail) == 1
    assert "\n" not in outcome.detail[0]
    return outcome.detail[0]


def test_a_whole_file_becomes_its_runs(project: Project, tmp_path: Path):
    """The file that the other tests change is right as it is."""
    (outcome,) = stranger.ingest(project, stranger.write(tmp_path / "r", stranger.frames(project)))
    assert (outcome.kind, outcome.detail) == ("new", ())
    assert outcome.stored in archive.load_all(project, project.runs, stranger.SLUG)


def entry(told: list[Any]) -> dict[str, Any]:
    """The file that the first process left behind."""
    return told[1]["left"]["artefacts"]["note"]


def both(told: list[Any], **changes: object) -> None:
    """Changes both processes."""
    for frame in told[1:3]:
        frame.update(changes)


def entries(told: list[Any], **changes: object) -> None:
    """Changes the file of both processes."""
    for frame in told[1:3]:
        frame["left"]["artefacts"]["note"].update(changes)


def twice(told: list[Any]) -> None:
    """Two artefacts that are files of one name."""
    for frame in told[1:3]:
        frame["left"]["artefacts"]["other"] = artefact(b"other\n")
        frame["left"]["from"]["artefacts.other"] = "total"


REFUSED: list[tuple[str, Change, str]] = [
    ("text", lambda f: f[0]["plan"]["jobs"][0].update(text="x = 1\n"), "snippets/chapter/lesson.py"),
    ("sha256", lambda f: f[0]["plan"]["jobs"][0].update(sha256="0" * 64), "is not what its sha256 says"),
    ("bytes", lambda f: entry(f).update(data=base64.b64encode(b"other").decode()), "did not arrive whole"),
    ("digest", lambda f: entry(f).update(sha256="0" * 64), "did not arrive whole"),
    ("size", lambda f: entry(f).update(size=2), "did not arrive whole"),
    ("large", lambda f: entry(f).update(size=2**40), "artefacts.note.size: Input should be less"),
    ("path", lambda f: entries(f, path="../x.txt"), "no artefact's file is named '../x.txt'"),
    ("kind", lambda f: entries(f, type="text/html\n"), "artefacts.note.type: String should match"),
    ("names", twice, "two artefacts are files named a.txt"),
    ("base64", lambda f: entry(f).update(data="?"), "the worker's answer is not right"),
    ("future", lambda f: both(f, ended="9999-01-01T00:00:00Z"), "the clock there is wrong (set it"),
    ("instant", lambda f: both(f, ended="later"), "ended: String should match"),
    ("back", lambda f: both(f, started="2026-06-01T00:00:00Z"), "it ended before it began: the clock"),
    ("gpu", lambda f: [p["device"].update(platform="gpu") for p in f[1:3]], "backend 'cpu' is not 1 x gpu"),
    ("count", lambda f: [p["device"].update(count=4) for p in f[1:3]], "backend 'cpu' is not 4 x cpu"),
    ("mixed", lambda f: f[2]["device"].update(kind="TPU"), "its processes ran on different devices"),
    ("fewer", lambda f: [p["cells"].pop() for p in f[1:3]], "its cells are not those that ran"),
    ("name", lambda f: [p["left"]["results"].update({"\x1b[2J": 1}) for p in f[1:3]], "snippets/chapter"),
    ("surrogate", lambda f: [p["cells"][1].update(stdout="\ud800") for p in f[1:3]], "can't encode"),
    ("source", lambda f: f[0]["plan"]["jobs"][0].update(text="'\ud800'"), "snippets/chapter/lesson.py"),
    ("overflow", lambda f: f[1]["left"]["results"].update(total=10**400), "snippets/chapter/lesson.py"),
    ("long", lambda f: both(f, wall_ns=10**400), "method.process_ns.0: "),
    (
        "flags",
        lambda f: f[1].update(flags={"HOME_TOKEN": "x"}),
        "no worker records the variable 'HOME_TOKEN'",
    ),
    ("huge", lambda f: [p["left"]["results"].update(total=2**70) for p in f[1:3]], "at most 2**63"),
]


@pytest.mark.parametrize(("change", "told"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_does_not_belong_is_refused_with_its_place(
    project: Project, tmp_path: Path, change: Change, told: str
):
    """The line names the results file and the line in it; no file is written."""
    frames = stranger.frames(project)
    change(frames)
    said = failed(project, stranger.write(tmp_path / "r.jsonl", frames))
    assert told in said
    assert said.endswith(f", at {tmp_path}/r.jsonl:4")
    assert "\x1b" not in said


def test_a_backend_of_nobody_is_refused(project: Project, tmp_path: Path):
    """The line says what to write where."""
    frames = stranger.frames(project)
    frames[0]["plan"]["expected"]["backend"] = "tpu9"
    with pytest.raises(BenchbookError, match=r"r:2: its backend 'tpu9' is none of .* \(write \[tool\.bench"):
        stranger.ingest(project, stranger.write(tmp_path / "r", frames))


def test_a_snippet_that_is_not_here_gets_no_run(project: Project, tmp_path: Path):
    """Its results wait until it is."""
    path = stranger.write(tmp_path / "r", stranger.frames(project))
    project.snippet_path(stranger.SLUG).unlink()
    assert "snippets/chapter/lesson.py is not in this project (bring it here, then" in failed(project, path)


@pytest.mark.parametrize("name", ["chapter", "chapter/lesson"])
def test_a_linked_folder_is_not_followed(project: Project, tmp_path: Path, name: str):
    """A run lies below docs/runs, whatever a checkout brought along; the link is named."""
    outside = tmp_path / "outside"
    outside.mkdir()
    link = project.runs / name
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)
    (outcome,) = stranger.ingest(project, stranger.write(tmp_path / "r", stranger.frames(project)))
    assert "docs/runs/chapter/lesson: leads elsewhere by a link (put a folder" in outcome.detail[0]
    assert list(outside.rglob("*")) == []


def test_no_text_from_elsewhere_moves_a_cursor(project: Project, tmp_path: Path):
    """What failed there is told here in one line, with what a terminal would obey made visible."""
    frames = stranger.frames(project)
    evil = "\x1b]0;owned\x07\x1b[2Jgone\r\nbenchbook: all is well\u202e\ud800"
    both(frames, kind="raised", detail=evil, cell=evil, line=3)
    frames[1]["cells"][-1]["stdout"] = evil
    (outcome,) = stranger.ingest(project, stranger.write(tmp_path / "r", frames))
    shown = "".join((*outcome.detail, outcome.output))
    assert "gone" in outcome.detail[0]
    assert not {character for character in shown if character in "\x1b\x07\r\u202e\ud800"}
    assert "\n" not in outcome.detail[0]
    shown.encode()


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, -1, 2**63, 2**64, 10**400, 1e308, -0.0, 5e-324]),
    st.sampled_from(
        ["", "\ud800", "\x00", "\x1b[2J", "../../x", "/etc/passwd", "nan", "a" * 5000, "con.txt"]
    ),
    st.sampled_from([[], {}, [[]], {"": {}}, [None] * 50, {"a": 1, "__class__": 2}]),
    st.text(max_size=8),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
)


def places(tree: Any, above: tuple = ()) -> list[tuple]:
    """The path of every node."""
    found = [above] if above else []
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        found += places(value, (*above, key)) if isinstance(value, dict | list) else [(*above, key)]
    return found


def mutate(frames: list[Any], data: st.DataObject) -> None:
    """Replaces, deletes or repeats a node."""
    *above, key = data.draw(st.sampled_from(places(frames)))
    tree = frames
    for step in above:
        tree = tree[step]
    how = data.draw(st.sampled_from(["replace", "delete", "repeat"]))
    if how == "replace":
        tree[key] = data.draw(ODD)
    elif how == "delete":
        del tree[key]
    elif isinstance(tree, list):
        tree.insert(key, tree[key])
    else:
        tree[data.draw(st.text(max_size=8))] = tree[key]


def taken_in_or_refused(root: Path, content: bytes) -> None:
    """Takes a file in; every file that it wrote is a whole run of the lesson, or lies beside one."""
    project = stranger.home(root)
    (root / "results.jsonl").write_bytes(content)
    before = sorted(root.rglob("*"))
    said: list[str] = []
    try:
        said = [
            line for outcome in stranger.ingest(project, root / "results.jsonl") for line in outcome.detail
        ]
    except BenchbookError as error:
        said = [str(error)]
    assert not set("".join(said)) & set("\x1b\r\n\x00\ud800"), said
    added = [path for path in sorted(root.rglob("*")) if path not in before and path.is_file()]
    runs = {run.path: run.run for run in archive.load_all(project, project.runs, stranger.SLUG)}
    beside = {
        archive.artefact_path(path, kept.path)
        for path, run in runs.items()
        for kept in run.artefacts.values()
    }
    assert set(added) == set(runs) | beside
    shutil.rmtree(root)


MANGLED = settings(
    max_examples=20_000 if SOAK else 100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@MANGLED
@given(data=st.data())
def test_whatever_stands_in_it_a_file_is_taken_in_or_refused(tmp_path: Path, data: st.DataObject):
    """No crash, no file that is not a run in its place, and no line that a terminal would obey."""
    root = tmp_path / "case"
    frames = stranger.frames(stranger.home(root))
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(frames, data)
    taken_in_or_refused(root, b"\n".join(json.dumps(frame).encode() for frame in frames) + b"\n")


@MANGLED
@given(data=st.data())
def test_whatever_its_bytes_a_file_is_taken_in_or_refused(tmp_path: Path, data: st.DataObject):
    """Bytes that were changed, lost, repeated or added on the way."""
    root = tmp_path / "case"
    frames = stranger.frames(stranger.home(root))
    content = b"\n".join(json.dumps(frame).encode() for frame in frames) + b"\n"
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = start + data.draw(st.sampled_from([0, 1, 2, 10, 1000]))
        put = data.draw(
            st.one_of(st.binary(max_size=4), st.sampled_from([b"\n", content[:200], b"NaN", b"}"]))
        )
        content = content[:start] + put + content[end:]
    taken_in_or_refused(root, content)


MANY = 1000 if SOAK else 60
MEASURE = """
import sys
from pathlib import Path
from benchbook.project import find
from benchbook.recording import parcel
from benchbook.recording.plan import Options
from tests.recording import Noting
found = list(parcel.ingest(find(Path(sys.argv[1])), Path(sys.argv[2]), Options(), Noting()))
assert [outcome.kind for outcome in found] == ["new"] * int(sys.argv[3]), found[0]
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
print(int(peak.split()[1]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read in /proc")
def test_many_results_take_little_memory(tmp_path: Path):
    """A thousand results of 200 kB are read one by one: the peak is that of a few, below 200 MiB."""
    project = stranger.home(tmp_path)
    head, answer, *_ = stranger.frames(project)
    planned = head["plan"]["jobs"][0] | {"processes": 1}
    head["plan"]["jobs"] = [planned | {"slug": f"chapter/lesson{number}"} for number in range(MANY)]
    answer["left"]["artefacts"]["note"] = artefact(b"kept\n" * 31_000)
    with (tmp_path / "r").open("w") as file:
        print(json.dumps(head), file=file)
        for number, job in enumerate(head["plan"]["jobs"]):
            shutil.copy(project.snippet_path(stranger.SLUG), project.snippet_path(job["slug"]))
            print(json.dumps(answer | {"job": number}), file=file)
        print(json.dumps({"benchbook": 1, "type": "end", "count": MANY + 1}), file=file)
    assert (tmp_path / "r").stat().st_size > MANY * 200_000
    words = [sys.executable, "-c", MEASURE, str(project.root), str(tmp_path / "r"), str(MANY)]
    root = Path(__file__).parents[1]
    env = os.environ | {"PYTHONPATH": f"{root}:{root / 'scripts'}"}
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 200
