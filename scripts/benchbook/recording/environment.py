"""An environment: the Python that a backend starts; for another JAX, one that uv makes and keeps."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchbook.errors import BenchbookError, UsageError
from benchbook.project import Backend, Project
from benchbook.run import VERSION_PATTERN

MADE = ".benchbook-made"


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
        stopped: Whether nobody wants it any more; asked every half second.

    Raises:
        BenchbookError: The environment cannot be made; nothing half-made is kept.
    """
    accept(backend, jax)
    if backend.command is not None:
        return list(backend.command)
    return [sys.executable if jax is None else str(_made(project, jax, say, stopped))]


def accept(backend: Backend, jax: str | None) -> None:
    """Refuses a version that no environment can be made for.

    Raises:
        UsageError: It is no version, or the backend is neither on CPU nor has a command of its own.
    """
    if jax is None:
        return
    if not VERSION_PATTERN.fullmatch(jax):
        raise UsageError(f"--jax {jax!r} is no version", mend="write one like 0.9.2")
    if backend.command is None and backend.platform != "cpu":
        raise UsageError(
            f"--jax makes environments for CPU only, not for {backend.name}",
            path="pyproject.toml",
            mend=f"give that backend a command that starts a Python with JAX {jax}",
        )


def _made(project: Project, jax: str, say: Callable[[str], None], stopped: Callable[[], bool]) -> Path:
    folder = project.state / "environments" / f"jax-{jax}-python-{sys.version_info[0]}.{sys.version_info[1]}"
    python = folder / "bin" / "python"
    if (folder / MADE).exists() and _works(python):
        return python
    say(f"making an environment with JAX {jax} (once)")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _uv(stopped, "venv", "--quiet", "--python", sys.executable, str(folder))
        wanted = [f"jax=={jax}", f"jaxlib=={jax}"]
        _uv(stopped, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python), *wanted)
        (folder / MADE).touch()
    except BenchbookError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return python


def _works(python: Path) -> bool:
    try:
        return (
            subprocess.run([python, "-c", "import jaxlib"], capture_output=True, check=False).returncode == 0
        )
    except OSError:
        return False


def _uv(stopped: Callable[[], bool], *words: str) -> None:
    from uv import find_uv_bin

    try:
        process = subprocess.Popen(
            [find_uv_bin(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
    except FileNotFoundError as error:
        raise BenchbookError("uv is not here", mend="make site installs it") from error
    with process:
        said = _said(process, stopped)
    if process.returncode != 0:
        lines = [line.strip() for line in said.splitlines() if line.strip()]
        reason = next(
            (line for line in lines if "no version of" in line.lower()),
            lines[0] if lines else "no reason given",
        )
        raise BenchbookError(
            f"uv {words[0]} failed: {reason}", mend="ask for a released version, or look at the network"
        )


def _said(process: "subprocess.Popen[str]", stopped: Callable[[], bool]) -> str:
    """What it says on standard error until it ends, or is ended."""
    while True:
        try:
            return process.communicate(timeout=0.5)[1]
        except subprocess.TimeoutExpired:
            if stopped():
                process.kill()
                raise BenchbookError("stopped", mend="record it again") from None
