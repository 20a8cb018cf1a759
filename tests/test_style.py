"""The rules that hold for every file: lint, types, lengths, the lock, and what may not be written down."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
LONGEST_MODULE = 350  # lines; most have less than half, and one that nears it holds a second noun
LONGEST_FUNCTION = 45  # lines of its body; the longest is one literal, and the median has five
TOP_LEVEL = {
    ".ci",
    ".gitattributes",
    ".github",
    ".gitignore",
    ".python-version",
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "README.md",
    "docs",
    "mkdocs.yml",
    "pyproject.toml",
    "requirements.txt",
    "scripts",
    "snippets",
    "tests",
}


def _succeeds(tool: str, *words: str) -> None:
    """Runs a tool of this environment over the checkout; what it printed is the failure's text."""
    done = subprocess.run([BIN / tool, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    """The files of the checkout that git knows, without those deleted here."""
    try:
        listing = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "-z"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"not a git checkout: {error}")
    return [name for name in listing.split("\0") if name and (ROOT / name).exists()]


def _modules() -> list[Path]:
    return sorted((ROOT / "scripts").rglob("*.py"))


def test_ruff_finds_nothing():
    """Every module keeps ruff's rules."""
    _succeeds("ruff", "check", ".")


def test_ruff_would_format_nothing():
    """Every module has the one layout; code in pages and snippets is laid out by hand for its readers."""
    _succeeds("ruff", "format", "--check", "scripts", "tests")


def test_types_are_strict():
    """The engine passes mypy's strict mode."""
    _succeeds("mypy")


@pytest.mark.parametrize("path", _modules(), ids=lambda path: path.relative_to(ROOT / "scripts").as_posix())
def test_modules_and_functions_are_short(path: Path):
    """No module and no function grows past its limit."""
    text = path.read_text()
    assert len(text.splitlines()) <= LONGEST_MODULE
    long = [node.name for node in ast.walk(ast.parse(text)) if _length(node) > LONGEST_FUNCTION]
    assert long == []


def _length(node: ast.AST) -> int:
    """Lines of a function's body: a command's options are declared in its signature, and do not count."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return 0
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def test_every_test_states_a_guarantee():
    """Each test function has a docstring."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name}"


def test_modules_are_named_after_what_they_hold():
    """No module is a drawer for odds and ends."""
    drawers = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert drawers.isdisjoint(path.stem for path in _modules())


def _locked() -> dict[str, tuple[str, bool]]:
    """Version by name, and whether it has a hash."""
    blocks = re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements.txt").read_text(), flags=re.IGNORECASE)
    pins = [re.match(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+)", block) for block in blocks]
    return {
        canonicalize_name(pin["name"]): (pin["version"], "--hash=sha256:" in block)
        for pin, block in zip(pins, blocks, strict=True)
        if pin is not None
    }


def test_the_lock_names_every_dependency():
    """What pyproject.toml asks for is pinned with hashes at a version that it allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    table = project["project"]
    asked = [
        *table["dependencies"],
        *table["optional-dependencies"]["test"],
        *project["build-system"]["requires"],
    ]
    locked = _locked()
    for requirement in map(Requirement, asked):
        version, _ = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), requirement
    assert all(hashed for _, hashed in locked.values())


def test_no_file_names_a_registry_or_a_machine(tracked: list[str]):
    """No tracked file holds the host of a package registry, an index option, or a path of one machine."""
    registries = ["py" + "pi", "pythonhost" + "ed", "jfr" + "og", "artifact" + "ory", "anaconda\\.o" + "rg"]
    hosts = rf"https?://[^\s\"'<>]*({'|'.join(registries)})|({'|'.join(registries)})\.[a-z]+\b"
    options = r"--(extra-)?index-url[ =]\S*:|--find-l" + "inks|--trusted-h" + "ost"
    paths = "/ro" + r"ot/|/wo" + "rk/|/ho" + r"me/[a-z]+/"
    forbidden = re.compile(f"{hosts}|{options}|{paths}")
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name in tracked
        for number, line in enumerate((ROOT / name).read_text(errors="replace").splitlines(), 1)
        if forbidden.search(line)
    ]
    assert found == []


def test_the_top_level_is_as_described(tracked: list[str]):
    """Nothing lies at the top that README.md does not account for."""
    assert {name.split("/")[0] for name in tracked} <= TOP_LEVEL


def test_prose_has_one_sentence_a_line(tracked: list[str]):
    """In Markdown sources a full stop that ends a sentence ends the line."""
    pages = [name for name in tracked if name.startswith("docs/") and name.endswith(".md")]
    lines = [(f"{name}:{number}", line) for name in pages for number, line in _prose(ROOT / name)]
    assert [f"{place}: {line[:80]}" for place, line in lines if _two(line)] == []


def _prose(path: Path) -> list[tuple[int, str]]:
    """Numbered lines of paragraphs and lists: no fences, tables, headings or front matter."""
    kept, fenced = [], False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith(("```", "~~~")) or (line == "---" and number < 20):
            fenced = not fenced
        elif not fenced and re.match(r"\s*(- |[0-9]+\. )?[A-Z*`\[:]", line):
            kept.append((number, line))
    return kept


def _two(line: str) -> bool:
    """Whether a line holds the end of one sentence and the beginning of the next."""
    text = re.sub(r"^\s*([0-9]+\. |- )|`[^`]*(?=`)", "", line)
    return re.search(r"[a-z0-9`)][.?!][*)]* [A-Z][a-z]*[ ,]", text) is not None
