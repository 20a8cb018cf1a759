"""The site as it is built for an address of its own, below a host's root, in a copy of the checkout."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.built import BIN, ENVIRONMENT, PROJECT

HOST = "https://example.org"
FOLDER = "/measured/"
ADDRESS = f"{HOST}{FOLDER}"
LEFT = shutil.ignore_patterns("__pycache__", "*.egg-info", "notebooks", "bench.*", "llms.txt", "robots.txt")


def build(place: Path) -> Path:
    """Copies what a build reads, builds it all for `ADDRESS`, and gives the folder of the site.

    Above it lies nothing else, so that a server can take that folder for the host. The checkout's own derived
    files stay as they are: they are built without an address. Its figures hold none, and are not drawn anew.
    """
    site = place / "host" / FOLDER.strip("/")
    for name in ("docs", "snippets", "scripts"):
        shutil.copytree(PROJECT.root / name, place / name, ignore=LEFT)
    for name in ("mkdocs.yml", "pyproject.toml", "CITATION.cff"):
        shutil.copy(PROJECT.root / name, place / name)
    state = PROJECT.state.relative_to(PROJECT.root)
    (place / state).mkdir()
    shutil.copy(PROJECT.state / "manifest.json", place / state)  # by which they lie right
    for words in (
        ["benchbook", "build"],
        ["mkdocs", "build", "--strict", "--site-dir", str(site)],
    ):
        command = [BIN / words[0], *words[1:]]
        settings = ENVIRONMENT | {"SITE_URL": ADDRESS}
        done = subprocess.run(command, cwd=place, env=settings, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.fail(f"{' '.join(words)}\n{done.stdout}{done.stderr}", pytrace=False)
    return site
