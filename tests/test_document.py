"""Links lead from a page to runs, drawings and files, whichever generator makes the page."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchbook.building import builder
from benchbook.project import Project
from tests.factory import store_run
from tests.rendering import Text

BIN = Path(sys.executable).parent
SETTINGS = """\
site_name: T
site_url: https://a.example/below/
theme: {name: material, font: false}
plugins: []
markdown_extensions:
  - attr_list
  - pymdownx.superfences
  - benchbook.blocks
"""
PAGE = """\
---
title: T
---

# Page

See [](#figure-total).

/// cell | chapter/lesson
///

/// output | chapter/lesson
///

/// figure | chapter/lesson total
    alt: Two bars
Caption.
///

///// predict | total
Q?

//// answer
A.
////
/////
"""
COMMANDS = {
    "mkdocs": ("mkdocs", "build", "--quiet"),
    "properdocs": ("properdocs", "build", "--quiet"),
    "zensical": ("zensical", "build"),
}


def generate(project: Project, generator: str) -> subprocess.CompletedProcess[str]:
    """A real build."""
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    command, *words = COMMANDS[generator]
    settings = ("--config-file", "mkdocs.yml")
    return subprocess.run(
        [BIN / command, *words, *settings],
        cwd=project.root,
        env=quiet,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def written(project: Project) -> Project:
    """A project with a run and two pages that show it, at two depths."""
    store_run(project)
    (project.root / "mkdocs.yml").write_text(SETTINGS)
    (project.docs / "chapter").mkdir()
    for name in ("index.md", "chapter/lesson.md"):
        (project.docs / name).write_text(PAGE)
    builder.build(project)
    return project


@pytest.mark.parametrize("generator", COMMANDS)
def test_every_link_of_a_block_leads_to_a_file_of_the_site(written: Project, generator: str) -> None:
    """Relative to the page, so that a site below a sub-path is whole."""
    done = generate(written, generator)
    assert done.returncode == 0, done.stdout + done.stderr
    for page in ("index.html", "chapter/lesson/index.html"):
        path = written.root / "site" / page
        html = path.read_text()
        article = Text(html[html.index("<article") : html.index("</article>")])
        ours = re.compile(r"runs/|figures/|snippets/")
        links = [link.get("href") or link.get("src") or "" for _, link in article.tags]
        targets = [link.partition("#")[0] for link in links if ours.search(link)]
        assert len(targets) >= 7
        assert [link for link in targets if not (path.parent / link).resolve().exists()] == []
        assert [link for link in targets if link.startswith("/") or link.endswith(".md")] == []
        assert '<a href="#figure-total">Figure 1</a>' in html


@pytest.mark.parametrize("generator", COMMANDS)
def test_a_mistake_ends_the_build_with_file_and_line(written: Project, generator: str) -> None:
    """The line is that of the file, with its front matter."""
    page = written.docs / "chapter/lesson.md"
    page.write_text(PAGE.replace("[](#figure-total)", "[](#figure-totl)"))
    done = generate(written, generator)
    assert done.returncode != 0
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    assert "docs/chapter/lesson.md:7: the empty link [](#figure-totl) leads to no figure" in said
    assert generator == "zensical" or "Traceback" not in said
