"""Standing measurements: those of the runs that the site stands by now, read from the lessons' fragments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchbook import archive
from benchbook.archive import Stored
from benchbook.building.site import Site
from benchbook.building.sources import Lesson
from benchbook.run import Measurement


@dataclass(frozen=True, slots=True)
class Standing:
    """One measurement of one run.

    Attributes:
        slug: The lesson.
        exhibit: The run, as its fragment describes it.
        row: The measurement in words, as the exhibit's table has it.
        measurement: The same, as it was recorded.
        numbers: Its statistics in its unit, unrounded; ``None`` where one process gives none.
        current: Whether pages show the run; any other is the latest fresh one of its JAX.
    """

    slug: str
    exhibit: Mapping[str, Any]
    row: Mapping[str, Any]
    measurement: Measurement
    numbers: Mapping[str, float | None]
    current: bool

    @property
    def name(self) -> str:
        """The measurement's name."""
        return str(self.row["name"])

    def link(self, url: str) -> str:
        """Where the run page holds it; ``url`` is the address of the site's root, or the way there."""
        return f"{url}runs/{self.slug}/#run-{self.exhibit['id']}-{self.name}"


def gather(site: Site) -> dict[str, list[Standing]]:
    """The measurements by lesson, sorted by slug; lessons without any are left out.

    Those of one name stand together: by backend in the site's order, then from the newest JAX to the oldest.
    """
    found = {lesson.slug: _lesson(site, lesson) for lesson in site.lessons if lesson.slug in site.fragments}
    return {slug: rows for slug, rows in sorted(found.items()) if rows}


def _lesson(site: Site, lesson: Lesson) -> list[Standing]:
    fragment = site.fragments[lesson.slug]
    stored = {run.id: run for run in lesson.runs}
    exhibits = _runs(fragment, site.project.shown)
    rows = [row for exhibit in exhibits for row in _rows(stored[exhibit["id"]], exhibit, fragment)]
    order = {name: number for number, name in enumerate(dict.fromkeys(row.name for row in rows))}
    return sorted(rows, key=lambda row: order[row.name])  # a stable sort: the order of the runs stays


def _runs(fragment: Mapping[str, Any], shown: Sequence[str]) -> list[Mapping[str, Any]]:
    known = fragment["runs"]
    others = {run_id for run_id in fragment["selected"].values() if not known[run_id]["stale"]}
    runs = [known[run_id] for run_id in sorted({*fragment["current"].values(), *others})]
    runs.sort(key=lambda exhibit: archive.jax_version(exhibit["jax"]), reverse=True)
    return sorted(runs, key=lambda exhibit: _place(exhibit["backend"], shown))


def _place(backend: str, shown: Sequence[str]) -> tuple[int, str]:
    return (shown.index(backend) if backend in shown else len(shown)), backend


def _rows(stored: Stored, exhibit: Mapping[str, Any], fragment: Mapping[str, Any]) -> Iterator[Standing]:
    for row in exhibit["rows"]:
        yield Standing(
            slug=stored.run.slug,
            exhibit=exhibit,
            row=row,
            measurement=stored.run.measurements[row["name"]],
            numbers=exhibit["statistics"][row["name"]],
            current=stored.id in fragment["current"].values(),
        )
