"""The report: what became of a recording, as a table on a terminal, as plain lines elsewhere."""

import sys
from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchbook import streams
from benchbook.reading import counted
from benchbook.recording.outcome import Outcome

STYLES = {"new": "cyan", "reproduced": "green", "changed": "yellow", "failed": "bold red", "skipped": "dim"}
OUTPUT_LINES = 8
OUTPUT_WIDTH = 500  # characters


class Printer(Console):
    """A console that goes on when nothing can be written any more, as when its reader has seen enough.

    What it prints is not worth the work that goes on; in the end `streams.flush` tells what was in the way.
    """

    def on_broken_pipe(self) -> None:
        """Where Rich would end whatever thread this is."""
        raise BrokenPipeError

    def _check_buffer(self) -> None:
        """Writes what was printed: also Rich's own thread, which draws bars, comes by here."""
        try:
            super()._check_buffer()
        except OSError as error:
            del self._buffer[:]
            if not self.stderr:
                streams.miss(error)


out = Printer(highlight=False, soft_wrap=not sys.stdout.isatty())
err = Printer(stderr=True, highlight=False, soft_wrap=True)


def outcomes(found: Sequence[Outcome], *, where: str) -> None:
    """The last table of `record`: a row an outcome, and for a failure what its cell had printed."""
    rows = [row for row in found if row.slug]
    if rows and out.is_terminal:
        out.print(_table(rows))
    elif rows:
        for row in rows:
            out.print(Text("  ".join((*_words(row), "; ".join(row.detail))).rstrip()))
    for row in found:
        if not row.slug:
            err.print(Text("\n".join(row.detail), STYLES["failed"]))
        elif row.output:
            lines = row.output.rstrip().splitlines()[-OUTPUT_LINES:]
            tail = "\n  ".join(line.expandtabs()[:OUTPUT_WIDTH] for line in lines)
            err.print(Text(f"\n{row.slug}, last lines of the cell that failed:\n  {tail}"))
    counts = Counter[str](row.kind for row in found)
    summary = ", ".join(f"{counts[kind]} {kind}" for kind in STYLES if counts[kind])
    written = sum(row.path is not None for row in found)
    place = f" to {where}" if written else ""
    out.print(Text(f"{summary or 'nothing to do'}; {counted(written, 'run')} written{place}"))


def _words(row: Outcome) -> tuple[str, str, str, str]:
    return row.slug, row.backend, row.jax or "", row.kind


def _table(rows: Sequence[Outcome]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for header in ("snippet", "backend", "JAX", "outcome", "detail"):
        table.add_column(header, overflow="fold")
    for row in rows:
        *place, kind = _words(row)
        table.add_row(*place, Text(kind, STYLES[kind]), Text("\n".join(row.detail)))
    return table
