"""A stored run: a run and the file that holds it, named after its digest."""

import contextlib
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from benchbook.archive.whole import sweep, write_whole
from benchbook.errors import RunError
from benchbook.project import Project
from benchbook.run import Run, dump, parse

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
        data = _bytes(path, shown)
        digest = hashlib.sha256(data).hexdigest()
        if not digest.startswith(match["id"]):
            raise _changed(data, match["id"], shown)
        run = parse(data, path=shown)
        if file_name(run, digest) != path.name or path.parent.as_posix().split("/")[-2:] != run.slug.split(
            "/"
        ):
            raise RunError(f"holds a run of {run.slug} on {run.backend}", path=shown, mend="restore its name")
        return cls(run, digest, path)


def _changed(data: bytes, id_: str, shown: str) -> RunError:
    """That a file is not what its name says; perhaps git or an editor only converted its line ends."""
    if hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest().startswith(id_):
        mend = "restore it from git, and see that .gitattributes has the line 'docs/runs/** -text'"
        return RunError("its line ends were converted", path=shown, mend=mend)
    found = hashlib.sha256(data).hexdigest()[: len(id_)]
    message = f"its sha256 starts with {found}, its name says {id_}: the file was changed"
    return RunError(message, path=shown, mend="restore it from git")


def _bytes(path: Path, shown: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:  # a folder, a link that leads nowhere, a file that nobody may read
        message = f"cannot be read: {error.strerror}"
        raise RunError(message, path=shown, mend="restore the file from git, or move this away") from error


def file_name(run: Run, digest: str) -> str:
    """``<backend>-jax-<version>-<id12>.json``."""
    return f"{run.backend}-jax-{run.environment.jax}-{digest[:12]}.json"


def save(run: Run, folder: Path, artefacts: dict[str, bytes] | None = None) -> Stored:
    """Writes a run under ``folder/<slug>/``, whole or not at all; artefacts first.

    What a killed recorder left half written of other runs of the lesson is swept away.

    Raises:
        RunError: The run is too large.
        OSError: The folder cannot be written; nothing is left behind.
    """
    data = dump(run)
    digest = hashlib.sha256(data).hexdigest()
    place = folder / run.slug
    path = place / file_name(run, digest)
    sweep(place)
    try:
        for name, content in sorted((artefacts or {}).items()):
            write_whole(artefact_path(path, name), content)
        write_whole(path, data)
    except BaseException:
        _withdraw(path, artefacts or {})
        raise
    return Stored(run, digest, path)


def _withdraw(run_file: Path, artefacts: Iterable[str]) -> None:
    """Takes back the artefacts of a run that was not finished, by this process or another."""
    if not run_file.exists():
        with contextlib.suppress(OSError):
            for name in artefacts:
                artefact_path(run_file, name).unlink(missing_ok=True)
            run_file.with_suffix("").rmdir()


def artefact_path(run_file: Path, name: str) -> Path:
    """Where an artefact of a run lies: a folder named like the run file, without ``.json``."""
    return run_file.with_suffix("") / name


def load_all(project: Project, folder: Path, slug: str) -> list[Stored]:
    """Every run of a lesson below ``folder``, in the order of their file names.

    Raises:
        RunError: One of them is not right.
    """
    return [
        Stored.load(path, shown=project.relative(path)) for path in sorted((folder / slug).glob("*.json"))
    ]
