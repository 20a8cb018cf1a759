"""The server: MkDocs' own, with everything derived again when a snippet, a run or a page changes."""

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from benchbook.building import builder
from benchbook.errors import BenchbookError, UsageError
from benchbook.project import Project, is_derived

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
        if not is_derived(self.project.relative(path)):
            self.changed.set()


def serve(project: Project, address: str, *, local: bool = False) -> None:
    """Builds, starts MkDocs, and builds again on every change, until it is interrupted.

    Args:
        project: The checkout.
        address: Host and port.
        local: Whether runs of this machine that were not accepted are shown.

    MkDocs watches ``docs`` and the fragments by itself, so a build is all that a change needs.

    Raises:
        BenchbookError: MkDocs ended with an error.
    """
    _assert_free(address)
    _build(project, local=local)
    changes = Changes(project)
    observer = Observer()
    watched = (project.snippets, project.docs, *([project.local_runs] if local else []))
    for folder in watched:
        folder.mkdir(parents=True, exist_ok=True)
        observer.schedule(changes, str(folder), recursive=True)
    observer.start()
    command = [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", address, "--livereload"]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that MkDocs ends too
    mkdocs = subprocess.Popen(command, cwd=project.root, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    try:
        while mkdocs.poll() is None:
            if changes.changed.wait(1.0):
                while changes.changed.is_set():
                    changes.changed.clear()
                    changes.changed.wait(QUIET)
                _build(project, local=local)
        if mkdocs.returncode:
            raise BenchbookError(
                f"mkdocs serve ended with status {mkdocs.returncode}", mend="see its lines above"
            )
    finally:
        mkdocs.terminate()
        mkdocs.wait()
        observer.stop()


def _assert_free(address: str) -> None:
    host, _, port = address.rpartition(":")
    try:
        with socket.create_server((host, int(port))):
            return
    except (ValueError, OverflowError):
        raise UsageError(f"{address!r} is no address", mend="write one like 127.0.0.1:8000") from None
    except OSError as error:
        raise UsageError(
            f"cannot serve at {address}: {error.strerror}", mend="give another --address"
        ) from None


def _build(project: Project, *, local: bool) -> None:
    """A mistake in a page or a snippet is told, and the server goes on."""
    try:
        report = builder.build(project, local=local)
        print(f"benchbook build: {len(report.written)} written, {len(report.removed)} removed", flush=True)
    except BenchbookError as error:
        print(f"benchbook: {error}", file=sys.stderr, flush=True)
