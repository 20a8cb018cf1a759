"""The child: one process that executes one snippet's cells in order, in one namespace.

It switches descriptors 1 and 2 to a pipe of their own for each cell, so that what C++ writes is seen too and
what one cell prints is never taken for another's. It patches nothing that a snippet can see.
"""

import ctypes
import json
import os
import signal
import sys
import time
import traceback
import types
from typing import Any, NoReturn

from benchbook.worker import leavings, machine
from benchbook.worker.wire import FRAME_LIMIT, Job, Kind


class Control:
    """The way back to the dispatcher: one JSON object a line, on a descriptor of its own."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def send(self, kind: str, **fields: object) -> None:
        """Writes one message; a reader that has gone ends this process."""
        data = json.dumps({"kind": kind, **fields}).encode() + b"\n"
        if len(data) > FRAME_LIMIT:
            raise leavings.UnfitError(f"it leaves {len(data)} bytes behind", f"keep it under {FRAME_LIMIT}")
        view = memoryview(data)
        while view:
            view = view[os.write(self.descriptor, view) :]


def main(job: Job, pipes: list[tuple[int, int]], control: Control, script: str, parent: int) -> NoReturn:
    """Runs the job and ends the process without running exit handlers of a forked parent."""
    die_with_parent(parent)
    _redirect_input()
    code = 70  # EX_SOFTWARE: a mistake of ours; its traceback is in the cell's output
    try:
        code = _run(job, pipes, control, script)
    except BaseException:
        traceback.print_exc()
    finally:
        _flush()
        os._exit(code)


def probe(control: Control, parent: int) -> NoReturn:
    """Reports what JAX finds here, before any snippet runs."""
    die_with_parent(parent)
    _redirect_input()
    try:
        import jax

        config = configuration(jax)
        control.send("probe", device=machine.devices(), config=config, clock=machine.clock())
    except Exception as error:
        advice = " (set JAX_PLATFORMS="  # JAX's own, which would choose another backend in silence
        asked = os.environ.get("JAX_PLATFORMS", "")
        detail = f"JAX cannot start {asked!r}: {last_line(error).partition(advice)[0]}"
        control.send("no device", detail=detail)
    finally:
        os._exit(0)


def die_with_parent(parent: int) -> None:
    """Makes the kernel kill this process when its parent ends (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        os._exit(1)


def configuration(jax: Any) -> dict[str, Any]:  # noqa: ANN401  # the module is not there when this is typed
    """Every jax.config value that JSON can hold."""
    values = getattr(jax.config, "values", {})
    return {
        name: value for name, value in sorted(values.items()) if isinstance(value, bool | int | float | str)
    }


def last_line(error: BaseException) -> str:
    """The exception in one line of at most 500 characters, as a traceback ends with it."""
    lines = traceback.format_exception_only(error)
    text = lines[-1 if isinstance(error, SyntaxError) else 0].strip()
    return text.partition("\n")[0][:500]


def _redirect_input() -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  # descriptor 0, for as long as it lives


def _run(job: Job, pipes: list[tuple[int, int]], control: Control, script: str) -> int:
    module = _as_main(script)
    figure_before: object = None
    for cell, pipe in zip(job["cells"], pipes, strict=True):
        _switch(pipe)
        control.send("begin", cell=cell["name"])
        failure, duration = _execute(cell["source"], cell["line"], script, module)
        _flush()
        if failure is not None:
            control.send("failed", cell=cell["name"], duration_ns=duration, **_describe(failure, script))
            return 1
        try:
            left = _collect(module.__dict__, figure_before)
            figure_before = module.__dict__.get("visual_data")
            control.send("cell", cell=cell["name"], duration_ns=duration, left=left)
        except leavings.UnfitError as error:
            place = {"cell": cell["name"], "line": cell["line"]}
            control.send("failed", failure="invalid", detail=f"{error}: {error.mend}", **place)
            return 1
    return _report(control)


def _report(control: Control) -> int:
    import jax

    try:
        device = machine.devices()
    except Exception as error:
        control.send("failed", failure="refused", cell=None, line=None, detail=last_line(error))
        return 1
    control.send("done", device=device, config=configuration(jax), imported=machine.imported())
    return 0


def _as_main(script: str) -> types.ModuleType:
    """A module named ``__main__``, as ``python FILE`` would give the snippet."""
    module = types.ModuleType("__main__")
    module.__file__ = script
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    sys.argv[:] = [script]
    sys.path[0:0] = [os.path.dirname(script)]  # noqa: PTH120  # text, as Python itself puts there
    return module


def _switch(pipe: tuple[int, int]) -> None:
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


def _execute(
    source: str, line: int, script: str, module: types.ModuleType
) -> tuple[BaseException | None, int]:
    """Runs one cell; its lines keep their numbers in the file. Compiling it is not timed."""
    start = time.perf_counter_ns()
    try:
        code = compile("\n" * (line - 1) + source, script, "exec", dont_inherit=True)
        start = time.perf_counter_ns()
        exec(code, module.__dict__)  # noqa: S102  # executing the snippet is what this process is for
        jax = sys.modules.get("jax")
        if jax is not None and hasattr(jax, "effects_barrier"):
            jax.effects_barrier()  # what jax.debug.print holds back belongs to this cell
    except BaseException as error:
        return error, time.perf_counter_ns() - start
    return None, time.perf_counter_ns() - start


def _describe(error: BaseException, script: str) -> dict[str, Any]:
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


def _collect(namespace: dict[str, Any], figure_before: object) -> dict[str, Any]:
    """What stands in the four names after a cell; a figure only when this cell assigned it."""
    left: dict[str, Any] = {}
    for name, read in (
        ("results", leavings.results),
        ("measurements", leavings.measurements),
        ("artefacts", leavings.artefacts),
    ):
        if name in namespace:
            left[name] = read(namespace[name])
    drawn = namespace.get("visual_data")
    if drawn is not None and drawn is not figure_before:
        left["figure"] = leavings.figure(drawn)
    return left


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue  # a snippet may close or replace its streams
    ctypes.CDLL(None).fflush(None)
