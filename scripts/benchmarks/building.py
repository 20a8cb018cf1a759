"""What building costs, against the least that it could."""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from pairs import BENCHBOOK, Timed, in_turn, tell, wall

ROOT = Path(__file__).resolve().parents[2]
LEAVES = "cell|starter|output|figure|measurements|claim|specimen|artefact|cited"
BLOCK = re.compile(rf"(?ms)^(?P<mark>/{{3,}}) (?:{LEAVES})\b.*?^(?P=mark)$")
FRAME = re.compile(r"(?m)^/{3,}(?: .*)?\n(?: {4}[a-z]+: .*\n)*")
REFERENCE = re.compile(r"\[\]\(#[^)]*\)")
# What plain Material does without: our extension, templates and scripts, and the notebooks' plugin.
OURS = re.compile(
    r"(?m)^  - benchbook\.blocks\n|^  - mkdocs-jupyter:\n(?: {6}.*\n)+|^extra_javascript:\n(?:  .*\n)+"
    r"|^  (?:custom_dir|static_templates|icon): .*\n"
)
ICON = re.compile(r"(?<=toggle: \{ icon: )\w+")
VALUE = re.compile(r":value\[[^\]]*\]")
ROUNDS = 7
TREES = ("docs", "snippets", "scripts")
FILES = ("mkdocs.yml", "pyproject.toml")


def checkout(folder: Path) -> Path:
    """A copy of this project's sources and of what was derived from them."""
    for name in TREES:
        shutil.copytree(ROOT / name, folder / name)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    return folder


def nothing_changed() -> None:
    """`benchbook build` with nothing to do, and `benchbook --version`."""
    with tempfile.TemporaryDirectory() as name:
        folder = checkout(Path(name) / "site")
        wall([*BENCHBOOK, "build"], cwd=folder)
        words = ([*BENCHBOOK, "build"], [*BENCHBOOK, "--version"])
        built, version = in_turn(*words, cwd=(folder, folder), rounds=ROUNDS)
    title = "benchbook build with nothing changed"
    tell(
        title,
        Timed("benchbook build", tuple(built)),
        Timed("benchbook --version", tuple(version)),
        target=2.0,
    )


def blocks_against_fences() -> None:
    """`mkdocs build` of the pages as they are, and with plain fences in place of the blocks."""
    with tempfile.TemporaryDirectory() as name:
        ours, plain = checkout(Path(name) / "blocks"), checkout(Path(name) / "fences")
        for folder in (ours, plain):
            wall([*BENCHBOOK, "build"], cwd=folder)
        strip(plain)
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
        blocks, fences = in_turn(command, command, cwd=(ours, plain), rounds=ROUNDS)
    left, right = Timed("with blocks", tuple(blocks)), Timed("with plain fences", tuple(fences))
    tell("mkdocs build", left, right, target=1.15)


def strip(folder: Path) -> None:
    """Makes a copy of this project a plain Material site with as many pages of as much text."""
    code = "\n".join(
        next((folder / "snippets").rglob("compile.py")).read_text(encoding="utf-8").splitlines()[:20]
    )
    for page in (folder / "docs").rglob("*.md"):
        text = BLOCK.sub(lambda _: f"```python\n{code}\n```", page.read_text(encoding="utf-8"))
        text = REFERENCE.sub("the figure", VALUE.sub("1.0", FRAME.sub("", text)))
        page.write_text(text, encoding="utf-8")
    config = folder / "mkdocs.yml"
    kept = OURS.sub("", config.read_text(encoding="utf-8"))
    config.write_text(ICON.sub("material/circle", kept), encoding="utf-8")
