"""The child: one process that executes one snippet's cells in order, in one namespace."""

import ast
import os
import sys
import traceback
import types
from typing import NoReturn

from benchbook.worker import cell, leavings, probe
from benchbook.worker.control import Control
from benchbook.worker.plain import UnfitError
from benchbook.worker.wire import EX_SOFTWARE, Job


def main(job: Job, pipes: list[tuple[int, int]], control: Control, script: str) -> NoReturn:
    """Runs the job and ends the process without running exit handlers of a forked parent."""
    code = EX_SOFTWARE  # a mistake of ours; its traceback is in the cell's output
    try:
        code = _run(job, pipes, control, script)
    except BaseException:
        traceback.print_exc()
    finally:
        cell.flush()
        os._exit(code)


def _run(job: Job, pipes: list[tuple[int, int]], control: Control, script: str) -> int:
    module = _as_main(script, job["text"])
    compiler = cell.Compiler(script)
    before, own = leavings.Before(), os.getpid()
    for planned, pipe in zip(job["cells"], pipes, strict=True):
        name, line = planned["name"], planned["line"]
        cell.switch(pipe)
        control.send("begin", cell=name)
        failure, duration = cell.execute(planned["source"], line, compiler, module)
        cell.flush()
        if os.getpid() != own:
            return _copied(control, name, line, failure)
        if failure is not None:
            control.send("failed", cell=name, duration_ns=duration, **cell.describe(failure, script))
            return 1
        try:
            left = leavings.collect(module.__dict__, before)
            before.keep(module.__dict__)
            control.send("cell", cell=name, duration_ns=duration, left=left)
        except UnfitError as error:
            control.send("failed", failure="invalid", detail=f"{error}: {error.mend}", cell=name, line=line)
            return 1
    return probe.report(control)


def _copied(control: Control, name: str, line: int, failure: BaseException | None) -> int:
    """The end of a copy that the cell forked and that left the cell.

    By `sys.exit` or an exception it is what Python makes of it; else the rest would run twice.
    """
    if isinstance(failure, SystemExit):
        return failure.code if isinstance(failure.code, int) else failure.code is not None
    if failure is not None:
        traceback.print_exception(failure)
        return 1
    detail = "a process that it forked went on past its end: end it there with os._exit(0)"
    control.send("failed", failure="invalid", detail=detail, cell=name, line=line)
    return 1


def _as_main(script: str, text: str) -> types.ModuleType:
    """A module named ``__main__``, as ``python FILE`` would give the snippet."""
    module = types.ModuleType("__main__", ast.get_docstring(ast.parse(text), clean=False))
    module.__file__ = script
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    sys.argv[:] = [script]
    sys.path[0:0] = [os.path.dirname(script)]  # noqa: PTH120  # text, as Python itself puts there
    return module
