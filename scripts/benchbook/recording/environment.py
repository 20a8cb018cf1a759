"""An environment: the Python that a backend starts; for another JAX, one that uv makes and keeps."""

import sys
from collections.abc import Callable
from pathlib import Path

from packaging.version import InvalidVersion, Version

from benchbook import system
from benchbook.errors import BenchbookError, UsageError
from benchbook.project import Backend, Project
from benchbook.recording import condition, custody, maker
from benchbook.recording.condition import BrokenError, UnknownError
from benchbook.recording.installer import Installer
from benchbook.recording.interpreter import OWN
from benchbook.run import VERSION_PATTERN


def command(
    project: Project,
    backend: Backend,
    jax: str | None,
    *,
    say: Callable[[str], None],
    stopped: Callable[[], bool] = lambda: False,
) -> list[str]:
    """The words that start the backend's Python, to which ``-`` is added.

    Args:
        project: Where environments are kept.
        backend: Its own command wins; then the worker there asserts the version.
        jax: The JAX that was asked for, or ``None`` for the one that is there.
        say: Told one line before anything that takes long.
        stopped: Asked meanwhile; when it says yes, nothing more is made.

    Raises:
        BenchbookError: The environment cannot be made; nothing half-made is kept.
    """
    accept(backend, jax)
    if backend.command is not None:
        return list(backend.command)
    if jax is None:
        return [sys.executable]
    place = project.state / "environments"
    try:
        return [str(condition.program(_ready(place, jax, say, stopped)))]
    except OSError as error:
        told = system.told(error)
        message = f"no environment with JAX {jax}: {told.message}"
        raise BenchbookError(message, path=project.relative(place), mend=told.mend) from error


def accept(backend: Backend, jax: str | None) -> None:
    """Refuses a version that no environment can be made for.

    Raises:
        UsageError: It is no version, or the backend is neither on CPU nor has a command of its own.
    """
    if jax is None:
        return
    if not VERSION_PATTERN.fullmatch(jax) or not _is_version(jax):
        raise UsageError(f"--jax {jax!r} is no version", mend="write one like 0.9.2")
    if backend.command is None and backend.platform != "cpu":
        raise UsageError(
            f"--jax makes environments for CPU only, not for {backend.name}",
            path="pyproject.toml",
            mend=f"give that backend a command that starts a Python with JAX {jax}",
        )


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


def _ready(place: Path, jax: str, say: Callable[[str], None], stopped: Callable[[], bool]) -> Path:
    """One that is there, with any Python; or else, when it is this recorder's turn, one that is made."""
    found = _sound(place, jax, lambda line: None, stopped)
    if found is None:
        with custody.taken(place, say=say, stopped=stopped) as lock:
            found = _sound(place, jax, say, stopped)
            found = found or maker.made(place, jax, say, Installer(stopped, lock))
    return found


def _sound(place: Path, jax: str, say: Callable[[str], None], stopped: Callable[[], bool]) -> Path | None:
    """One that starts; ``None`` where all that are there may be removed."""
    unknown: BenchbookError | None = None
    for folder in sorted(maker.kept(place, jax), key=lambda path: path.name != f"jax-{jax}-python-{OWN}"):
        try:
            condition.examine(folder, jax, stopped)
        except BrokenError as broken:
            say(f"{folder.name} is of no use: {broken}")
        except UnknownError as error:
            unknown = unknown or BenchbookError(f"{folder.name} may be of use: {error}", mend=condition.LATER)
        else:
            return folder
    if unknown is not None:
        raise unknown
    return None
