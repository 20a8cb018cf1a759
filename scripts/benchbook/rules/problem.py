"""A problem: one thing that a rule found, with its place and the mend."""

from dataclasses import dataclass
from typing import Self

from benchbook.errors import BenchbookError


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and what to do about it.

    Attributes:
        path: The file, relative to the project.
        line: The 1-based line in it, where there is one.
        message: What is wrong, without a full stop.
        mend: What to do about it, as an imperative.
        fixable: Whether `check --fix` does it.
        gates: Whether the check fails; a note does not gate.
    """

    path: str
    line: int | None
    message: str
    mend: str
    fixable: bool = False
    gates: bool = True

    @classmethod
    def of(cls, error: BenchbookError, *, path: str) -> Self:
        """An error as a problem; ``path`` is used where the error names none."""
        return cls(error.path or path, error.line, error.message, error.mend or "correct it")

    def __str__(self) -> str:
        """One line, as errors are spelled."""
        return f"{self.path}{'' if self.line is None else f':{self.line}'}: {self.message} ({self.mend})"
