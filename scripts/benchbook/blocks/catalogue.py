"""The catalogue: looks up in derived fragments what a page asks for. Light: the blocks import it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchbook.errors import PageError
from benchbook.language.expression import Names, Quantity, evaluate
from benchbook.pages.use import Use
from benchbook.project import Project

Fragment = Mapping[str, Any]
Exhibit = Mapping[str, Any]


def load(project: Project, use: Use, *, path: str) -> Fragment:
    """The fragment of the lesson that a use names, or of the whole site; read again only when it changed.

    Raises:
        PageError: There is none.
    """
    if not use.slug:
        lessons = [replace(use, argument=slug) for slug in project.slugs()]
        return whole(project, [load(project, lesson, path=path) for lesson in lessons])
    file = project.fragments / f"{use.slug}.json"
    try:
        state = file.stat()
    except OSError:
        known = project.snippet_path(use.slug).exists()
        message = "nothing is derived for" if known else "there is no snippet of"
        mend = "run benchbook build" if known else f"run benchbook new {use.slug}, or name another lesson"
        raise PageError(f"{message} {use.slug}", path=path, line=use.line, mend=mend) from None
    return _read(file, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _read(file: Path, _changed: int, _size: int) -> Fragment:
    fragment: Fragment = json.loads(file.read_bytes())
    return fragment


def whole(project: Project, lessons: Sequence[Fragment]) -> Fragment:
    """The fragment of a whole site: of each backend the latest run, and of how many lessons it has one.

    A run that is accepted comes before one that is not, and one that is not stale before one that is.
    """
    found = [
        {**lesson["runs"][run_id], "slug": lesson["slug"]}
        for lesson in lessons
        for run_id in lesson["current"].values()
    ]
    found.sort(key=lambda run: (run["accepted"], not run["stale"], run["date"], run["id"]))
    current = {run["backend"]: run for run in found}
    for run in current.values():
        run["lessons"] = sum(_is_alike(run, other) for other in found)
    return {
        "slug": "",
        "shown": list(project.shown),
        "runs": {run["id"]: run for run in current.values()},
        "current": {name: run["id"] for name, run in current.items()},
    }


def _is_alike(run: Exhibit, other: Exhibit) -> bool:
    return (run["backend"], run["accepted"]) == (other["backend"], other["accepted"])


def shown(fragment: Fragment, run: str | None) -> list[Exhibit]:
    """The runs that a block shows: the one asked for, or each backend's current one, in the site's order."""
    current = fragment["current"]
    if run is not None:
        run_id = current.get(run) or fragment["selected"].get(run)
        return [fragment["runs"][run_id]] if run_id else []
    order = [*fragment["shown"], *sorted(set(current) - set(fragment["shown"]))]
    return [fragment["runs"][current[name]] for name in order if name in current]


def missing(fragment: Fragment) -> list[str]:
    """The backends that the site shows and that have no run."""
    return [name for name in fragment["shown"] if name not in fragment["current"]]


def cell(exhibit: Exhibit, name: str) -> Mapping[str, Any] | None:
    """What one cell of a run printed; ``None`` where the run has no such cell."""
    return next((entry for entry in exhibit["cells"] if entry["name"] == name), None)


def stale(exhibit: Exhibit, name: str) -> bool:
    """Whether a cell, or with no name any cell that is no exercise, changed after the run."""
    return name not in exhibit["fresh"] if name else exhibit["stale"]


def mentioned(text: str, exhibit: Exhibit) -> list[str]:
    """The measurements of a run that an expression names, in the order of the run."""
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    return [row["name"] for row in exhibit["rows"] if row["name"] in words]


def quantity(text: str, exhibit: Exhibit) -> Quantity:
    """The value of an expression over a run.

    Raises:
        ExpressionError: It is wrong, or names what the run does not hold.
    """
    return evaluate(text, Names(exhibit["results"], exhibit["statistics"], exhibit["units"]))
