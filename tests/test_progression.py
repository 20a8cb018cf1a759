"""The progression: several sessions at once, each named, on a terminal and elsewhere."""

import io
import threading

import pytest
from rich.console import Console

from benchbook import progression
from benchbook.progression import Progression


def console(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> io.StringIO:
    """What is written to a console of this kind."""
    written = io.StringIO()
    made = Console(file=written, force_terminal=terminal, width=100, highlight=False, soft_wrap=not terminal)
    monkeypatch.setattr(progression, "out", made)
    return written


def test_on_a_pipe_each_line_names_its_session(monkeypatch: pytest.MonkeyPatch):
    """Sessions speak in between each other, and each counts its own processes."""
    written = console(monkeypatch, terminal=False)
    monkeypatch.setattr(progression, "PLAIN_INTERVAL", -1.0)
    listener = Progression()
    listener.begin("near, JAX 1", 2)
    listener.begin("far, JAX 2", 1)
    listener.advance("near, JAX 1", "a/b")
    listener.advance("far, JAX 2", "a/b")
    listener.say("backend far: no answer yet")
    listener.end("far, JAX 2")
    listener.advance("near, JAX 1", "a/c")
    listener.end("near, JAX 1")
    listener.close()
    assert written.getvalue().splitlines() == [
        "near, JAX 1: 2 processes",
        "far, JAX 2: 1 process",
        "near, JAX 1: 1 of 2 processes, last a/b",
        "far, JAX 2: 1 of 1 process, last a/b",
        "backend far: no answer yet",
        "near, JAX 1: 2 of 2 processes, last a/c",
    ]


def test_a_terminal_has_a_bar_for_each_session(monkeypatch: pytest.MonkeyPatch):
    """All are drawn until the last has ended; then the next ones begin afresh."""
    written = console(monkeypatch, terminal=True)
    listener = Progression()
    listener.begin("near, JAX 1", 2)
    listener.begin("far, JAX 2", 3)
    listener.advance("far, JAX 2", "a/b")
    listener.end("near, JAX 1")
    listener.say("a [red]line[/red]")
    written.seek(0)
    written.truncate()
    listener.end("far, JAX 2")
    last = written.getvalue()
    assert "near, JAX 1 " in last
    assert "far, JAX 2  a/b " in last
    assert "0/2" in last
    assert "1/3" in last
    listener.begin("near, JAX 2", 1)
    written.seek(0)
    written.truncate()
    listener.close()
    assert "near, JAX 2" in written.getvalue()
    assert "far" not in written.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_that_a_host_says_is_obeyed(monkeypatch: pytest.MonkeyPatch, terminal: bool):
    """Neither markup nor escape sequences, wherever they stand."""
    written = console(monkeypatch, terminal=terminal)
    listener = Progression()
    listener.begin("far, JAX [red]\x1b]0;title\x07", 1)
    listener.say("backend far: \x1b[2J[bold]")
    listener.close()
    assert "JAX [red]\u241b]0;title\u2407" in written.getvalue()
    assert "backend far: \u241b[2J[bold]" in written.getvalue()
    assert "\x07" not in written.getvalue()


def test_threads_may_speak_at_once(monkeypatch: pytest.MonkeyPatch):
    """No line is torn, and none is lost."""
    written = console(monkeypatch, terminal=False)
    listener = Progression()
    threads = [
        threading.Thread(target=lambda n=n: [listener.say(f"{n} " * 20) for _ in range(50)])  # type: ignore[misc]
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = written.getvalue().splitlines()
    assert len(lines) == 400
    assert all(len(set(line.split())) == 1 for line in lines)
