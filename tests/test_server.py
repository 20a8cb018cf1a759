"""Serving: a change of a page, a snippet or a run reaches the browser."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbook.project import Project
from tests.factory import make_project, store_run
from tests.processes import heeding

MKDOCS = """\
site_name: A site
docs_dir: docs
plugins: []
validation:
  links:
    absolute_links: relative_to_docs
markdown_extensions:
  - attr_list
  - benchbook.blocks
watch:
  - .benchbook/fragments
"""
PAGE = "# A lesson\n\nThe first words.\n\n/// output | chapter/lesson total\n///\n"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Project, str]]:
    """A project with one run, being served; and the address of its page."""
    project = make_project(tmp_path / "project")
    (project.root / "mkdocs.yml").write_text(MKDOCS)
    store_run(project)
    page = project.page_path("chapter/lesson")
    page.parent.mkdir()
    page.write_text(PAGE)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    command = [sys.executable, "-m", "benchbook", "serve", "--address", address]
    server = subprocess.Popen(
        heeding(command),
        cwd=project.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    yield project, f"http://{address}/chapter/lesson/"
    os.killpg(server.pid, signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.wait(60)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)
    assert server.wait() == 130


def until(address: str, words: str) -> str:
    """The page, once it holds the words."""
    deadline = time.monotonic() + 60
    text = ""
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            text = urllib.request.urlopen(address).read().decode()  # noqa: S310  # loopback
            if words in text:
                return text
        time.sleep(0.1)  # polling a server that says nothing when it is ready
    raise AssertionError(f"{words!r} did not reach the page:\n{text[-2000:]}")


def test_changes_reach_the_page(served: tuple[Project, str]) -> None:
    """The page, the snippet and a new run are derived again; a mistake in between ends nothing."""
    project, address = served
    until(address, "total 3.0")
    page = project.page_path("chapter/lesson")
    page.write_text(PAGE.replace("first words", "second words"))
    until(address, "second words")
    snippet = project.snippet_path("chapter/lesson")
    original = snippet.read_text()
    snippet.write_text(original.replace("jnp.sum(x)", "jnp.max(x)"))
    until(address, "changed after this run was recorded")
    snippet.write_text("not a snippet")
    snippet.write_text(original)
    cells = [
        {"name": name, "tags": tags, "stdout": out, "stderr": ""}
        for name, tags, out in [
            ("inputs", [], ""),
            ("total", [], "total 3.00\n"),
            ("exercise", ["solution"], ""),
        ]
    ]
    for cell in cells:
        cell.update({"stdout_dropped": 0, "stderr_dropped": 0, "duration_ns": 1})
    store_run(project, cells=cells, started="2027-01-01T00:00:00Z", ended="2027-01-01T00:00:01Z")
    until(address, "total 3.00")
