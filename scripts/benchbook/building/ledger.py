"""The ledger: standing measurements as CSV, with what each column holds."""

from collections.abc import Iterable
from datetime import date

from benchbook.building import spreadsheet
from benchbook.building.spreadsheet import Value
from benchbook.building.standing import Standing

FIELDS = {
    "lesson": "the lesson's name, which is also its path on the site",
    "measurement": "the measurement's name in the run",
    "backend": "where it ran",
    "jax": "the version of JAX",
    "device": "the processor or the accelerator",
    "date": "the day on which the run began, in UTC",
    "run": "the first twelve digits of the run file's SHA-256, as a text",
    "current": "whether the lesson shows this run",
    "stale": "whether the lesson changed after this run",
    "accepted": "whether it is a reference run; false only in a build of your own runs",
    "unit": "of the six numbers that follow; `ns` for a duration, which is per call",
    "median": "the median of the process medians",
    "low": "the lower end of its 95% interval; empty with one process",
    "high": "the upper end of it",
    "minimum": "of all samples",
    "maximum": "of all samples",
    "mad": "the median absolute deviation of the process medians",
    "processes": "how many processes there were",
    "samples": "how many samples there are in all",
    "warmup": "calls before the first timed one, in each process",
    "calls": "timed calls in each process",
    "inputs": "dtypes and shapes, separated by a semicolon and a space",
    "wait": "when the clock waited for the result",
    "excludes": "what the samples leave out",
    "verdict": "stable, not stable, or no verdict",
    "rule": "what decided the verdict",
    "link": "the measurement on its run's page",
}


def spell(rows: Iterable[Standing], *, url: str) -> bytes:
    """The file.

    Args:
        rows: One measurement each.
        url: The site's address, or "": links are paths below it then.
    """
    return spreadsheet.spell(list(FIELDS), (_cells(row, url) for row in rows))


def _cells(row: Standing, url: str) -> list[Value]:
    found, measured, numbers = row.exhibit, row.measurement, row.numbers
    return [
        row.slug,
        row.name,
        *(found[key] for key in ("backend", "jax", "device")),
        date.fromisoformat(found["date"]),
        found["id"],
        row.current,
        found["stale"],
        found["accepted"],
        measured.unit,
        *(numbers[key] for key in ("median", "low", "high", "min", "max", "mad", "processes", "count")),
        measured.warmup,
        measured.calls,
        "; ".join(measured.inputs),
        measured.wait,
        measured.excludes,
        row.row["verdict"],
        row.row["rule"],
        row.link(url),
    ]
