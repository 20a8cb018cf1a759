"""Run files: bytes that claim to be a run, and runs of the right form that say wrong or hostile things."""

import json
from pathlib import Path

from benchbook import run
from benchbook.archive import Stored
from benchbook.archive.stored import FILE_NAME, file_name
from benchbook.building import dossier, exhibit
from benchbook.drawing import fitness
from benchbook.run import Run
from tests.fuzzing import material
from tests.fuzzing.edit import PLANTED, edited
from tests.fuzzing.reader import Reader
from tests.fuzzing.target import refusing

SHOWN = "docs/runs/chapter/lesson/a.json"


def take(data: bytes) -> None:
    """Reads a run file: the bytes themselves where they look like one, else a run that they edit."""
    raw = data.startswith(b"{")
    try:
        spelled = data if raw else run.spell(edited(material.run(), Reader(data)))
    except (ValueError, UnicodeError):  # what no file can hold
        return
    with refusing():
        found = run.parse(spelled, path=SHOWN)
        assert run.dump(found) == spelled
        assert Run.model_validate(json.loads(spelled), strict=True) == found
        _check(found, len(data) % 16)


def _check(found: Run, choice: int) -> None:
    """What a build computes from a run, without its drawings; the slow parts for some runs only."""
    name = file_name(found, "0" * 64)
    assert FILE_NAME.fullmatch(name), name
    assert name.isascii()
    stored = Stored(found, "0" * 64, Path(f"docs/runs/{found.slug}") / name)
    assert not stored.path.is_absolute()
    assert ".." not in stored.path.parts
    for artefact in found.artefacts.values():
        assert "/" not in artefact.path
        assert not artefact.path.startswith(".")
    if choice == 0:
        html = "".join(body for _, body in dossier.sections(stored, served=True, same=None))
        assert PLANTED not in html
    elif choice <= 2:
        exhibit.describe(stored, fresh=frozenset(), stale=False, accepted=True)
    for panels in found.figures.values():
        with refusing():
            fitness.charts(panels, found.measurements, seed="0" * 64)


def seeds() -> list[bytes]:
    """One small run as it is spelled, and edits of every kind."""
    return [run.spell(material.run()), *(bytes([a, b, c, 0, d]) * 2 for a, b, c, d in _some())]


def _some() -> list[tuple[int, int, int, int]]:
    return [(0, number, number * 7 % 31, number * 3 % 8) for number in range(1, 60)]
