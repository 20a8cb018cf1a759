"""Results files: what a stranger sends for ``record --ingest``, with edits of a whole one."""

import atexit
import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path, PurePosixPath
from typing import cast

from benchbook.project import Project
from benchbook.recording import parcel
from benchbook.recording.plan import Options
from tests.factory import make_project
from tests.fuzzing import material
from tests.fuzzing.edit import edited
from tests.fuzzing.reader import Reader
from tests.fuzzing.target import refusing
from tests.recording import Noting


class _File(PurePosixPath):
    """A results file that is read from memory."""

    data = b""

    def read_bytes(self) -> bytes:
        """Its bytes."""
        return self.data


def take(data: bytes) -> None:
    """Ingests a file: the bytes themselves where they look like one, else a whole one that they edit."""
    reader = Reader(data)
    frames = material.frames()
    raw = data if data.startswith(b"{") else b"".join(map(_line, edited(frames, reader)))
    file = _File("results.jsonl")
    file.data = raw
    home = project()
    with refusing():
        for outcome in parcel.ingest(home, cast("Path", file), Options(), Noting()):
            if outcome.stored is not None:
                assert outcome.kind in ("new", "reproduced", "changed")
                assert outcome.stored.path.is_relative_to(home.local_runs)
    _check_folder(home)


def _line(frame: object) -> bytes:
    return json.dumps(frame).encode() + b"\n"


@cache
def project() -> Project:
    """One project a process, in a temporary folder; nothing in it but its settings."""
    place = tempfile.mkdtemp(prefix="benchbook-fuzz-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return make_project(Path(place) / "project", {})


def _check_folder(home: Project) -> None:
    """Nothing lies outside the folder of the one lesson that may be there; then it is emptied."""
    assert _names(home.root.parent) == {"project"}
    found = _names(home.root)
    assert found <= {"pyproject.toml", "docs", ".benchbook"}
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
