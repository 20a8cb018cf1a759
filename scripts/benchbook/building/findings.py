"""Findings: what came out of a run, as markup: cells, measurements, figures, programs, artefacts."""

from collections.abc import Callable

from benchbook import reading, statistics
from benchbook.archive import Stored
from benchbook.building import exhibit, viewer
from benchbook.building.markup import block, code, element, folded, image, note, region, row, table, text
from benchbook.drawing import figure
from benchbook.drawing.kind import KINDS
from benchbook.drawing.table import Table, tables
from benchbook.run import Cell, Measurement, Panel, Run

ROOT = "../../../"  # from a run page to the site's root


def cells(run: Run) -> str:
    """What each cell printed, raw."""
    return "".join(_cell(cell) for cell in run.cells)


def figures(stored: Stored) -> str:
    """Each figure for both schemes, and its data."""
    return "".join(_figure(stored, cell) for cell in stored.run.figures)


def _cell(cell: Cell) -> str:
    tags = "".join(f", {tag}" for tag in cell.tags)
    title = element("p", code(cell.name), text(f"{tags}, {reading.text(cell.duration_ns, 'ns')}"))
    return (
        title
        + _stream("standard output", cell.stdout, cell.stdout_dropped)
        + _stream("standard error", cell.stderr, cell.stderr_dropped)
    )


def _stream(name: str, printed: str, dropped: int) -> str:
    lost = element("p", text(f"{dropped} more bytes of {name} were counted and not kept.")) if dropped else ""
    return (element("p", text(f"On {name}:")) + block(printed) if printed else "") + lost


def measurements(stored: Stored) -> str:
    """Summaries, each with an anchor, and all samples."""
    rows = [_measurement(stored, name, found) for name, found in stored.run.measurements.items()]
    if not rows:
        return ""
    header = ("Name", "Median [95% interval]", "Least", "Most", "MAD", "Verdict")
    rule = f"Median of the process medians; percentile bootstrap, {statistics.RESAMPLES} resamples."
    samples = "".join(_samples(name, found) for name, found in stored.run.measurements.items())
    return table("Measurements", header, rows) + element("p", text(rule)) + samples


def _measurement(stored: Stored, name: str, found: Measurement) -> str:
    summary = statistics.summarise(found, seed=stored.digest)
    warmup = "1 call" if found.warmup == 1 else f"{found.warmup} calls"
    method = f"{warmup} to warm up, then {found.calls} timed in each of {summary.processes} processes"
    cells = (
        reading.interval(summary.median, summary.low, summary.high, found.unit),
        *(reading.text(value, found.unit) for value in (summary.minimum, summary.maximum, summary.mad)),
        exhibit.VERDICTS[summary.stable],
    )
    meaning = f"{', '.join(found.inputs) or 'no inputs'}; {method}; waits: {found.wait}"
    meaning += f"; excludes: {found.excludes}; {exhibit.rule(summary)}"
    head = row(code(name), *map(text, cells), anchor=f"run-{stored.id}-{name}")
    return head + note(text(meaning), columns=1 + len(cells))


def _samples(name: str, found: Measurement) -> str:
    rows = [
        row(text(str(number)), text(" ".join(map(str, samples))))
        for number, samples in enumerate(found.samples, 1)
    ]
    caption = f"Samples of {name}, in {found.unit} per call"
    return folded(caption, table(caption, ("Process", "Samples"), rows))


def _figure(stored: Stored, cell: str) -> str:
    run = stored.run
    about = f"Figure of the cell {cell} on {run.backend}; the table below holds its data."
    images = (
        image(f"{ROOT}{figure.path(run.slug, stored.id, run.backend, cell, dark=dark)}#only-{scheme}", about)
        for dark, scheme in ((False, "light"), (True, "dark"))
    )
    data = tables(run.figures[cell], run.measurements, seed=stored.digest)
    kinds = "; ".join(map(_kind, run.figures[cell]))
    if not data:
        return element("p", code(cell), text(f": {kinds}; this engine cannot draw it."))
    return (
        element("p", code(cell), text(f": {kinds}"))
        + region(f"Figure {cell}", *images)
        + "".join(map(_data, data))
    )


def _kind(panel: Panel) -> str:
    kind = KINDS.get(panel.kind)
    if kind is None:
        return panel.kind
    drawn = kind.natural(panel)
    scales = {"x": drawn.xscale, "y": drawn.yscale}
    return ", ".join([panel.kind, *(f"{scales[axis]} {axis} axis" for axis in kind.numbers)])


def _data(data: Table) -> str:
    rows = [row(text(cells[0]), *map(text, cells[1:])) for cells in data.rows]
    return table(data.caption, data.header, rows)


def programs(run: Run) -> str:
    """The hashes of the jitted programs."""
    if run.programs is None:
        return element("p", "No inspection process ran.")
    header = ("Program", "sha256 of its StableHLO", "sha256 of its optimised HLO")
    rows = [row(code(found.name), *map(_digest, (found.stablehlo, found.hlo))) for found in run.programs]
    return table("Jitted programs", header, rows) if rows else ""


def _digest(digest: str | None) -> str:
    return code(digest) if digest else "not known"


def artefacts(stored: Stored, *, served: bool) -> str:
    """The files beside the run, linked where the site serves them, each with an anchor and how to open it."""

    def link(path: str) -> str:
        return element("a", text(path), href=f"{stored.path.stem}/{path}") if served else text(path)

    header = ("Name", "File", "Type", "Size")
    rows = [_artefact(stored, name, link) for name in stored.run.artefacts]
    return table("Artefacts", header, rows) if rows else ""


def _artefact(stored: Stored, name: str, link: Callable[[str], str]) -> str:
    found = stored.run.artefacts[name]
    cells = (link(found.path), text(found.type), text(reading.size(found.size)))
    head = row(code(name), *cells, anchor=f"run-{stored.id}-file-{name}")
    said = (text("sha256 ") + code(found.sha256), viewer.steps(found.path))
    return head + "".join(note(cell, columns=1 + len(cells)) for cell in said)
