"""A snippet: a lesson's Python file, cut into named cells. Standard library only.

The format is jupytext's py:percent; a test proves that jupytext reads the same cells. Cutting them here
keeps the build light: jupytext imports nbformat, which takes longer than everything else a build does.
"""

import ast
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchbook.errors import SnippetError

MARK = re.compile(r"# %%(?:[ \t]+(?P<title>.*?))?[ \t]*$")
NEARLY = re.compile(r"[ \t]*#[ \t]*(?:%%|<(?:code|markdown)cell>)")  # other tools cut a file there too
TAGS = re.compile(r"^(?P<name>.*?)[ \t]*\btags=(?P<tags>\[.*\])$")
CELL_NAME = re.compile(r"[a-z][a-z0-9_-]*")
KNOWN_TAGS = ("varies", "solution")
ALLOWED_IMPORTS = frozenset({"jax", "jaxlib", "numpy"}) | sys.stdlib_module_names
HEADER = re.compile(r"(?m)^# /// script$\n(?P<body>(?:^#(?: .*)?$\n)+?)^# ///$")


@dataclass(frozen=True, slots=True)
class Header:
    """What the PEP 723 header says.

    Attributes:
        dependencies: What ``uv run`` installs.
        tolerance: Relative and absolute tolerance for numbers, between processes and between runs.
        cold: Whether every process must start afresh.
        timeout: Seconds a process may take.
        minimum_jax: The oldest JAX on which the snippet runs, or ``None``.
    """

    dependencies: tuple[str, ...] = ()
    tolerance: float = 1e-5
    cold: bool = False
    timeout: float = 120.0
    minimum_jax: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """The part under one ``# %% name`` line.

    Attributes:
        name: Unique in the file.
        tags: Of ``varies`` and ``solution``.
        source: The text, without the mark and without blank lines at either end.
        line: The 1-based line on which ``source`` starts.
    """

    name: str
    tags: tuple[str, ...]
    source: str
    line: int

    @property
    def varies(self) -> bool:
        """Whether what it prints differs from run to run."""
        return "varies" in self.tags

    @property
    def solution(self) -> bool:
        """Whether it is an exercise's reference solution."""
        return "solution" in self.tags


@dataclass(frozen=True, slots=True)
class Snippet:
    """A parsed lesson.

    Attributes:
        slug: Its name in every tree.
        path: The file, relative to the project.
        text: The whole file.
        header: Its settings.
        cells: In file order, exercises last.
        measures: Whether it assigns ``measurements`` at module level.
    """

    slug: str
    path: str
    text: str
    header: Header
    cells: tuple[Cell, ...]
    measures: bool

    def cell(self, name: str) -> Cell:
        """The cell of that name.

        Raises:
            KeyError: There is none.
        """
        return {cell.name: cell for cell in self.cells}[name]

    @property
    def example(self) -> str:
        """Every cell but the exercises, as one block that can be copied."""
        return "\n\n".join(cell.source for cell in self.cells if not cell.solution) + "\n"


def load(path: Path, *, slug: str, shown: str) -> Snippet:
    """Reads and parses one file.

    Args:
        path: The file.
        slug: Its name.
        shown: The path as messages spell it.

    Raises:
        SnippetError: The file is not UTF-8, or not a snippet.
    """
    try:
        return parse(path.read_bytes().decode("utf-8").replace("\r\n", "\n"), slug=slug, path=shown)
    except FileNotFoundError as error:
        raise SnippetError("there is no such snippet", path=shown, mend=f"benchbook new {slug}") from error
    except UnicodeDecodeError as error:
        raise SnippetError(f"not UTF-8: {error.reason}", path=shown, mend="save it as UTF-8") from error


def parse(text: str, *, slug: str, path: str) -> Snippet:
    """Parses a snippet's text.

    Raises:
        SnippetError: With file, line and mend.
    """
    _check_marks(text, path)
    cells = split(text, path=path)
    header = _header(text, path)
    tree = _tree(text, path)
    _check_imports(tree, path)
    _check_order(cells, path)
    _check_whole(cells, path)
    return Snippet(slug, path, text, header, cells, _measures(tree))


def split(text: str, *, path: str) -> tuple[Cell, ...]:
    """Cuts a text at its ``# %% name`` lines.

    Raises:
        SnippetError: There is no cell, code stands before the first one, or a name or tag is not right.
    """
    lines = text.split("\n")
    marks = [(number, MARK.match(line)) for number, line in enumerate(lines)]
    starts = [(number, match) for number, match in marks if match]
    if not starts:
        raise SnippetError("no cell", path=path, line=1, mend="start one with a line '# %% name'")
    _check_preamble("\n".join(lines[: starts[0][0]]), path)
    ends = [number for number, _ in starts[1:]] + [len(lines)]
    cells = tuple(
        _cell(match.group("title") or "", lines[start + 1 : end], start + 1, path)
        for (start, match), end in zip(starts, ends, strict=True)
    )
    seen: set[str] = set()
    for cell in cells:
        if cell.name in seen:
            raise SnippetError(
                f"two cells are named {cell.name!r}", path=path, line=cell.line, mend="rename one"
            )
        seen.add(cell.name)
    return cells


def _cell(title: str, body: list[str], mark_line: int, path: str) -> Cell:
    match = TAGS.match(title)
    name = (match.group("name") if match else title).strip()
    tags = _tags(match.group("tags"), path, mark_line) if match else ()
    if not CELL_NAME.fullmatch(name):
        raise SnippetError(
            f"a cell is named {name!r}",
            path=path,
            line=mark_line,
            mend="name it with a-z, 0-9, _ or -, as in '# %% losses'; prose belongs in the page",
        )
    blank = next((index for index, line in enumerate(body) if line.strip()), 0)
    return Cell(name, tags, "\n".join(body[blank:]).rstrip(), mark_line + 1 + blank)


def _tags(text: str, path: str, line: int) -> tuple[str, ...]:
    try:
        tags = json.loads(text)
    except json.JSONDecodeError:
        tags = None
    if not isinstance(tags, list) or not all(tag in KNOWN_TAGS for tag in tags):
        raise SnippetError(
            f"tags={text}", path=path, line=line, mend=f'write tags=["varies"]; known: {KNOWN_TAGS}'
        )
    return tuple(sorted(tags))


def _check_marks(text: str, path: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if NEARLY.match(line) and not MARK.match(line):
            raise SnippetError("nearly a cell's mark", path=path, line=number, mend="write '# %% name'")


def _check_preamble(text: str, path: str) -> None:
    for node in _tree(text, path).body:
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            raise SnippetError(
                "code before the first cell", path=path, line=node.lineno, mend="put '# %% name' above it"
            )


def _tree(text: str, path: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise SnippetError(f"not valid Python: {error}", path=path, line=line, mend="correct it") from error


def _header(text: str, path: str) -> Header:
    match = HEADER.search(text)
    if match is None:
        raise SnippetError(
            "no PEP 723 header", path=path, line=1, mend="open with '# /// script' ... '# ///'"
        )
    line = text[: match.start()].count("\n") + 1
    body = "".join(row[2:] if row.startswith("# ") else row[1:] for row in match["body"].splitlines(True))
    try:
        table = tomllib.loads(body)
    except tomllib.TOMLDecodeError as error:
        raise SnippetError(
            f"its header is not TOML: {error}", path=path, line=line, mend="correct it"
        ) from None
    tools = table.get("tool", {})
    settings = tools.get("benchbook", {}) if isinstance(tools, dict) else tools
    dependencies = table.get("dependencies", [])
    if not isinstance(settings, dict) or not isinstance(dependencies, list):
        raise SnippetError(
            "its header is not right",
            path=path,
            line=line,
            mend='give dependencies = ["jax"] and a table [tool.benchbook]',
        )
    return Header(tuple(dependencies), **_settings(settings, path, line))


def _settings(settings: dict[str, Any], path: str, line: int) -> dict[str, Any]:
    kinds = {"tolerance": (float, int), "cold": (bool,), "timeout": (float, int), "minimum-jax": (str,)}
    for name, value in settings.items():
        known = name in kinds and isinstance(value, kinds[name])
        if not known or (isinstance(value, bool) and bool not in kinds[name]):
            raise SnippetError(
                f"its header sets {name} = {value!r}", path=path, line=line, mend=f"known: {', '.join(kinds)}"
            )
        if isinstance(value, float | int) and not isinstance(value, bool) and not 0 < value < float("inf"):
            raise SnippetError(
                f"its header sets {name} = {value}", path=path, line=line, mend="use more than 0"
            )
    return {name.replace("-", "_"): value for name, value in settings.items()}


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield ("." * node.level + (node.module or ""), node.lineno)


def _check_imports(tree: ast.Module, path: str) -> None:
    for name, line in _imports(tree):
        if name.split(".")[0] not in ALLOWED_IMPORTS:
            raise SnippetError(
                f"imports {name}", path=path, line=line, mend="use only JAX, NumPy and the standard library"
            )


def _check_order(cells: tuple[Cell, ...], path: str) -> None:
    solutions = False
    for cell in cells:
        if solutions and not cell.solution:
            raise SnippetError(
                f"cell {cell.name!r} stands after an exercise", path=path, line=cell.line, mend="move it up"
            )
        solutions = cell.solution


def _check_whole(cells: tuple[Cell, ...], path: str) -> None:
    for cell in cells:
        try:
            ast.parse(cell.source)
        except SyntaxError as error:
            raise SnippetError(
                f"cell {cell.name!r} is cut in the middle of a statement or a string",
                path=path,
                line=cell.line,
                mend="put the next '# %%' line after its end",
            ) from error


def _measures(tree: ast.Module) -> bool:
    """Whether a statement outside functions and classes stores into ``measurements``."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_stores_measurements(target) for target in targets):
                return True
        waiting.extend(ast.iter_child_nodes(node))
    return False


def _stores_measurements(target: ast.expr) -> bool:
    while isinstance(target, ast.Subscript):
        target = target.value
    return isinstance(target, ast.Name) and target.id == "measurements"
