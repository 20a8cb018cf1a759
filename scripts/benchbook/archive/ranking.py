"""The ranking of a lesson's runs: which one is current."""

from collections.abc import Iterable, Sequence

from packaging.version import InvalidVersion, Version

from benchbook.archive.stored import Stored
from benchbook.freshness import stands_for
from benchbook.lesson.cell import Cell


def current(
    runs: Iterable[Stored], cells: Sequence[Cell], *, without: Iterable[str] = ()
) -> dict[str, Stored]:
    """The current run of each backend.

    Runs that are fresh as a whole, exercises apart, come first, then the highest final JAX release,
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
    version = jax_version(stored.run.environment.jax)
    is_fresh = stands_for(stored.run.source.text, cells)
    return (is_fresh, not version.is_prerelease, version, stored.run.started, stored.digest)


def jax_version(text: str) -> Version:
    """A version that orders; one that PEP 440 does not know comes before all."""
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0.dev0")
