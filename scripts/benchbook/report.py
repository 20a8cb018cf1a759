"""The report: what a command tells a person, in colour and moving on a terminal, as plain lines elsewhere."""

import sys
import time
from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from benchbook.reading import counted
from benchbook.recording.outcome import Outcome

STYLES = {"new": "cyan", "reproduced": "green", "changed": "yellow", "failed": "bold red", "skipped": "dim"}
OUTPUT_LINES = 8
PLAIN_INTERVAL = 10.0  # seconds between lines where nothing can be redrawn

out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
err = Console(stderr=True, highlight=False, soft_wrap=True)


class Progression:
    """A `harvest.Listener` that draws a bar with the time left, or prints a line now and then."""

    def __init__(self) -> None:
        self._bar: Progress | None = None
        self._what = ""
        self._done = 0
        self._total = 0
        self._printed = 0.0

    def begin(self, what: str, processes: int) -> None:
        """Starts a session's bar."""
        self.end()
        self._what, self._done, self._total, self._printed = what, 0, processes, time.monotonic()
        if not out.is_terminal:
            out.print(f"{what}: {counted(processes, 'process')}", markup=False)
            return
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=out,
        )
        self._bar.add_task(what, total=processes)
        self._bar.start()

    def advance(self, what: str) -> None:
        """Counts one process."""
        self._done += 1
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], advance=1, description=f"{self._what}  {what}")
        elif time.monotonic() - self._printed > PLAIN_INTERVAL:
            self._printed = time.monotonic()
            out.print(f"{self._what}: {self._done} of {self._total} processes, now {what}", markup=False)

    def say(self, line: str) -> None:
        """One line, above the bar where there is one."""
        out.print(Text(line))

    def end(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def outcomes(found: Sequence[Outcome], *, where: str) -> None:
    """The last table of `record`: a row an outcome, and for a failure what its cell had printed."""
    rows = [outcome for outcome in found if outcome.slug]
    if rows and out.is_terminal:
        out.print(_table(rows))
    elif rows:
        for outcome in rows:
            words = (
                outcome.slug,
                outcome.backend,
                outcome.jax or "",
                outcome.kind,
                "; ".join(outcome.detail),
            )
            out.print(Text("  ".join(words).rstrip()))
    for outcome in found:
        if not outcome.slug:
            err.print(Text("\n".join(outcome.detail), STYLES["failed"]))
        elif outcome.output:
            tail = outcome.output.rstrip().splitlines()[-OUTPUT_LINES:]
            err.print(Text(f"\n{outcome.slug}, last lines of the cell that failed:\n  " + "\n  ".join(tail)))
    counts = Counter[str](outcome.kind for outcome in found)
    summary = ", ".join(f"{counts[kind]} {kind}" for kind in STYLES if counts[kind])
    written = sum(outcome.path is not None for outcome in found)
    place = f" to {where}" if written else ""
    out.print(Text(f"{summary or 'nothing to do'}; {counted(written, 'run')} written{place}"))


def _table(rows: Sequence[Outcome]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for header in ("snippet", "backend", "JAX", "outcome", "detail"):
        table.add_column(header, overflow="fold")
    for outcome in rows:
        kind = Text(outcome.kind, STYLES[outcome.kind])
        table.add_row(outcome.slug, outcome.backend, outcome.jax or "", kind, Text("\n".join(outcome.detail)))
    return table
