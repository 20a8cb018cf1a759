"""An interpreter: a Python of this machine that an environment can be made with."""

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchbook.errors import BenchbookError
from benchbook.recording.installer import Installer

LEAST = (3, 11)  # the worker's
RELEASE = re.compile(r"(\d+)\.(\d+)\.(\d+)")
LISTING = ("python", "list", "--only-installed", "--offline", "--no-python-downloads")
OWN = f"{sys.version_info[0]}.{sys.version_info[1]}"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python.

    Attributes:
        version: As in ``3.12``.
        path: The program.
    """

    version: str
    path: str


def here(installer: Installer) -> Iterator[Interpreter]:
    """One Python of each version: the engine's own, then, asked for only now, the others, newest first."""
    yield Interpreter(OWN, sys.executable)
    seen = {OWN}
    for release, path in sorted(_others(installer), reverse=True):
        version = f"{release[0]}.{release[1]}"
        if release >= LEAST and version not in seen:
            seen.add(version)
            yield Interpreter(version, path)


def _others(installer: Installer) -> Iterator[tuple[tuple[int, ...], str]]:
    """Release and path of every usual Python that uv finds."""
    try:
        found = json.loads(installer.run(*LISTING, "--output-format", "json", path=_path()))
        for entry in found:
            match = RELEASE.fullmatch(entry["version"])
            if match and entry["implementation"] == "cpython" and entry.get("variant") in (None, "default"):
                yield tuple(map(int, match.groups())), entry["path"]
    except (BenchbookError, LookupError, TypeError, ValueError):
        return  # an older uv, or one that fails: then only the engine's own is here


def _path() -> str:
    """Where programs lie, with pyenv's Pythons in the place of its shims, which start only some of them."""
    root = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    usual = os.environ.get("PATH", os.defpath).split(os.pathsep)
    folders = [folder for folder in usual if Path(folder) != root / "shims"]
    return os.pathsep.join([*folders, *map(str, sorted(root.glob("versions/*/bin")))])
