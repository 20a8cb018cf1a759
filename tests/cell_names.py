"""The names by which cells of a snippet hang together: what one reads, binds, and changes in place."""

import ast
import dis
from collections.abc import Iterator
from types import CodeType

SINKS = frozenset({"results", "measurements"})  # what is put there is asked for by name
BINDS = {"STORE_NAME", "DELETE_NAME", "STORE_GLOBAL"}


def reads(source: str) -> set[str]:
    """The names whose values code takes from above: at its top before it binds them, or in a function."""
    code = compile(source, "cell", "exec")
    own: set[str] = set()
    found: set[str] = set()
    for step in dis.get_instructions(code):
        if step.opname in BINDS:
            own.add(step.argval)
        elif step.opname in {"LOAD_NAME", "LOAD_GLOBAL"} and step.argval not in own:
            found.add(step.argval)
    inner = {step.argval for part in _inside(code) for step in dis.get_instructions(part) if _loads(step)}
    return found | (inner - own)


def binds(source: str) -> set[str]:
    """The names that code binds at its top: variables, functions, classes, modules."""
    steps = dis.get_instructions(compile(source, "cell", "exec"))
    return {step.argval for step in steps if step.opname in BINDS}


def changes(source: str) -> set[str]:
    """The names of what code may change in place: by an item, an attribute, or a method of it."""
    nodes = list(ast.walk(ast.parse(source)))
    stored = {
        _front(node)
        for node in nodes
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load)
    }
    called = {_front(node.func) for node in nodes if isinstance(node, ast.Call)}
    return (stored | called) - SINKS - {""}


def imports(source: str) -> set[str]:
    """The names of modules, and of what comes from one."""
    names = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.alias))
    return {(name.asname or name.name).partition(".")[0] for name in names}


def _loads(step: dis.Instruction) -> bool:
    return step.opname in {"LOAD_NAME", "LOAD_GLOBAL"}


def _inside(code: CodeType) -> Iterator[CodeType]:
    """The functions, classes and comprehensions in code, at every depth."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _inside(part)


def _front(node: ast.expr) -> str:
    """The name at the front of ``a.b[c].d``; a function that is called by its name changes nothing."""
    if not isinstance(node, ast.Attribute | ast.Subscript):
        return ""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
