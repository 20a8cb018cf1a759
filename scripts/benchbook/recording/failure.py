"""A failure: why a job became no run, in one line."""

from dataclasses import dataclass
from typing import Self

from benchbook.lesson.snippet import Snippet
from benchbook.worker.wire import Frame


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job became no run.

    Attributes:
        kind: A kind of the wire, or ``disagreed``.
        message: One line with file, line, cell and what happened.
        output: What the cell that failed had printed.
    """

    kind: str
    message: str
    output: str = ""

    @classmethod
    def of(cls, snippet: Snippet, frame: Frame) -> Self:
        """That of a process that did not complete."""
        line = f":{frame['line']}" if frame.get("line") else ""
        cell = f"cell {frame['cell']}: " if frame.get("cell") else ""
        process = f" (process {frame['process'] + 1})" if frame.get("process") else ""
        kind = frame.get("kind", "invalid")
        cells = frame.get("cells") or []
        output = "".join(cells[-1].get(stream, "") for stream in ("stdout", "stderr")) if cells else ""
        return cls(kind, f"{snippet.path}{line}: {cell}{kind}: {frame.get('detail', '')}{process}", output)
