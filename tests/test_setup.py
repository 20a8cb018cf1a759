"""The Makefile: what a fresh machine meets. The installation itself is what .ci/run does for real."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "PYTHON"))}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder, with a space in its name, that holds what make looks at."""
    folder = tmp_path / "a checkout"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / name, folder)
    return folder


def _script(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def _make(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *words], cwd=cwd, env=ENV, capture_output=True, text=True, check=False)


def _installed(checkout: Path, benchbook: str) -> None:
    """Stands in for an environment, with a benchbook that notes its words and then does as told."""
    for name in ("python", "mkdocs"):
        _script(checkout / ".venv/bin" / name, "echo works")
    _script(checkout / ".venv/bin/benchbook", f'echo "benchbook $*"\n{benchbook}')
    (checkout / ".venv/installed").write_text(f"{checkout}\n")


def test_help_names_every_target():
    """`make` alone says what there is."""
    lines = _make(cwd=ROOT).stdout.splitlines()
    named = {line.split()[1] for line in lines if line.startswith("make ")}
    goals = {"site", "record", "test", "soak", "fuzz", "serve", "bench", "audit", "lock", "clean", "help"}
    assert named == goals


def test_an_old_python_gets_one_line(checkout: Path, tmp_path: Path):
    """A Python before 3.12 is refused with what to do, and nothing is made."""
    old = _script(tmp_path / "python-old", "exit 1")
    done = _make("site", f"PYTHON={old}", cwd=checkout)
    assert done.returncode != 0
    assert done.stdout.splitlines() == [
        f"This needs Python 3.12 or newer, and {old} is not one: "
        "install it, or say where it is with PYTHON=..."
    ]
    assert not (checkout / ".venv").exists()


def test_a_missing_venv_module_gets_one_line(checkout: Path, tmp_path: Path):
    """A Python without venv or ensurepip is refused with what to install, and nothing is made."""
    bare = _script(tmp_path / "python-bare", 'case "$*" in *ensurepip*) exit 1;; esac')
    done = _make("test", f"PYTHON={bare}", cwd=checkout)
    assert done.returncode != 0
    assert done.stdout.splitlines() == [
        f"{bare} has no venv module: install it (apt install python3-venv, where there is apt), "
        "then run this again."
    ]
    assert not (checkout / ".venv").exists()


def test_any_folder_will_do(checkout: Path, tmp_path: Path):
    """Make is called with -C or -f from elsewhere, and works in the checkout."""
    _installed(checkout, "exit 0")
    (tmp_path / "linked").symlink_to(checkout)
    for words in (["-C", str(checkout), "record"], ["-f", str(tmp_path / "linked/Makefile"), "record"]):
        assert "benchbook record --accept" in _make(*words, cwd=tmp_path).stdout


def test_a_failed_snippet_does_not_stop_the_site(checkout: Path):
    """The site is built and checked from the committed runs, and the last line says what failed here."""
    _installed(checkout, '[ "$1" != record ]')
    done = _make("site", cwd=checkout)
    words = [line for line in done.stdout.splitlines() if line.startswith("benchbook ")]
    assert words == [
        "benchbook record --backend cpu --processes 1",
        "benchbook build",
        "benchbook check --built site",
    ]
    assert done.returncode == 0
    assert f"The site is in {checkout}/site" in done.stdout
    assert "A snippet failed on this machine" in done.stdout.splitlines()[-1]


def test_a_failed_check_is_a_failure(checkout: Path):
    """When a check falls short, `make site` still says where the site is, and fails."""
    _installed(checkout, '[ "$1" != check ]')
    done = _make("site", cwd=checkout)
    assert done.returncode != 0
    assert f"The site is in {checkout}/site" in done.stdout
    assert "A check fell short" in done.stdout.splitlines()[-1]


def test_a_wrong_use_stops_the_site(checkout: Path):
    """An exit status above one is no failed snippet: nothing is built after it."""
    _installed(checkout, "exit 2")
    done = _make("site", cwd=checkout)
    assert done.returncode != 0
    assert "benchbook build" not in done.stdout


def test_clean_keeps_the_runs(checkout: Path):
    """`make clean` removes what is derived; committed runs and this machine's runs stay."""
    kept = [checkout / "docs/runs/jit/compile/run.json", checkout / ".benchbook/runs/jit/compile/run.json"]
    derived = [checkout / "docs/runs/jit/compile/index.md", checkout / "site/index.html"]
    for path in kept + derived:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    _make("clean", cwd=checkout)
    assert all(path.exists() for path in kept)
    assert not any(path.exists() for path in derived)


def test_the_site_is_built_strictly():
    """A warning of MkDocs ends `make site`: it counts only those that it is not told to keep quiet."""
    lines = (ROOT / "Makefile").read_text().splitlines()
    (building,) = (line for line in lines if "mkdocs build" in line)
    assert "--strict" in building
    assert "quiet" not in building
