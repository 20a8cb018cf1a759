"""The server: MkDocs' own, with everything derived again when a snippet, a run or a page changes."""

import subprocess
import sys
import threading
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from benchbook.building import builder
from benchbook.errors import BenchbookError
from benchbook.project import Project

QUIET = 0.2  # seconds without a change before a build: an editor saves in several steps


class Changes(FileSystemEventHandler):
    """Says that something a build reads has changed."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.changed = threading.Event()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Counts changes to sources; what a build writes is none."""
        if event.event_type in {"opened", "closed_no_write"} or event.is_directory:
            return
        path = Path(str(event.src_path))
        derived = self.project.docs / "figures", self.project.docs / "schema"
        run_page = path.name == "index.md" and path.is_relative_to(self.project.runs)
        if not run_page and not any(path.is_relative_to(folder) for folder in derived):
            self.changed.set()


def serve(project: Project, address: str) -> None:
    """Builds, starts MkDocs, and builds again on every change, until it is interrupted.

    MkDocs watches ``docs`` and the fragments by itself, so a build is all that a change needs.

    Raises:
        BenchbookError: MkDocs ended with an error.
    """
    _build(project)
    changes = Changes(project)
    observer = Observer()
    for folder in (project.snippets, project.docs):
        observer.schedule(changes, str(folder), recursive=True)
    observer.start()
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", address, "--livereload"]
    mkdocs = subprocess.Popen(command, cwd=project.root)
    try:
        while mkdocs.poll() is None:
            if changes.changed.wait(1.0):
                while changes.changed.is_set():
                    changes.changed.clear()
                    changes.changed.wait(QUIET)
                _build(project)
        if mkdocs.returncode:
            raise BenchbookError(
                f"mkdocs serve ended with status {mkdocs.returncode}", mend="see its lines above"
            )
    finally:
        mkdocs.terminate()
        mkdocs.wait()
        observer.stop()


def _build(project: Project) -> None:
    """A mistake in a page or a snippet is told, and the server goes on."""
    try:
        report = builder.build(project)
        print(f"benchbook build: {len(report.written)} written, {len(report.removed)} removed", flush=True)
    except BenchbookError as error:
        print(f"benchbook: {error}", file=sys.stderr, flush=True)
