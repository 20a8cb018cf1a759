"""The report: what became of a recording, as a table on a terminal, as plain lines elsewhere."""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchbook.reading import counted, printable
from benchbook.recording.outcome import Outcome
from benchbook.terminal import readable

STYLES = {"new": "cyan", "reproduced": "green", "changed": "yellow", "failed": "bold red", "skipped": "dim"}
OUTPUT_LINES = 8
OUTPUT_WIDTH = 500  # characters

out = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
err = Console(stderr=True, highlight=False, soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Row:
    """What the last table needs of an outcome: not its run, of which there may be thousands.

    Attributes:
        slug: The snippet, or ``""`` where a whole session failed.
        backend: Its name.
        jax: The version, where it is known.
        kind: That of the outcome.
        detail: What changed, or why it failed, one line each.
        output: The last lines that a cell which failed had printed.
        is_written: Whether there is a file.
    """

    slug: str
    backend: str
    jax: str
    kind: str
    detail: tuple[str, ...]
    output: tuple[str, ...]
    is_written: bool

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        """The row of one outcome; nothing in it can be obeyed by a terminal."""
        lines = readable(outcome.output).rstrip().splitlines()[-OUTPUT_LINES:]
        return cls(
            outcome.slug,
            outcome.backend,
            printable(outcome.jax or ""),
            outcome.kind,
            tuple(printable(line) for detail in outcome.detail for line in detail.split("\n")),
            tuple(printable(line.expandtabs()[:OUTPUT_WIDTH]) for line in lines),
            outcome.stored is not None,
        )


def outcomes(found: Sequence[Row], *, where: str) -> None:
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
            tail = "\n  ".join(row.output)
            err.print(Text(f"\n{row.slug}, last lines of the cell that failed:\n  {tail}"))
    counts = Counter(row.kind for row in found)
    summary = ", ".join(f"{counts[kind]} {kind}" for kind in STYLES if counts[kind])
    written = sum(row.is_written for row in found)
    place = f" to {where}" if written else ""
    out.print(Text(f"{summary or 'nothing to do'}; {counted(written, 'run')} written{place}"))


def _words(row: Row) -> tuple[str, ...]:
    return row.slug, row.backend, row.jax, row.kind


def _table(rows: Sequence[Row]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for header in ("snippet", "backend", "JAX", "outcome", "detail"):
        table.add_column(header, overflow="fold")
    for row in rows:
        *place, kind = _words(row)
        table.add_row(*place, Text(kind, STYLES[kind]), Text("\n".join(row.detail)))
    return table
