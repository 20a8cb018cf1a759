"""Building: derives what is missing or out of date, writes only what changed, and removes orphans.

It reads snippets, pages and runs; it never imports JAX and never executes a snippet. Where nothing changed
it imports the standard library only.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchbook import system
from benchbook.building import manifest
from benchbook.building.manifest import Manifest
from benchbook.errors import BenchbookError
from benchbook.project import Project, is_derived


@dataclass(frozen=True, slots=True)
class Report:
    """What a build did, as names from the project's root, sorted.

    Attributes:
        written: New or changed files.
        unchanged: Files that were right as they lay.
        removed: Files that lay where only a build writes, and that nothing derives any more.
    """

    written: list[str]
    unchanged: list[str]
    removed: list[str]


def build(project: Project, *, local: bool = False, force: bool = False) -> Report:
    """Brings the derived files up to date.

    Args:
        project: The checkout.
        local: Whether runs of this machine that were not accepted are shown.
        force: Whether to derive everything even where nothing seems to have changed.

    Raises:
        BuildError: A snippet, run or page is wrong; it lists all that is, and nothing was written.
        BenchbookError: A file cannot be written or removed.
    """
    before = manifest.load(project)
    now = manifest.scan(project, local=local, before=before)
    if before.same(now) and not force:
        if (before.inputs, before.outputs) != (now.inputs, now.outputs):
            _save(project, now)
        return Report([], sorted(now.outputs), [])
    return _derive(project, local=local, before=before, now=now, force=force)


def _derive(project: Project, *, local: bool, before: Manifest, now: Manifest, force: bool) -> Report:
    from benchbook import archive  # slow to import, and often not needed
    from benchbook.building import derived

    archive.sweep(project.snippets, project.docs, project.fragments, project.local_runs)
    kept = set() if force or before.engine != now.engine else _right(before, now)
    files = derived.derive(project, local=local, kept=kept)
    written = [
        name for name, data in sorted(files.items()) if data is not None and _write(project, name, data)
    ]
    orphans = {*before.outputs, *project.derived()} - set(files)  # a manifest may have been lost
    removed = [name for name in sorted(orphans) if _remove(project, name)]
    outputs = manifest.stamps({name: project.root / name for name in files}, {}, trusted_until=0)
    _save(project, Manifest(now.settings, now.inputs, outputs, now.scanned_ns))
    return Report(written, sorted(set(files) - set(written)), removed)


def _right(before: Manifest, now: Manifest) -> set[str]:
    """Outputs that lie as they were written."""
    return {name for name, stamp in now.outputs.items() if stamp.sha256 == before.outputs[name].sha256}


def _write(project: Project, name: str, data: bytes) -> bool:
    """Writes the file unless it holds just that; whether it did."""
    from benchbook.archive import write_whole  # imports pydantic

    path = project.root / name
    with _told(name, "written"):
        if path.is_file() and path.read_bytes() == data:
            return False
        write_whole(path, data)
    return True


def _remove(project: Project, name: str) -> bool:
    """Removes an orphan, and the folders that are empty without it; whether it was there."""
    path = project.root / name
    if not is_derived(name) or not path.is_file():
        return False
    with _told(name, "removed"):
        path.unlink()
        for folder in path.parents:
            if folder in (project.docs, project.runs, project.state) or any(folder.iterdir()):
                break
            folder.rmdir()
    return True


def _save(project: Project, state: Manifest) -> None:
    _write(project, project.relative(manifest.path(project)), manifest.dump(state))


@contextmanager
def _told(name: str, what: str) -> Iterator[None]:
    """What the system refuses is one line with the file's name."""
    try:
        yield
    except OSError as error:
        told = system.refused(error, path=name, what=what)
        raise told or BenchbookError(f"cannot be {what}: {error}", path=name, mend="try again") from error
