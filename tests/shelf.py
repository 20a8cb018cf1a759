"""A project as a person has it, for tests of what befalls one: a lesson, pages and a navigation."""

import os
import subprocess
import sys
from pathlib import Path

from benchbook.project import Project
from tests.factory import make_project

HEADER = "# /// script\n# dependencies = []\n# ///\n"
LESSON = HEADER + '"""A lesson."""\n\n# %% one\nprint("fine µ")\nresults = {"one": 1}\n'
HARNESS = HEADER + '# %% shared\nshared = "as it must be"\n'
COPY = HEADER + '"""Another lesson."""\n\n# %% shared\nshared = "as it was"\n'
PAGE = """\
---
title: {slug}
description: What {slug} is about.
chapter: a
order: {order}
minutes: 1
---

# The lesson {slug}

It prints µ, and the result is :value[{slug} one].

/// output | {slug}
///
"""
INDEX = "---\ntitle: {title}\ndescription: The page {title}.\n---\n\n# {title}\n"
SITE = """\
site_name: A site
site_url: https://example.org/
markdown_extensions: [benchbook.blocks]
nav:
  - Home: index.md
  - A:
      - a/index.md
      - a/one.md
"""


def make(root: Path) -> Project:
    """Writes it; nothing is recorded, and nothing built."""
    project = make_project(root, {"a/one": LESSON})
    (project.docs / "a").mkdir()
    project.page_path("a/one").write_text(PAGE.format(slug="a/one", order=1), encoding="utf-8")
    for name, title in (("index.md", "Home"), ("a/index.md", "A")):
        (project.docs / name).write_text(INDEX.format(title=title))
    (project.root / "mkdocs.yml").write_text(SITE)
    return project


def add_copy(project: Project) -> None:
    """A harness, and a lesson whose copy of it is out of date."""
    (project.snippets / "harness.py").write_text(HARNESS)
    project.snippet_path("a/copy").write_text(COPY)


def benchbook(
    project: Project, *words: str | Path, before: str = "", after: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """The command in the project, by way of a shell where something stands before or after it."""
    return _in(project, [sys.executable, "-m", "benchbook", *words], before, after, variables)


def mkdocs(project: Project, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """The site, built strictly."""
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    return _in(project, words, "", "", {"NO_MKDOCS_2_WARNING": "1", **variables})


def _in(
    project: Project, words: list[str | Path], before: str, after: str, variables: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    shell = ["bash", "-c", f'{before} "$@" {after}', "bash"] if before or after else []
    return subprocess.run(
        [*shell, *words],
        cwd=project.root,
        env=os.environ | variables,
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        check=False,
        timeout=120,
    )


def files(root: Path) -> dict[str, bytes]:
    """What every file below a folder holds; not what a disk was filled with."""
    found = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if name != "filler"}
