"""The syntax tree of a snippet: parsed with a clear error, its imports, and whether it measures."""

import ast
import sys
from collections.abc import Iterator

from benchbook.errors import SnippetError

ALLOWED_IMPORTS = frozenset({"jax", "jaxlib", "numpy"}) | sys.stdlib_module_names


def parse(text: str, path: str) -> ast.Module:
    """Parses Python.

    Raises:
        SnippetError: It is none, or nested too deeply.
    """
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise SnippetError(f"not valid Python: {error}", path=path, line=line, mend="correct it") from error
    except (RecursionError, MemoryError) as error:
        message = "nested too deeply for Python to parse"
        raise SnippetError(message, path=path, mend="use shorter expressions") from error


def check_imports(tree: ast.Module, path: str) -> None:
    """Proves that a snippet needs nothing but JAX, NumPy and the standard library.

    Raises:
        SnippetError: It imports something else.
    """
    for name, line in _imports(tree):
        if name.split(".")[0] not in ALLOWED_IMPORTS:
            raise SnippetError(
                f"imports {name}", path=path, line=line, mend="use only JAX, NumPy and the standard library"
            )


def measures(tree: ast.Module) -> bool:
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


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield ("." * node.level + (node.module or ""), node.lineno)
