"""A testimony: what a run says about itself, held against its own source and the project's backends."""

import hashlib
from collections.abc import Iterator, Mapping

from benchbook.backend import Backend
from benchbook.errors import SnippetError
from benchbook.lesson.cell import split
from benchbook.run import Run


def contradictions(run: Run, backends: Mapping[str, Backend]) -> Iterator[str]:
    """One message for each thing in the run that another thing in it, or its backend, denies.

    Args:
        run: A run that its model accepted.
        backends: Those that the project has now; of one that it has no more, nothing can be said.
    """
    yield from _source(run)
    yield from _times(run)
    yield from _samples(run)
    if run.backend in backends:
        device = run.hardware.device
        misfit = backends[run.backend].misfit(device.platform, device.kind, device.count)
        yield from [misfit] if misfit else []


def _source(run: Run) -> Iterator[str]:
    if hashlib.sha256(run.source.text.encode()).hexdigest() != run.source.sha256:
        yield "source.sha256 is not the digest of source.text"
    try:
        cells = split(run.source.text, path="source.text")
    except SnippetError:  # a rule for snippets that came later makes a run stale, and no lie
        return
    if [(cell.name, list(cell.tags)) for cell in cells] != [(cell.name, cell.tags) for cell in run.cells]:
        yield "its cells have not the names and tags that its source has"


def _times(run: Run) -> Iterator[str]:
    if run.ended < run.started:  # both have one spelling, in which text orders as time does
        yield f"it ended at {run.ended}, before it started at {run.started}"
    if min(run.method.process_ns) <= 0:
        yield "a process took no time"


def _samples(run: Run) -> Iterator[str]:
    for name, measurement in run.measurements.items():
        most = max(map(len, measurement.samples))
        if most > measurement.calls:
            yield f"measurement {name!r} has {most} samples of a process that timed {measurement.calls} calls"
