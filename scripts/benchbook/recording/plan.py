"""The plan: which snippets run where, how often, and in what kind of process."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

from benchbook.archive import jax_version
from benchbook.errors import SnippetError, UsageError
from benchbook.lesson.snippet import Snippet, load
from benchbook.project import SLUG, Backend, Project
from benchbook.recording import program
from benchbook.worker.wire import PROTOCOL, Job, Plan

PROCESSES = 10
CORES = os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Options:
    """What `benchbook record` was asked for.

    Attributes:
        backends: Names; by default ``cpu``.
        versions: Versions of JAX; ``None`` stands for the one that is there.
        processes: For each snippet that measures; the others run once.
        parallel: Processes that do not measure and may run at once.
        compile_cache: Whether forked processes share JAX's persistent cache.
        accept: Whether runs become reference runs.
    """

    backends: tuple[str, ...] = ("cpu",)
    versions: tuple[str | None, ...] = (None,)
    processes: int = PROCESSES
    parallel: int = CORES
    compile_cache: bool = False
    accept: bool = False

    def __post_init__(self) -> None:
        """Takes once what was named twice."""
        for name in ("backends", "versions"):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))


def choose(project: Project, slugs: Sequence[str]) -> list[Snippet]:
    """Parses the snippets that were named, or all of them.

    Raises:
        SnippetError: One is not right; every mistake is in the message, and nothing has run.
        UsageError: There is none.
    """
    for slug in slugs:
        if not SLUG.fullmatch(slug):
            raise UsageError(f"{slug!r} is no slug", mend="write chapter/lesson, as in jit/compile")
    chosen = list(dict.fromkeys(slugs)) or project.slugs()
    if not chosen:
        raise UsageError("there is no snippet", path="snippets", mend="benchbook new chapter/lesson")
    snippets, mistakes = [], []
    for slug in chosen:
        path = project.snippet_path(slug)
        try:
            snippets.append(load(path, slug=slug, shown=project.relative(path)))
        except SnippetError as error:
            mistakes.append(error)
    if mistakes:
        raise mistakes[0] if len(mistakes) == 1 else SnippetError("\n".join(str(error) for error in mistakes))
    return snippets


def runs_on(snippet: Snippet, jax: str | None) -> bool:
    """Whether the snippet's minimum JAX allows this version."""
    least = snippet.header.minimum_jax
    return least is None or jax is None or jax_version(jax) >= jax_version(least)


def make(
    snippets: Sequence[Snippet],
    backend: Backend,
    jax: str | None,
    options: Options,
    *,
    inspect: bool,
    cache: str | None,
) -> Plan:
    """The plan for one session.

    Args:
        snippets: What runs, in this order.
        backend: Where.
        jax: The version that the worker asserts.
        options: How often, and how many at once.
        inspect: Whether one more process a snippet hashes its programs.
        cache: Folder of JAX's persistent cache, for forked processes.
    """
    platforms = {"gpu": "cuda"}.get(backend.platform, backend.platform)
    return {
        "protocol": PROTOCOL,
        "program": program.digest(),
        "expected": {
            "backend": backend.name,
            "platform": backend.platform,
            "device_kind": backend.device_kind,
            "count": backend.count,
            "jax": jax,
        },
        "env": {"JAX_PLATFORMS": platforms, **backend.env},
        "jobs": [_job(snippet, backend, options.processes, inspect) for snippet in snippets],
        "parallel": max(1, options.parallel),
        "compile_cache": cache if options.compile_cache else None,
    }


def _job(snippet: Snippet, backend: Backend, processes: int, inspect: bool) -> Job:
    return {
        "slug": snippet.slug,
        "text": snippet.text,
        "sha256": snippet.sha256,
        "cells": [{"name": cell.name, "source": cell.source, "line": cell.line} for cell in snippet.cells],
        "processes": processes if snippet.measures else 1,
        "fork": backend.platform == "cpu" and not snippet.measures and not snippet.header.cold,
        "alone": snippet.measures,
        "timeout": snippet.header.timeout,
        "inspect": inspect,
    }
