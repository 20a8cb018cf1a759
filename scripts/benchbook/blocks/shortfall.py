"""A shortfall: what a use names that its fragment does not hold. Light: the blocks import it."""

import re
from collections.abc import Sequence

from benchbook.blocks import citation
from benchbook.blocks.catalogue import Exhibit, Fragment, quantity, shown
from benchbook.errors import BenchbookError, PageError
from benchbook.pages.use import Use

OTHERS = ("artefact", "claim", "specimen", "value")  # what they name is no cell
BACKEND = re.compile(r"(?P<backend>[a-z][a-z0-9-]*?)(?:-(?P<jax>[0-9][^-]*))?")


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
    if use.kind not in OTHERS and use.name and use.name not in fragment["cells"]:
        names = ", ".join(fragment["cells"])
        return [BenchbookError(f"{use.slug} has no cell {use.name!r}", mend=f"its cells: {names}")]
    if use.run is not None and not exhibits:
        return [_no_run(use, fragment)]
    rules = {
        "starter": _starter,
        "figure": _figure,
        "measurements": _measurements,
        "specimen": _specimen,
        "artefact": _artefact,
        "cited": _cited,
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


def _specimen(use: Use, _: Fragment, exhibits: Sequence[Exhibit]) -> list[BenchbookError]:
    known = [row["name"] for exhibit in exhibits[:1] for row in exhibit["rows"]]
    if not exhibits or use.name in known:
        return []
    mend = f"name one of: {', '.join(known)}" if known else "assign measurements, and record"
    return [BenchbookError(f"no run of {use.slug} holds a measurement {use.name!r}", mend=mend)]


def _artefact(use: Use, _: Fragment, exhibits: Sequence[Exhibit]) -> list[BenchbookError]:
    known = sorted({name for exhibit in exhibits for name in exhibit["artefacts"]})
    if not exhibits or use.name in known:
        return []
    mend = f"name one of: {', '.join(known)}" if known else "assign artefacts, and record"
    run = f"run of {use.slug}"
    which = f"the {run} on {use.run} holds no" if use.run else f"no current {run} holds an"
    return [BenchbookError(f"{which} artefact {use.name!r}", mend=mend)]


def _cited(use: Use, fragment: Fragment, _: Sequence[Exhibit]) -> list[BenchbookError]:
    return list(citation.problems(use, fragment["shown"]))


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
