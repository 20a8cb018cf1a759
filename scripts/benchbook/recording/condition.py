"""The condition of an environment: whether it is whole and starts, found out in one process."""

import signal
import subprocess
from pathlib import Path

MADE = ".benchbook-made"  # written last; holds what `probe` tells, or nothing where both are of one version
PATIENCE = 120.0  # seconds
# Whether every file is as long as its distribution says, then whether JAX starts. Python 3.11 or newer.
PROBE = """
import csv, importlib.metadata, os, sys
for distribution in importlib.metadata.distributions():
    for name, _, size in csv.reader((distribution.read_text("RECORD") or "").splitlines()):
        path = distribution.locate_file(name)
        if size and (not os.path.exists(path) or os.path.getsize(path) != int(size)):
            print(f"{name} is missing or not whole", file=sys.stderr)
            sys.exit(3)
import jax, jaxlib
print(*(f"{name} {importlib.metadata.version(name)}" for name in ("jax", "jaxlib")))
"""
NOT_WHOLE = 3


class BrokenError(Exception):
    """Why an environment cannot be used, in a few words."""


class IncompleteError(BrokenError):
    """A file of it is missing or cut short."""


def program(folder: Path) -> Path:
    """The Python of an environment."""
    return folder / "bin" / "python"


def examine(folder: Path, jax: str) -> None:
    """Proves that an environment is the one that was made.

    Raises:
        BrokenError: It is not.
    """
    try:
        made = (folder / MADE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise BrokenError("its making did not end") from None
    found = probe(folder)
    if found != (made or f"jax {jax} jaxlib {jax}"):
        raise BrokenError(f"it holds {found}")


def probe(folder: Path) -> str:
    """Versions of JAX and jaxlib, from a JAX that starts.

    Raises:
        BrokenError: A file is not whole, or JAX does not start.
    """
    try:
        done = subprocess.run(
            [program(folder), "-I", "-B", "-c", PROBE],
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise BrokenError(f"its JAX does not start within {PATIENCE:.0f} s") from None
    except OSError as error:
        raise BrokenError(f"its Python does not start: {error.strerror}") from None
    if done.returncode < 0:
        raise BrokenError(f"its JAX is ended by {signal.Signals(-done.returncode).name}")
    lines = (done.stdout if done.returncode == 0 else done.stderr).split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "its JAX does not start")
    if done.returncode == NOT_WHOLE:
        raise IncompleteError(last)
    if done.returncode:
        raise BrokenError(last[:300])
    return last
