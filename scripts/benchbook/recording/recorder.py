"""The recorder: sends plans to backends, one session after another, and brings in what they answer."""

from collections.abc import Iterator, Sequence
from importlib import metadata

from benchbook.errors import BenchbookError
from benchbook.lesson.snippet import Snippet
from benchbook.project import Backend, Project
from benchbook.recording import environment, plan, program, session
from benchbook.recording.harvest import Harvest, Listener
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options


def record(
    project: Project, snippets: Sequence[Snippet], options: Options, listener: Listener
) -> Iterator[Outcome]:
    """Executes the snippets on every backend and JAX that was asked for.

    Args:
        project: Where runs are written.
        snippets: From `plan.choose`.
        options: What was asked for.
        listener: Is told how it goes.

    Yields:
        An outcome as soon as it is known; one session after another.
    """
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
                yield from _session(project, fitting, backend, jax, options=options, listener=listener)


def _session(
    project: Project,
    snippets: Sequence[Snippet],
    backend: Backend,
    jax: str | None,
    *,
    options: Options,
    listener: Listener,
) -> Iterator[Outcome]:
    cache = "~/.cache/benchbook/compiled" if backend.command else str(project.state / "compiled")
    asked = plan.make(snippets, backend, jax, options, inspect=options.accept, cache=cache)
    try:
        command = environment.command(project, backend, jax, say=listener.say)
        frames = session.frames(command, program.text(asked), name=backend.name)
        yield from Harvest(project, options.accept, listener).follow(asked, frames)
    except BenchbookError as error:
        yield Outcome("", backend.name, jax, "failed", (str(error),))
