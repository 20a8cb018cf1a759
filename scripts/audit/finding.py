"""A finding: one thing that was looked at, what was found there, and whether that is enough."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One row of the table at the end.

    Attributes:
        what: What was looked at, and with which tool.
        found: A number or a few words.
        wanted: What it is held to.
        holds: Whether it is enough; ``None`` when it was not looked at.
        details: What falls short, one line each.
    """

    what: str
    found: str
    wanted: str
    holds: bool | None
    details: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The last word of its row."""
        return {True: "holds", False: "falls short", None: "not run"}[self.holds]


def not_run(what: str, reason: str) -> Finding:
    """Something that could not be looked at here, and why."""
    return Finding(what, reason, "", None)


def table(findings: Sequence[Finding]) -> str:
    """The findings as plain lines, each followed by what falls short of it."""
    rows = [("what", "found", "wanted"), *((one.what, one.found, one.wanted) for one in findings)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row, finding in zip(rows, [None, *findings], strict=True):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        lines.append("  ".join([*cells, finding.verdict if finding else "verdict"]))
        lines += [f"    {detail}" for detail in finding.details] if finding else []
    return "\n".join(lines)


def status(findings: Sequence[Finding], *, strict: bool) -> int:
    """1 where something falls short; where ``strict``, what was not run does too."""
    failing = {False, None} if strict else {False}
    return int(any(finding.holds in failing for finding in findings))
