"""Programs that are not Python: found if they are here, or packages of npm, each at one version."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".benchbook" / "audit"  # what npm installed, so that it is asked once
PATIENCE = 600  # seconds for one command


class MissingError(Exception):
    """A tool is not here, or does not work here; the message says which and why."""


def program(name: str, *checked: str) -> str:
    """The path of a program that starts.

    Raises:
        MissingError: There is none, or it fails with the words that only ask for its version.
    """
    path = shutil.which(name)
    if path is None:
        raise MissingError(f"{name} is not installed")
    done = subprocess.run([path, *(checked or ("--version",))], capture_output=True, check=False)
    if done.returncode != 0:  # macOS has a `java` that only says where one could be had
        raise MissingError(f"{name} does not start")
    return path


def package(name: str, version: str) -> Path:
    """The folder of an npm package at that version, installed below `.benchbook` the first time.

    Raises:
        MissingError: Node.js or npm is not here, or npm could not get the package.
    """
    program("node")
    npm = program("npm")
    folder = KEPT / f"{name}-{version}"
    found = folder / "node_modules" / name
    if _version(found) == version:
        return found
    print(f"audit: getting {name} {version} with npm, into {folder.relative_to(ROOT)}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    words = [npm, "install", "--prefix", str(folder), *quiet, f"{name}@{version}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode != 0 or _version(found) != version:
        raise MissingError(f"npm could not get {name} {version}: {last(done.stderr)}")
    return found


def _version(folder: Path) -> str | None:
    manifest = folder / "package.json"
    return json.loads(manifest.read_text(encoding="utf-8"))["version"] if manifest.is_file() else None


def run(words: Sequence[str], **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in the project and gives all that it said.

    Raises:
        MissingError: It took too long.
    """
    try:
        return subprocess.run(
            words,
            cwd=ROOT,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise MissingError(f"{Path(words[0]).name} took longer than {PATIENCE} seconds") from error


def last(text: str) -> str:
    """The last line of what a program said."""
    return (text.strip().splitlines() or ["it said nothing"])[-1]
