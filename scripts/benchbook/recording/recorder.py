"""The recorder: sends plans to backends, all hosts at once, and brings in what they answer."""

import os
import threading
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata

from benchbook import system
from benchbook.errors import BenchbookError
from benchbook.lesson.snippet import Snippet
from benchbook.project import Backend, Project
from benchbook.recording import confluence, environment, plan, program, session
from benchbook.recording.harvest import Harvest, Listener
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options

Outcomes = Generator[Outcome, None, None]


def record(project: Project, snippets: Sequence[Snippet], options: Options, listener: Listener) -> Outcomes:
    """Executes the snippets on every backend and JAX that was asked for.

    A host is the words of a backend's command, or this machine: its sessions follow one another, those of
    several hosts run at once.

    Args:
        project: Where runs are written.
        snippets: From `plan.choose`.
        options: What was asked for.
        listener: Is told how it goes, from several threads.

    Yields:
        An outcome as soon as it is known.
    """
    stop = threading.Event()
    hosts: dict[tuple[str, ...] | None, list[Outcomes]] = {}
    going: list[Outcomes] = []
    for name in options.backends:
        backend = project.backend(name)
        for jax in options.versions:
            found = metadata.version("jax") if jax is None and backend.command is None else jax
            fitting = [snippet for snippet in snippets if plan.runs_on(snippet, found)]
            for snippet in snippets:
                if snippet not in fitting:
                    why = f"needs JAX {snippet.header.minimum_jax} or newer"
                    yield Outcome(snippet.slug, name, found, "skipped", (why,))
            if fitting:
                visit = _session(
                    project, fitting, backend, jax, options=options, listener=listener, stopped=stop.is_set
                )
                hosts.setdefault(backend.command, []).append(visit)
                going.append(visit)
    tell = _Teller(going, listener, stop)
    yield from confluence.join([tell.in_turn(visits) for visits in hosts.values()], stop)


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells at once what ended a session while others go on: the last table may be hours away."""

    going: list[Outcomes]
    listener: Listener
    stop: threading.Event

    def in_turn(self, visits: Sequence[Outcomes]) -> Outcomes:
        """The sessions of one host, one after another."""
        for visit in visits:
            with closing(visit):
                for outcome in visit:
                    if not outcome.slug and len(self.going) > 1 and not self.stop.is_set():
                        self.listener.say(outcome.detail[0])
                    yield outcome
            self.going.remove(visit)


def _session(
    project: Project,
    snippets: Sequence[Snippet],
    backend: Backend,
    jax: str | None,
    *,
    options: Options,
    listener: Listener,
    stopped: Callable[[], bool],
) -> Outcomes:
    """One session, whose failure is one outcome."""
    left = len(snippets)
    try:
        cache = "~/.cache/benchbook/compiled" if backend.command else str(project.state / "compiled")
        asked = plan.make(snippets, backend, jax, options, inspect=options.accept, cache=cache)
        command = environment.command(project, backend, jax, say=listener.say, stopped=stopped)
        frames = session.frames(
            command,
            program.text(asked),
            name=backend.name,
            patience=backend.patience,
            say=listener.say,
            stopped=stopped,
        )
        with closing(frames):
            for outcome in Harvest(project, options.accept, listener).follow(asked, frames):
                left -= outcome.path is not None
                yield outcome
    except Exception as error:  # a thread's: nobody else would hear of it
        if os.environ.get("BENCHBOOK_TRACEBACK"):
            traceback.print_exc()
        yield Outcome("", backend.name, jax, "failed", (_line(error, backend.name, left),))


def _line(error: Exception, name: str, left: int) -> str:
    """What ended a session: one line with the backend, what it cost, and the mend."""
    told = system.told(error)
    here = f"backend {name}: "
    message = f"{'' if told.message.startswith(here) else here}{told.message}; snippets without a run: {left}"
    return str(BenchbookError(message, path=told.path, line=told.line, mend=told.mend))
