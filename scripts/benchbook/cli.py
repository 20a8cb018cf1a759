"""The command line: parses, calls, prints. What takes long to import is imported where it is needed."""

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchbook import __version__, streams, system
from benchbook.errors import BenchbookError, UsageError
from benchbook.project import Project, find
from benchbook.reading import counted

if TYPE_CHECKING:
    from benchbook.lesson.snippet import Snippet
    from benchbook.recording.plan import Options

# Without a value, Typer converts even `--help` with pydantic, whose import takes longer than an idle build.
QUICK = {"help": False}
COMMANDS = ("record", "build", "check", "cite", "new", "serve")

app = typer.Typer(
    context_settings={"default_map": QUICK | dict.fromkeys(COMMANDS, QUICK)},
    help="Executes documentation snippets on named backends and renders their runs into pages.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

INTERRUPTED = 130  # the exit status that Typer, too, makes of Control-C
Slugs = Annotated[list[str] | None, typer.Argument(help="Lessons, as in jit/compile; all by default.")]


def main() -> None:
    """The entry point: errors become one line and an exit status."""
    streams.prepare()
    status = _status()
    lost = streams.flush()
    if lost is not None:
        if not isinstance(lost, BrokenPipeError):  # a reader who has seen enough, as head has, is no mistake
            streams.say(f"benchbook: {system.refused(lost, path='standard output') or lost}")
        status = status or 1
    raise SystemExit(status)


def _status() -> int | str | None:
    """Runs the command; its exit status."""
    try:
        app()
    except BenchbookError as error:
        streams.say(f"benchbook: {error}")
        return error.exit_status
    except (KeyboardInterrupt, SystemExit) as end:
        status = INTERRUPTED if isinstance(end, KeyboardInterrupt) else end.code
        if status == INTERRUPTED:
            streams.say("benchbook: interrupted; what was written is whole")
        return status
    except Exception as error:
        if os.environ.get("BENCHBOOK_TRACEBACK"):
            raise
        if isinstance(error, OSError) and error.filename is None and error.errno in system.FULL:
            streams.miss(error)  # each file of ours is named, so this is standard output
        else:
            streams.say(f"benchbook: {system.told(error)}")
        return 1
    return 0


def _version(wanted: bool) -> None:
    if wanted:
        print(f"benchbook {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Executes documentation snippets on named backends and renders their runs into pages."""


@app.command()
def record(  # noqa: PLR0917  # Typer passes them by name
    slugs: Slugs = None,
    backend: Annotated[list[str] | None, typer.Option(help="Where to run; may be repeated.")] = None,
    jax: Annotated[list[str] | None, typer.Option(help="A version of JAX; may be repeated.")] = None,
    processes: Annotated[int, typer.Option(min=1, help="For each snippet that measures.")] = 10,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes at once that do not measure.")] = None,
    compile_cache: Annotated[bool, typer.Option(help="Share JAX's persistent cache when forked.")] = False,
    accept: Annotated[bool, typer.Option(help="Write reference runs to docs/runs.")] = False,
    pack: Annotated[Path | None, typer.Option(help="Write a program to carry, and run nothing.")] = None,
    ingest: Annotated[Path | None, typer.Option(help="Take the results of a packed program.")] = None,
) -> None:
    """Execute snippets and write runs."""
    from benchbook import archive, report
    from benchbook.progression import Progression
    from benchbook.recording import environment, parcel, plan, recorder
    from benchbook.run import LARGEST

    project = find()
    options = plan.Options(
        backends=tuple(backend or ["cpu"]),
        versions=tuple(jax or [None]),
        processes=processes,
        parallel=jobs or plan.CORES,
        compile_cache=compile_cache,
        accept=accept,
    )
    if pack is not None and ingest is not None:
        raise UsageError("--pack and --ingest exclude each other", mend="pack first, run it, then ingest")
    if ingest is not None and (slugs or backend or jax):
        message = "--ingest takes all that the file holds: no lesson, --backend or --jax"
        raise UsageError(message, mend="give only --accept with it")
    for name in options.backends:
        for version in options.versions:
            environment.accept(project.backend(name), version)
    if pack is not None:
        _pack(project, plan.choose(project, slugs or []), options, pack)
        return
    folder = project.runs if accept else project.local_runs
    archive.prove_room(folder, LARGEST)  # now, and not after an hour of measuring
    listener = Progression()
    try:
        if ingest is not None:
            found = list(parcel.ingest(project, ingest, options, listener))
        else:
            chosen = plan.choose(project, slugs or [])
            with closing(recorder.record(project, chosen, options, listener)) as coming:
                found = list(coming)
    finally:
        listener.close()
    report.outcomes(found, where=project.relative(folder))
    if any(row.kind == "failed" for row in found):
        raise typer.Exit(1)


def _pack(project: Project, snippets: list["Snippet"], options: "Options", path: Path) -> None:
    from benchbook import archive
    from benchbook.recording import parcel

    if len(options.backends) != 1 or len(options.versions) != 1:
        raise UsageError("--pack takes one backend and one version", mend="pack once for each")
    backend = project.backend(options.backends[0])
    _prove_new(project, path)
    text = parcel.pack(snippets, backend, options.versions[0], options)
    try:
        archive.write_whole(path, text.encode())
    except OSError as error:
        raise system.refused(error, path=str(path), what="written", kind=UsageError) or error from error
    print(f"{path}: {counted(len(snippets), 'snippet')} for {backend.name}. Where Python 3.11+ has JAX, run")
    print(f"  python3 {path.name} > results.jsonl")
    print("then here: benchbook record --ingest results.jsonl [--accept]")


def _prove_new(project: Project, path: Path) -> None:
    """Refuses to put a program in the place of something else than an earlier one."""
    if path.is_symlink() or (path.exists() and not (path.is_file() or path.is_dir())):
        raise UsageError("is no regular file", path=path, mend="name a new file")
    within = path.resolve()
    if path.is_dir():
        return  # which writing refuses, with its own words
    if within.is_relative_to(project.snippets) or within.is_relative_to(project.docs):
        raise UsageError("lies among the lessons", path=path, mend="name a file elsewhere")


@app.command()
def build(
    local: Annotated[bool, typer.Option(help="Show runs of this machine that were not accepted.")] = False,
) -> None:
    """Derive figures, run pages and fragments from runs; nothing is executed."""
    from benchbook.building import builder

    report = builder.build(find(), local=local)
    counts = {"written": report.written, "unchanged": report.unchanged, "removed": report.removed}
    print("build: " + ", ".join(f"{len(paths)} {what}" for what, paths in counts.items()))


@app.command()
def check(
    fix: Annotated[bool, typer.Option(help="Mend what a machine may mend.")] = False,
    built: Annotated[Path | None, typer.Option(help="Also look through a built site.")] = None,
) -> None:
    """Hold references, freshness, claims, run files and pages to their rules."""
    from benchbook import check as checks

    project = find()
    if fix:
        for line in checks.fix(project):
            print(f"fixed: {line}")
    problems = checks.check(project, built=built)
    for problem in problems:
        place = problem.path + (f":{problem.line}" if problem.line else "")
        print(f"{'' if problem.gates else 'note: '}{place}: {problem.message} ({problem.mend})")
    gating = sum(problem.gates for problem in problems)
    print(f"check: {counted(gating, 'problem')}, {counted(len(problems) - gating, 'note')}")
    if gating:
        raise typer.Exit(1)


@app.command()
def cite(run: Annotated[str, typer.Argument(help="A run's id, file name or path.")]) -> None:
    """Print how to cite a run."""
    from benchbook import cite as citation

    project = find()
    stored = citation.find(project, run)
    url = citation.site_url(project)
    if stored.path.is_relative_to(project.local_runs):
        print("note: this run was not accepted, and no site holds it", file=sys.stderr)
    if not url:
        print(f"note: {citation.NO_ADDRESS}; set SITE_URL", file=sys.stderr)
    print(citation.text(stored, url))
    print()
    print(citation.bibtex(stored, url))
    print()
    print(citation.permalink(stored, url))
    print(f"{stored.digest}  {project.relative(stored.path)}")


@app.command()
def new(slug: Annotated[str, typer.Argument(help="chapter/lesson")]) -> None:
    """Start a lesson: its snippet, its page and its line in the nav."""
    from benchbook.lesson import scaffold

    for line in scaffold.new(find(), slug):
        print(line)


@app.command()
def serve(
    address: Annotated[str, typer.Option(help="Where to serve.")] = "127.0.0.1:8000",
    local: Annotated[bool, typer.Option(help="Show runs of this machine that were not accepted.")] = False,
) -> None:
    """Serve the site and rebuild it on a change of snippet, run or page."""
    from benchbook import server

    server.serve(find(), address, local=local)
