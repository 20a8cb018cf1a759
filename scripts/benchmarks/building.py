"""What building costs, against the least that it could."""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from pairs import BENCHBOOK, Timed, in_turn, tell, wall

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"(?ms)^(?P<mark>/{3,}) (?P<kind>cell|starter|output|figure|measurements|claim) \|.*?^(?P=mark)$"
)
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
        for page in (plain / "docs").rglob("*.md"):
            page.write_text(fenced(page.read_text(encoding="utf-8"), plain), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet"]
        blocks, fences = in_turn(command, command, cwd=(ours, plain), rounds=ROUNDS)
    left, right = Timed("with blocks", tuple(blocks)), Timed("with plain fences", tuple(fences))
    tell("mkdocs build", left, right, target=1.15)


def fenced(text: str, folder: Path) -> str:
    """Each block becomes a fence around the lesson's own code, each value a number."""
    code = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "snippets").rglob("*.py")}

    def fence(match: re.Match[str]) -> str:
        lines = next(iter(code.values())).splitlines()[:20]
        return "```python\n" + "\n".join(lines) + "\n```"

    return VALUE.sub("1.0", BLOCK.sub(fence, text))
