"""The catalogue: looks up in derived fragments what a page asks for. Light: the blocks import it."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchbook.errors import BenchbookError, PageError
from benchbook.language.expression import Names, Quantity, evaluate
from benchbook.pages.use import Use
from benchbook.project import Project

Fragment = Mapping[str, Any]
Exhibit = Mapping[str, Any]
BACKEND = re.compile(r"(?P<backend>[a-z][a-z0-9-]*?)(?:-(?P<jax>[0-9][^-]*))?")


def load(project: Project, use: Use, *, path: str) -> Fragment:
    """The fragment of the lesson that a use names; read again only when it changed.

    Raises:
        PageError: There is none.
    """
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


def check(use: Use, fragment: Fragment, *, path: str) -> None:
    """Proves that a use can be rendered.

    Raises:
        PageError: Something that it names is not there.
    """
    for problem in _problems(use, fragment):
        raise PageError(problem.message, path=path, line=use.line, mend=problem.mend)


def problems(use: Use, fragment: Fragment, *, path: str) -> list[PageError]:
    """What keeps a use from being rendered, and a run asked for by version that is stale."""
    found = _problems(use, fragment)
    if not found and use.run and use.run not in fragment["current"] and shown(fragment, use.run)[0]["stale"]:
        found = [BenchbookError(f"the run on {use.run} is stale", mend=_record(use))]
    return [PageError(problem.message, path=path, line=use.line, mend=problem.mend) for problem in found]


def _problems(use: Use, fragment: Fragment) -> Sequence[BenchbookError]:
    exhibits = shown(fragment, use.run)
    if use.kind not in ("claim", "value") and use.name and use.name not in fragment["cells"]:
        names = ", ".join(fragment["cells"])
        return [BenchbookError(f"{use.slug} has no cell {use.name!r}", mend=f"its cells: {names}")]
    if use.run is not None and not exhibits:
        return [_no_run(use, fragment)]
    rules = {
        "starter": _starter,
        "figure": _figure,
        "measurements": _measurements,
        "claim": _claim,
        "value": _value,
    }
    rule = rules.get(use.kind)
    return rule(use, fragment, exhibits) if rule else []


def _record(use: Use) -> str:
    match = BACKEND.fullmatch(use.run or "cpu")
    backend, jax = (match["backend"], match["jax"]) if match else ("cpu", None)
    version = f" --jax {jax}" if jax else ""
    return f"run benchbook record {use.slug} --backend {backend}{version} --accept"


def _no_run(use: Use, fragment: Fragment) -> BenchbookError:
    match = BACKEND.fullmatch(use.run or "")
    if use.run not in fragment["backends"] and (
        match is None or match["backend"] not in fragment["backends"]
    ):
        return BenchbookError(
            f"no backend is named {use.run}", mend=f"known: {', '.join(fragment['backends'])}"
        )
    return BenchbookError(f"{use.slug} has no run on {use.run}", mend=_record(use))


def _starter(use: Use, fragment: Fragment, _: Sequence[Exhibit]) -> list[BenchbookError]:
    if use.name in fragment["starters"]:
        return []
    return [
        BenchbookError(
            f"cell {use.name!r} is no exercise", mend='tag it ["solution"], or show it with /// cell'
        )
    ]


def _figure(use: Use, _: Fragment, exhibits: Sequence[Exhibit]) -> list[BenchbookError]:
    if not exhibits or any(use.name in exhibit["figures"] for exhibit in exhibits):
        return []
    known = ", ".join(sorted({name for exhibit in exhibits for name in exhibit["figures"]})) or "none"
    mend = f"assign visual_data in that cell and record, or name one of: {known}"
    return [BenchbookError(f"no run of {use.slug} holds a figure {use.name!r}", mend=mend)]


def _measurements(use: Use, _: Fragment, exhibits: Sequence[Exhibit]) -> list[BenchbookError]:
    if not exhibits or any(exhibit["rows"] for exhibit in exhibits):
        return []
    return [
        BenchbookError(f"no run of {use.slug} holds a measurement", mend="assign measurements, and record")
    ]


def _claim(use: Use, fragment: Fragment, exhibits: Sequence[Exhibit]) -> list[BenchbookError]:
    decided = fragment["claims"].get(use.options["holds"])
    if decided is None:
        return [
            BenchbookError(f"the claim {use.options['holds']!r} is not decided", mend="run benchbook build")
        ]
    wrong = [
        decided[entry["id"]] for entry in exhibits if not entry["stale"] and "error" in decided[entry["id"]]
    ]
    return [BenchbookError(entry["error"], mend=entry["mend"]) for entry in wrong[:1]]


def _value(use: Use, _: Fragment, exhibits: Sequence[Exhibit]) -> list[BenchbookError]:
    try:
        quantity(use.name, exhibits[0])
    except BenchbookError as error:
        mend = f"{error.mend}; its run is stale: {_record(use)}" if exhibits[0]["stale"] else error.mend
        return [BenchbookError(error.message, mend=mend)]
    return []
