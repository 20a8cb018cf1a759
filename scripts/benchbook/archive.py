"""The archive: run files on disk. They are added whole, and never changed or removed."""

import hashlib
import os
import re
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from packaging.version import InvalidVersion, Version

from benchbook import run as run_model
from benchbook.errors import RunError
from benchbook.freshness import fresh_cells
from benchbook.lesson.snippet import Cell
from benchbook.project import Project
from benchbook.run import Run

FILE_NAME = re.compile(r"(?P<backend>[a-z][a-z0-9-]*)-jax-(?P<jax>[0-9][^-]*)-(?P<id>[0-9a-f]{12})\.json")


@dataclass(frozen=True, slots=True)
class Stored:
    """A run and the file that holds it.

    Attributes:
        run: The parsed file.
        digest: sha256 of the file, 64 hexadecimal digits.
        path: The file.
    """

    run: Run
    digest: str
    path: Path

    @property
    def id(self) -> str:
        """The first twelve digits: the run's name on pages."""
        return self.digest[:12]

    @classmethod
    def load(cls, path: Path, *, shown: str) -> Self:
        """Reads one file and proves that it is what its name says.

        Args:
            path: The file.
            shown: How messages spell it.

        Raises:
            RunError: The file or its name is not right.
        """
        match = FILE_NAME.fullmatch(path.name)
        if match is None:
            raise RunError(
                "not a run's file name", path=shown, mend="only `benchbook record` adds files here"
            )
        data = path.read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        if not digest.startswith(match["id"]):
            raise RunError(
                f"its sha256 starts with {digest[:12]}, its name says {match['id']}: the file was changed",
                path=shown,
                mend="restore it from git",
            )
        run = run_model.parse(data, path=shown)
        if file_name(run, digest) != path.name or path.parent.as_posix().split("/")[-2:] != run.slug.split(
            "/"
        ):
            raise RunError(f"holds a run of {run.slug} on {run.backend}", path=shown, mend="restore its name")
        return cls(run, digest, path)


def file_name(run: Run, digest: str) -> str:
    """``<backend>-jax-<version>-<id12>.json``."""
    return f"{run.backend}-jax-{run.environment.jax}-{digest[:12]}.json"


def save(run: Run, folder: Path, artefacts: dict[str, bytes] | None = None) -> Stored:
    """Writes a run under ``folder/<slug>/``, whole or not at all; artefacts first.

    Raises:
        RunError: The run is too large.
        OSError: The folder cannot be written; nothing is left behind.
    """
    data = run_model.dump(run)
    digest = hashlib.sha256(data).hexdigest()
    place = folder / run.slug
    path = place / file_name(run, digest)
    for name, content in sorted((artefacts or {}).items()):
        write_whole(artefact_path(path, name), content)
    write_whole(path, data)
    return Stored(run, digest, path)


def artefact_path(run_file: Path, name: str) -> Path:
    """Where an artefact of a run lies: a folder named like the run file, without ``.json``."""
    return run_file.with_suffix("") / name


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that a reader, or a crash, sees the old state or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def load_all(project: Project, folder: Path, slug: str) -> list[Stored]:
    """Every run of a lesson below ``folder``, in the order of their file names.

    Raises:
        RunError: One of them is not right.
    """
    return [
        Stored.load(path, shown=project.relative(path)) for path in sorted((folder / slug).glob("*.json"))
    ]


def retracted(project: Project) -> dict[str, str]:
    """Reasons by twelve-digit id, from ``docs/runs/retracted.toml``.

    The file holds one table a run: ``[a1b2c3d4e5f6]`` with ``reason`` and ``date``.

    Raises:
        RunError: It is not TOML, or a table lacks its reason or date.
    """
    path = project.runs / "retracted.toml"
    if not path.exists():
        return {}
    shown = project.relative(path)
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"not valid TOML: {error}", path=shown, mend="correct that line") from error
    for name, table in tables.items():
        if (
            not re.fullmatch(r"[0-9a-f]{12}", name)
            or not isinstance(table, dict)
            or set(table) != {"reason", "date"}
        ):
            raise RunError(
                f"[{name}] is not right", path=shown, mend="give the 12-digit id, a reason and a date"
            )
    return {name: f"{table['reason']} ({table['date']})" for name, table in tables.items()}


def current(
    runs: Iterable[Stored], cells: Sequence[Cell], *, without: Iterable[str] = ()
) -> dict[str, Stored]:
    """The current run of each backend.

    Runs that are fresh in every cell that is no exercise come first, then the highest final JAX release,
    then the latest start.

    Args:
        runs: Runs of one lesson.
        cells: The snippet's cells now.
        without: Ids of retracted runs.
    """
    excluded = set(without)
    best: dict[str, Stored] = {}
    for stored in runs:
        name = stored.run.backend
        if stored.id not in excluded and (
            name not in best or _rank(stored, cells) > _rank(best[name], cells)
        ):
            best[name] = stored
    return dict(sorted(best.items()))


def _rank(stored: Stored, cells: Sequence[Cell]) -> tuple[bool, bool, Version, str, str]:
    lesson = {cell.name for cell in cells if not cell.solution}
    version = jax_version(stored.run.environment.jax)
    is_fresh = lesson <= fresh_cells(stored.run.source.text, cells)
    return (is_fresh, not version.is_prerelease, version, stored.run.started, stored.digest)


def jax_version(text: str) -> Version:
    """A version that orders; one that PEP 440 does not know comes before all."""
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0.dev0")
