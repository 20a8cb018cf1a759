"""The manifest: what was derived from what, so that nothing is derived twice and orphans can go.

This is the fast path of `build`, so it imports the standard library only. As in git's index, a file of known
size and modification time is not read again; any other is compared by its sha256.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import Any

from benchbook.project import Project, is_derived

ENGINE = Path(__file__).parents[1]
DERIVING = ("matplotlib", "nbformat", "numpy", "pydantic", "pygments", "scipy")
TICK = 20_000_000  # ns: two writes within one step of a file system's clock look alike
NEVER = 2**63


@dataclass(frozen=True, slots=True)
class Stamp:
    """One file: its size in bytes, its modification time, and the sha256 of what it holds."""

    size: int
    mtime_ns: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A state of the project.

    Attributes:
        settings: What is no file: versions, environment, options.
        inputs: Files that something is derived from.
        outputs: Files that were derived.
        scanned_ns: When the inputs were looked at.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, Stamp] = field(default_factory=dict)
    outputs: Mapping[str, Stamp] = field(default_factory=dict)
    scanned_ns: int = 0

    def same(self, other: "Manifest") -> bool:
        """Whether nothing differs but modification times."""
        return (
            self.settings == other.settings
            and _digests(self.inputs) == _digests(other.inputs)
            and _digests(self.outputs) == _digests(other.outputs)
        )

    @property
    def engine(self) -> tuple[str | None, str | None, Mapping[str, str]]:
        """The code that derives: the same code makes the same figures of a run, which never changes."""
        own = {name: digest for name, digest in _digests(self.inputs).items() if name.startswith("engine/")}
        return self.settings.get("python"), self.settings.get("versions"), own


def path(project: Project) -> Path:
    """Where the manifest lies."""
    return project.state / "manifest.json"


def load(project: Project) -> Manifest:
    """The manifest of the last build; an empty one where there is none that can be read."""
    try:
        tree = json.loads(path(project).read_bytes())
        inputs, outputs = (_stamps(tree[group]) for group in ("inputs", "outputs"))
        return Manifest(_texts(tree["settings"]), inputs, outputs, index(tree["scanned_ns"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Manifest()


def _stamps(rows: dict[str, list[Any]]) -> dict[str, Stamp]:
    """Rows as `dump` writes them; any other is a TypeError or a ValueError."""
    digests = _texts({name: digest for name, (_, _, digest) in rows.items()})
    return {name: Stamp(index(row[0]), index(row[1]), digests[name]) for name, row in rows.items()}


def _texts(tree: dict[str, Any]) -> dict[str, str]:
    if not all(isinstance(value, str) for value in tree.values()):
        raise TypeError("not a text")
    return tree


def dump(manifest: Manifest) -> bytes:
    """The file's bytes."""
    groups = {"inputs": manifest.inputs, "outputs": manifest.outputs}
    rows = {
        group: {n: [s.size, s.mtime_ns, s.sha256] for n, s in stamps.items()}
        for group, stamps in groups.items()
    }
    tree = {"settings": dict(manifest.settings), "scanned_ns": manifest.scanned_ns, **rows}
    return (json.dumps(tree, indent=0, sort_keys=True) + "\n").encode()


def scan(project: Project, *, local: bool, before: Manifest) -> Manifest:
    """The state of the project now, with the outputs that ``before`` lists and that are there."""
    now = time.time_ns()
    outputs = {name: project.root / name for name in before.outputs if is_derived(name)}
    return Manifest(
        settings=_settings(local=local),
        inputs=stamps(
            dict(_inputs(project, local=local)), before.inputs, trusted_until=before.scanned_ns - TICK
        ),
        outputs=stamps(outputs, before.outputs, trusted_until=NEVER),
        scanned_ns=now,
    )


def stamps(files: Mapping[str, Path], known: Mapping[str, Stamp], *, trusted_until: int) -> dict[str, Stamp]:
    """Stamps of the files that are there.

    Args:
        files: Paths by name.
        known: Stamps from before.
        trusted_until: A file modified after this time, in ns, is read even where its stamp seems right.
    """
    found = {}
    for name, file in sorted(files.items()):
        try:
            state = file.stat()
            old = known.get(name)
            is_known = old is not None and (old.size, old.mtime_ns) == (state.st_size, state.st_mtime_ns)
            if old is None or not is_known or state.st_mtime_ns >= trusted_until:
                old = Stamp(state.st_size, state.st_mtime_ns, hashlib.sha256(file.read_bytes()).hexdigest())
            found[name] = old
        except (OSError, ValueError):  # what cannot be read is told of where it is parsed
            continue
    return found


def _inputs(project: Project, *, local: bool) -> Iterator[tuple[str, Path]]:
    folders = [
        (project.snippets, "*.py"),
        (project.docs, "*.md"),
        (project.docs / "assets", "*.css"),
        (project.runs, "*.json"),
    ]
    folders += [(project.local_runs, "*.json")] if local else []
    for folder, pattern in folders:
        for file in folder.rglob(pattern):
            name = project.relative(file)
            if not is_derived(name):
                yield name, file
    for name in ("mkdocs.yml", "pyproject.toml", "docs/runs/retracted.toml"):
        yield name, project.root / name
    for file in ENGINE.rglob("*.py"):
        yield f"engine/{file.relative_to(ENGINE).as_posix()}", file


def _settings(*, local: bool) -> dict[str, str]:
    return {
        "local": str(local),
        "python": sys.version.split()[0],
        "site_url": os.environ.get("SITE_URL", ""),
        "published": os.environ.get("PUBLISHED", ""),
        "versions": " ".join(_versions()),
    }


def _versions() -> list[str]:
    """The installed versions of what draws and spells, read from folder names: importlib.metadata is slow."""
    prefixes = tuple(f"{name}-" for name in DERIVING)
    folders = (Path(folder) for folder in sys.path if Path(folder).is_dir())
    entries = (entry for folder in folders for entry in os.listdir(folder))  # noqa: PTH208 - names are enough
    return sorted({entry for entry in entries if entry.endswith(".dist-info") and entry.startswith(prefixes)})


def _digests(stamps: Mapping[str, Stamp]) -> dict[str, str]:
    return {name: stamp.sha256 for name, stamp in stamps.items()}
