"""A cell: executed on descriptors of its own, and described when it fails.

Descriptors 1 and 2 become the cell's pipes, so that what C++ writes is seen too and what one cell prints is
never taken for another's. Nothing is patched that a snippet can see.
"""

import __future__

import ctypes
import functools
import operator
import os
import sys
import time
import traceback
import types
from typing import Any

from benchbook.worker.wire import Kind

FUTURES = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


def switch(pipe: tuple[int, int]) -> None:
    """Puts the cell's pipe on descriptors 1 and 2, line by line, whatever bytes come."""
    for source, target in zip(pipe, (1, 2), strict=True):
        os.dup2(source, target)
        os.close(source)
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        stream = open(  # noqa: SIM115  # a descriptor, for as long as the process lives
            descriptor, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


class Compiler:
    """Compiles cell after cell as parts of one file: a ``from __future__ import`` holds for what follows."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.flags = 0

    def __call__(self, source: str, line: int) -> types.CodeType:
        """The cell's code, whose lines have their numbers in the file, with its assertions however we run."""
        lines = "\n" * (line - 1) + source
        code: types.CodeType = compile(
            lines, self.script, "exec", flags=self.flags, dont_inherit=True, optimize=0
        )
        self.flags |= code.co_flags & FUTURES
        return code


def execute(
    source: str, line: int, compiler: Compiler, module: types.ModuleType
) -> tuple[BaseException | None, int]:
    """Runs one cell; compiling it is not timed."""
    start = time.perf_counter_ns()
    try:
        code = compiler(source, line)
        start = time.perf_counter_ns()
        exec(code, module.__dict__)  # noqa: S102  # executing the snippet is what this process is for
        jax = sys.modules.get("jax")
        if jax is not None and hasattr(jax, "effects_barrier"):
            jax.effects_barrier()  # what jax.debug.print holds back belongs to this cell
    except BaseException as error:
        return error, time.perf_counter_ns() - start
    return None, time.perf_counter_ns() - start


def describe(error: BaseException, script: str) -> dict[str, Any]:
    """Kind, message and line of a failure; its traceback, without our frames, goes to the cell's stderr."""
    kind: Kind = "exited" if isinstance(error, SystemExit) else "raised"
    detail = f"sys.exit({error.code!r})" if isinstance(error, SystemExit) else last_line(error)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == script]
    if isinstance(error, SyntaxError) and error.filename == script:
        lines.append(error.lineno)
    trace = error.__traceback__.tb_next if error.__traceback__ else None
    try:
        traceback.print_exception(type(error), error, trace)
    except Exception:
        print(detail, file=sys.stderr)
    return {"failure": kind, "detail": detail, "line": lines[-1] if lines else None}


def last_line(error: BaseException) -> str:
    """The exception in one line of at most 500 characters, as a traceback ends with it."""
    lines = traceback.format_exception_only(error)
    text = lines[-1 if isinstance(error, SyntaxError) else 0].strip()
    return text.partition("\n")[0][:500]


def flush() -> None:
    """Brings out what Python and C still hold back of a cell's output."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # a snippet may close or replace its streams
    ctypes.CDLL(None).fflush(None)
