"""The maker: makes an environment with one JAX, by the first Python of this machine that takes it."""

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchbook.errors import BenchbookError
from benchbook.reading import listed
from benchbook.recording import condition, interpreter
from benchbook.recording.condition import MADE, BrokenError, IncompleteError, UnknownError
from benchbook.recording.installer import Installer, MisfitError
from benchbook.recording.interpreter import LEAST, Interpreter

NO_SUCH_JAXLIB = re.compile(r"no version of jaxlib==")  # some releases of JAX use the jaxlib before
TAGGED = re.compile(r"wheels for `jaxlib`[^\n]* tags?: ([^\n]*)")
TAG = re.compile(r"`cp(\d)(\d+)`")


def kept(place: Path, jax: str) -> Iterator[Path]:
    """The environments with that JAX, whatever their condition."""
    return place.glob(f"jax-{jax}-python-*")


def made(place: Path, jax: str, say: Callable[[str], None], installer: Installer) -> Path:
    """Makes an environment in the place of those that are there.

    Args:
        place: The folder of environments.
        jax: The version.
        say: Told before anything that takes long.
        installer: What makes it.

    Raises:
        BenchbookError: It cannot be made; nothing half-made is kept.
    """
    if installer.stopped():  # what was found broken may be so by what stops this
        raise BenchbookError("the making of an environment was stopped")
    for folder in kept(place, jax):
        _remove(folder)
    say(f"making an environment with JAX {jax} (once)")
    misfits: dict[str, MisfitError] = {}
    for python in interpreter.here(installer):
        if misfits:
            say(f"JAX {jax} does not fit Python {[*misfits][-1]}: trying {python.version}")
        folder = place / f"jax-{jax}-python-{python.version}"
        try:
            _install(folder, python, jax, installer)
        except MisfitError as error:
            misfits[python.version] = error
        except BenchbookError as error:
            message = f"no environment with JAX {jax}: {error.message}"
            raise BenchbookError(message, mend=error.mend) from error
        else:
            return folder
    raise _unfit(jax, misfits)


def _install(folder: Path, python: Interpreter, jax: str, installer: Installer) -> None:
    try:
        installer.run("venv", "--quiet", "--no-python-downloads", "--python", python.path, str(folder))
        _fill(folder, jax, installer)
        try:
            found = condition.probe(folder, installer.stopped)
        except IncompleteError:  # uv links files of its cache: what was cut short here is so there, too
            _fill(folder, jax, installer, "--reinstall", "--no-cache")
            found = condition.probe(folder, installer.stopped)
        (folder / MADE).write_text(found, encoding="utf-8")
    except BrokenError as broken:
        _remove(folder)
        raise MisfitError(f"it was installed, but {broken}", "") from broken
    except UnknownError as unknown:
        _remove(folder)
        raise BenchbookError(f"it was installed, but {unknown}", mend=condition.LATER) from unknown
    except BaseException:
        _remove(folder)
        raise


def _fill(folder: Path, jax: str, installer: Installer, *more: str) -> None:
    words = ("--quiet", "--no-build", "--compile-bytecode", "--python", str(condition.program(folder)), *more)
    try:
        installer.run("pip", "install", *words, f"jax=={jax}", f"jaxlib=={jax}")
    except BenchbookError as error:
        if not NO_SUCH_JAXLIB.search(error.message):
            raise
        installer.run("pip", "install", *words, f"jax=={jax}")


def _remove(folder: Path) -> None:
    """Takes an environment away, first what says that it was made; of a link, the link."""
    if folder.is_symlink():
        folder.unlink()
        return
    with contextlib.suppress(OSError):
        (folder / MADE).unlink()
    shutil.rmtree(folder, ignore_errors=True)


def _unfit(jax: str, misfits: Mapping[str, MisfitError]) -> BenchbookError:
    """Which Pythons it would take, where uv says that, and which are here."""
    here = f"here {'is' if len(misfits) == 1 else 'are'} Python {listed([*misfits], 'and')}"
    broken = next((error for error in misfits.values() if not error.answer), None)
    if broken is not None:
        mend = "give a backend a command that starts a Python with that JAX"
        return BenchbookError(f"no environment with JAX {jax}: {broken.message}; {here}", mend=mend)
    first = next(iter(misfits.values()))
    tagged = TAGGED.search(first.answer)
    wheels = sorted({(int(one), int(two)) for one, two in TAG.findall(tagged[1] if tagged else "")})
    names = [f"{one}.{two}" for one, two in wheels]
    if not wheels or not misfits.keys().isdisjoint(names):
        message = f"no environment with JAX {jax}: {first.message}; {here}"
        return BenchbookError(message, mend="ask for another version")
    mend = f"uv python install {names[-1]}"
    if wheels[-1] < LEAST:
        mend = f"ask for a newer version: the worker needs Python {LEAST[0]}.{LEAST[1]}"
    return BenchbookError(f"JAX {jax} has wheels for Python {listed(names, 'and')}; {here}", mend=mend)
