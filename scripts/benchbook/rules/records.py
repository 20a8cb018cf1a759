"""Rules about run files: each is whole and tells of nobody, and nothing else lies among them."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from benchbook.archive import TEMPORARY, Stored, artefact_path
from benchbook.rules import testimony
from benchbook.rules.inventory import Inventory
from benchbook.rules.problem import Problem
from benchbook.run import Artefact
from benchbook.worker import disclosure, identity
from benchbook.worker.plain import UnfitError

RUN_DEPTH = 3  # docs/runs/<chapter>/<lesson>/<run>.json


def readable(inventory: Inventory) -> Iterator[Problem]:
    """Every snippet, page and run file is valid; a run has the digest of its name and the one spelling."""
    yield from inventory.unreadable


def artefacts_are_sound(inventory: Inventory) -> Iterator[Problem]:
    """Every artefact of a run lies beside it as the run states, and tells of no machine.

    None names the machine or the user that checks it; none of a run that stands holds a path. As with runs,
    who somebody is stays readable after a retraction.
    """
    for stored in _all(inventory):
        for artefact in stored.run.artefacts.values():
            path = artefact_path(stored.path, artefact.path)
            wrong = _wrong(path, artefact)
            told = None if wrong else _told(path.read_bytes(), stands=stored.id not in inventory.retracted)
            shown = inventory.project.relative(path)
            if wrong:
                yield Problem(shown, None, f"{wrong}, says run {stored.id}", "restore it from git")
            if told:
                mend = "remove the run with its files before you commit, and record again"
                yield Problem(shown, None, told, f"{mend}: {disclosure.MEND}")


def tells_nothing(inventory: Inventory) -> Iterator[Problem]:
    """No run holds the home path, the host's name or the user's name of the machine that checks it.

    The recorder refuses such a run; this finds one that came into docs/runs another way.
    """
    for stored in _all(inventory):
        told = identity.told(stored.run.model_dump(mode="json"))
        if told:
            yield Problem(
                inventory.project.relative(stored.path),
                None,
                f"holds {told}, and what is committed stays readable, retracted or not",
                "remove the file before you commit, and record again with less printed",
            )


def tells_the_truth(inventory: Inventory) -> Iterator[Problem]:
    """No run contradicts its own source, its method or its clock, or names a backend that it did not run on.

    The recorder writes no such run; this finds one that was made or edited by hand. A retracted run tells
    nothing any more.
    """
    for slug in inventory.runs:
        for stored in inventory.standing(slug):
            for wrong in testimony.contradictions(stored.run, inventory.project.backends):
                yield Problem(
                    inventory.project.relative(stored.path),
                    None,
                    wrong,
                    "remove the file before you commit, or retract the run in docs/runs/retracted.toml",
                )


def nothing_strays(inventory: Inventory) -> Iterator[Problem]:
    """Below docs/runs lie run files, their artefacts, retracted.toml and derived pages, and nothing else."""
    folder = inventory.project.runs
    expected = {folder / "retracted.toml"}
    for stored in _all(inventory):
        expected |= {artefact_path(stored.path, artefact.path) for artefact in stored.run.artefacts.values()}
    for path in sorted(folder.rglob("*")):
        depth = len(path.relative_to(folder).parts)
        is_run = path.suffix == ".json" and depth == RUN_DEPTH
        is_folder = path.is_dir() and not path.is_symlink()
        is_page = path.name == "index.md" and depth <= RUN_DEPTH
        is_coming = TEMPORARY.fullmatch(path.name)  # or a killed recorder's, and the next one removes it
        if not is_folder and not (is_run or is_page or is_coming or path in expected):
            shown = inventory.project.relative(path)
            yield Problem(shown, None, "no run, no artefact of one", "move it out of docs/runs")


def retractions_name_runs(inventory: Inventory) -> Iterator[Problem]:
    """Every id of retracted.toml is the id of a run that is here."""
    path = inventory.project.runs / "retracted.toml"
    known = {stored.id for stored in _all(inventory)}
    for unknown in sorted(set(inventory.retracted) - known):
        lines = path.read_text(encoding="utf-8").splitlines()
        line = next((number for number, text in enumerate(lines, start=1) if unknown in text), None)
        yield Problem(
            inventory.project.relative(path), line, f"there is no run {unknown}", "write the id of a run file"
        )


def _all(inventory: Inventory) -> Iterator[Stored]:
    for runs in inventory.runs.values():
        yield from runs


def _told(data: bytes, *, stands: bool) -> str | None:
    try:
        told = disclosure.told(data, paths=stands)
    except UnfitError as error:
        return str(error) if stands else None
    return told and f"holds {told}"


def _wrong(path: Path, artefact: Artefact) -> str | None:
    if path.is_symlink() or path.parent.is_symlink():
        return "it is a link to a file elsewhere"
    if not path.is_file():
        return "it is not there"
    try:
        size = path.stat().st_size  # first: it may have grown past what can be read
        data = path.read_bytes() if size == artefact.size else b""
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if size != artefact.size:
        return f"it has {size} bytes and not {artefact.size}"
    if hashlib.sha256(data).hexdigest() != artefact.sha256:
        return "its sha256 is another"
    return None
