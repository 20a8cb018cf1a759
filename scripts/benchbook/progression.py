"""The progression: how sessions go, drawn as bars on a terminal, told in plain lines elsewhere."""

import threading
import time
from dataclasses import dataclass

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from benchbook import terminal
from benchbook.reading import counted
from benchbook.report import out

PLAIN_INTERVAL = 10.0  # seconds between a session's lines where nothing can be redrawn


@dataclass(slots=True)
class _Going:
    """A session that goes on."""

    total: int
    printed: float
    bar: TaskID | None = None
    done: int = 0


class Progression:
    """A `harvest.Listener` of several sessions, each of which speaks from a thread of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._going: dict[str, _Going] = {}
        self._bars: Progress | None = None

    def begin(self, session: str, processes: int) -> None:
        """Starts a session's bar."""
        with self._lock:
            going = self._going[session] = _Going(processes, time.monotonic())
            if out.is_terminal:
                going.bar = self._drawn().add_task(terminal.line(session), total=processes)
            else:
                _print(f"{session}: {counted(processes, 'process')}")

    def advance(self, session: str, what: str) -> None:
        """Counts one process."""
        with self._lock:
            going = self._going[session]
            going.done += 1
            now = time.monotonic()
            if going.bar is not None:
                self._drawn().update(going.bar, advance=1, description=terminal.line(f"{session}  {what}"))
            elif now - going.printed > PLAIN_INTERVAL:
                going.printed = now
                _print(f"{session}: {going.done} of {counted(going.total, 'process')}, last {what}")

    def say(self, line: str) -> None:
        """One line, above the bars where there are some."""
        with self._lock:
            _print(line)

    def end(self, session: str) -> None:
        """Ends a session; its bar stays until the last of them has ended."""
        with self._lock:
            del self._going[session]
            if not self._going:
                self._stop()

    def close(self) -> None:
        """Takes the bars away, whatever still goes on."""
        with self._lock:
            self._stop()

    def _drawn(self) -> Progress:
        if self._bars is None:
            text = TextColumn("{task.description}", markup=False)
            self._bars = Progress(text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=out)
            self._bars.start()
        return self._bars

    def _stop(self) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None


def _print(line: str) -> None:
    out.print(Text(terminal.line(line)))
