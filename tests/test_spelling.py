"""No common misspelling stands where anybody would read it; `make audit` has a dictionary too."""

import subprocess
import sys
from pathlib import Path

from benchbook.project import find

PROJECT = find(Path(__file__))
CODESPELL = Path(sys.executable).with_name("codespell")
# Words that codespell takes for others, each with the reason why it is there.
IGNORED = {"ond": "the end of 'second', which a pattern takes apart (rules/typed.py)"}
WRITTEN = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "Makefile",
    "mkdocs.yml",
    "pyproject.toml",
)
FOLDERS = {
    "snippets": {".py"},
    "scripts": {".py", ".md", ".txt", ".html"},
    "docs/assets": {".js", ".css", ".svg"},
}


def _files() -> list[Path]:
    named = [PROJECT.root / name for name in WRITTEN]
    found = [
        path
        for folder, kinds in FOLDERS.items()
        for path in sorted((PROJECT.root / folder).rglob("*"))
        if path.suffix in kinds and ".egg-info" not in path.parent.name
    ]
    return named + found + PROJECT.pages()


def _misspelled(files: list[Path], *ignored: str) -> list[str]:
    """What codespell says of the files, one line for each word; its own settings elsewhere do not count."""
    options = ["--disable-colors", f"--ignore-words-list={','.join(ignored)}"]
    done = subprocess.run(
        [CODESPELL, *options, *files], cwd=PROJECT.root, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_no_word_is_misspelled():
    """Pages, README, CONTRIBUTING, docstrings, snippets, templates, styles: codespell finds nothing."""
    files = _files()
    assert len(files) > 100
    assert _misspelled(files, *IGNORED) == []


def test_a_misspelling_would_be_found(tmp_path: Path):
    """The check is awake, and no word is on the list for nothing."""
    wrong = "rec" + "ieve"
    (tmp_path / "page.md").write_text(f"They {wrong} it.\n")
    (line,) = _misspelled([tmp_path / "page.md"])
    assert f"{wrong} ==> receive" in line
    said = " ".join(_misspelled(_files()))
    assert [word for word in IGNORED if word not in said] == []
