"""The one family of errors: each names a place and the mend.

What an error quotes may come from anybody: control characters in it are pictures before a terminal sees them.
"""

from pathlib import PurePath

from benchbook.terminal import pictured


class BenchbookError(Exception):
    """Something a person has to put right.

    Args:
        message: What is wrong, without a full stop at the end.
        path: The file, relative to the project where it lies in it.
        line: The 1-based line in that file.
        mend: What to do about it, as an imperative.
    """

    exit_status = 1

    def __init__(
        self,
        message: str,
        *,
        path: PurePath | str | None = None,
        line: int | None = None,
        mend: str | None = None,
    ) -> None:
        super().__init__(pictured(message))
        self.message = pictured(message)
        self.path = None if path is None else pictured(str(path))
        self.line = line
        self.mend = None if mend is None else pictured(mend)

    def __str__(self) -> str:
        """One line: place, what is wrong, and the mend."""
        place = "" if self.path is None else self.path + ("" if self.line is None else f":{self.line}") + ": "
        return f"{place}{self.message}" + (f" ({self.mend})" if self.mend else "")


class UsageError(BenchbookError):
    """A wrong word on the command line or in a setting: exit status 2."""

    exit_status = 2


class SnippetError(BenchbookError):
    """A snippet that cannot be recorded as it is written."""


class RunError(BenchbookError):
    """A run file that is not whole, not ours, or not what its name says."""


class PageError(BenchbookError):
    """A page that asks for something that is not there."""
