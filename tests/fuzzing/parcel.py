"""Results files: what a stranger sends for ``record --ingest``, with edits of a whole one."""

import atexit
import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from benchbook.project import Project
from benchbook.recording import parcel
from benchbook.recording.plan import Options
from tests.factory import make_project
from tests.fuzzing import material
from tests.fuzzing.edit import edited
from tests.fuzzing.reader import Reader
from tests.fuzzing.target import refusing
from tests.recording import Noting


def take(data: bytes) -> None:
    """Ingests a file: the bytes themselves where they look like one, else a whole one that they edit."""
    reader = Reader(data)
    frames = material.frames()
    raw = data if data.startswith(b"{") else b"".join(map(_line, edited(frames, reader)))
    home, file = project()
    file.write_bytes(raw)
    with refusing():
        for outcome in parcel.ingest(home, file, Options(), Noting()):
            if outcome.path is not None:
                assert outcome.kind in ("new", "reproduced", "changed")
                assert outcome.path.is_relative_to(home.local_runs)
    _check_folder(home)


def _line(frame: object) -> bytes:
    return json.dumps(frame).encode() + b"\n"


@cache
def project() -> tuple[Project, Path]:
    """One project a process, in a temporary folder, with the one lesson; and the file that is taken in."""
    memory = "/dev/shm"  # noqa: S108  # a folder in memory, where there is one: thousands of files a second
    place = Path(tempfile.mkdtemp(prefix="benchbook-fuzz-", dir=memory if Path(memory).is_dir() else None))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return make_project(place / "project"), place / "results.jsonl"


def _check_folder(home: Project) -> None:
    """Nothing lies outside the folder of the one lesson that may be there; then it is emptied."""
    assert _names(home.root.parent) == {"project", "results.jsonl"}
    found = _names(home.root)
    assert found <= {"pyproject.toml", "docs", "snippets", ".benchbook"}
    if ".benchbook" not in found:
        return
    for path in home.state.rglob("*"):
        assert not path.is_symlink()
        depth = len(path.relative_to(home.local_runs).parts)
        assert path.is_dir() == (depth <= 2 or (depth == 3 and path.suffix != ".json")), path
        assert path.name.isascii()
    shutil.rmtree(home.state)


def _names(folder: Path) -> set[str]:
    with os.scandir(folder) as entries:  # thousands of times a second
        return {entry.name for entry in entries}


def seeds() -> list[bytes]:
    """A whole results file, and edits."""
    whole = b"".join(map(_line, material.frames()))
    return [whole, *(bytes([0, number % 5, number, 3, 0, 7, number]) for number in range(60))]
