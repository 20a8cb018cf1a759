"""The dispatcher: checks the backend, starts one process after another, and answers with frames."""

import contextlib
import os
import py_compile
import select
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchbook.worker import identity, inspection, machine, outcome
from benchbook.worker.process import Process, script_path, wait
from benchbook.worker.wire import Frame, Job, Plan, encode

DUMPS = ".dumps"
COLD = "import sys\nfrom benchbook.worker.process import enter_cold\nenter_cold(sys.argv[1])\n"


def main(plan: Plan, sources: dict[str, str]) -> None:
    """Answers the plan on what was standard output; nothing else can write there.

    Args:
        plan: What to do.
        sources: The worker's modules, for the processes that start cold.
    """
    answers = os.dup(1)
    os.dup2(2, 1)
    env = machine.environment(plan["env"])
    os.environ.clear()
    os.environ.update(env)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder goes too
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="benchbook-")))
    try:
        with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
            os.write(answers, b"\n")  # ends a banner that did not end its line
            Dispatcher(plan, _unpack(sources, folder / "code"), folder, answers).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unpack(sources: dict[str, str], folder: Path) -> Path:
    """Writes the worker as files, compiled, so that a cold start costs little more than Python's own."""
    for name, text in sources.items():
        is_package = any(other.startswith(name + ".") for other in sources)
        path = (
            folder / name.replace(".", "/") / "__init__.py"
            if is_package
            else folder / f"{name.replace('.', '/')}.py"
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        py_compile.compile(str(path), quiet=1)
    script = folder / "cold.py"
    script.write_text(COLD, encoding="utf-8")
    return script


class Dispatcher:
    """One session: a plan, a folder of its own, and the descriptor for answers."""

    def __init__(self, plan: Plan, cold_script: Path, folder: Path, answers: int) -> None:
        self.plan = plan
        self.cold = [sys.executable, str(cold_script)]
        self.folder = folder
        self.answers = answers
        self.count = 0
        self.env = dict(os.environ)
        self.warm = any(job["fork"] for job in plan["jobs"]) and self._warm_up()
        self.config: dict[str, Any] = {}
        self.failed: set[int] = set()
        self.poll = select.poll()
        self.poll.register(answers, 0)

    def run(self) -> None:
        """Probes the backend, then runs every job: first those that may run together, then the others."""
        refusal, device, clock = self._probe()
        facts = machine.software() | machine.hardware() | {"clock": clock, "device": device}
        self._answer({"type": "session", "plan": _told(self.plan), "machine": facts, "refusal": refusal})
        together = [number for number, job in enumerate(self.plan["jobs"]) if not job["alone"]]
        apart = [number for number, job in enumerate(self.plan["jobs"]) if job["alone"]]
        if refusal is None and self._run_all(together, self.plan["parallel"]):
            self._run_all(apart, 1)
        self._answer({"type": "end", "count": self.count})

    def _warm_up(self) -> bool:
        """Imports JAX here, so that children need not; False where forking would not be safe."""
        if sys.platform != "linux" or self.plan["expected"]["platform"] != "cpu":
            return False
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # with more, importing NumPy starts threads
        if self.plan["compile_cache"]:
            os.environ.update(_cache_variables(self.plan["compile_cache"]))
        try:
            import jax  # noqa: F401  # for the children
            from jax._src import xla_bridge

            initialised = xla_bridge.backends_are_initialized()
        except Exception:
            return False  # the probe, which then starts cold, will say what is wrong
        return not initialised and len(list(Path("/proc/self/task").iterdir())) == 1

    def _probe(self) -> tuple[str | None, dict[str, Any], dict[str, Any]]:
        process = self._start(None, fork=self.warm)
        ended = wait([process], heard=self._heard)
        shutil.rmtree(process.folder, ignore_errors=True)
        messages = process.messages() if ended else []
        if not messages:
            what = "took too long" if process.timed_out else f"ended with status {process.status}"
            return f"JAX did not start: it {what}", {}, {}
        if messages[0]["kind"] != "probe":
            return messages[0]["detail"], {}, {}
        self.config = messages[0]["config"]
        device = messages[0]["device"]
        return outcome.mismatch(self.plan["expected"], device), device, messages[0]["clock"]

    def _run_all(self, jobs: list[int], parallel: int) -> bool:
        """Runs the processes of these jobs, at most ``parallel`` at once; False when nobody listens."""
        waiting = self._turns(jobs)
        running: dict[Process, Frame] = {}
        try:
            return self._keep_running(waiting, running, parallel)
        finally:  # an end by a signal: what snippets started lives in their groups, and would stay
            for process in running:
                process.kill()

    def _keep_running(self, waiting: Iterator[Frame], running: dict[Process, Frame], parallel: int) -> bool:
        while True:
            while len(running) < parallel and (frame := next(waiting, None)) is not None:
                frame.update({"before": machine.weather(), "started": _now(), "alone": parallel == 1})
                keep_out = {descriptor for other in running for descriptor in other.descriptors}
                running[self._start_turn(frame, keep_out)] = frame
            if not running:
                return True
            ended = wait(list(running), heard=self._heard)
            if ended is None:
                return False
            self._finish(ended, running.pop(ended))

    def _turns(self, jobs: list[int]) -> Iterator[Frame]:
        """A frame to be filled for each process; after a failure the snippet's others are not started."""
        for number in jobs:
            job = self.plan["jobs"][number]
            for index in range(job["processes"]):
                frame = Frame(type="process", job=number, process=index)
                if number in self.failed:
                    self._answer(Frame(kind="abandoned", **frame))
                else:
                    yield frame
            if job["inspect"] and number not in self.failed:
                yield Frame(type="inspection", job=number, process=0)

    def _start_turn(self, frame: Frame, keep_out: set[int]) -> Process:
        job = self.plan["jobs"][frame["job"]]
        inspects = frame["type"] == "inspection"
        return self._start(job, fork=job["fork"] and not inspects, inspects=inspects, keep_out=keep_out)

    def _start(
        self, job: Job | None, *, fork: bool, inspects: bool = False, keep_out: set[int] | None = None
    ) -> Process:
        prefix = job["slug"].replace("/", "-") if job else "probe"
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix=f"{prefix}-"))
        if job:
            script = Path(script_path(job, folder))
            script.parent.mkdir(parents=True)
            script.write_text(job["text"], encoding="utf-8")
        env = inspection.variables(folder / DUMPS, self.env) if inspects else self.env
        cold = None if fork and self.warm else self.cold
        return Process(job, folder, cold=cold, env=env, keep_out={self.answers} | (keep_out or set()))

    def _finish(self, process: Process, frame: Frame) -> None:
        """Answers with what a process that ended amounts to, and removes its folder."""
        ended = outcome.of(process, expected=self.plan["expected"], config=self.config)
        if frame["type"] == "inspection":
            frame.update({"kind": ended["kind"], "detail": ended["detail"]})
            frame["programs"] = inspection.programs(process.folder / DUMPS)
        else:
            frame.update(ended)
            frame.update(
                {
                    "after": machine.weather(),
                    "ended": _now(),
                    "wall_ns": process.ended_ns - process.started_ns,
                }
            )
            frame.update({"start": "fork" if process.fork else "cold"})
            frame["flags"] = machine.flags(dict(os.environ) if process.fork else self.env)
            if frame["kind"] != "completed":
                self.failed.add(frame["job"])
        shutil.rmtree(process.folder, ignore_errors=True)
        self._answer(identity.withhold(frame))

    def _heard(self) -> bool:
        """Whether the reader of the answers is still there."""
        return not any(event & (select.POLLERR | select.POLLNVAL) for _, event in self.poll.poll(0))

    def _answer(self, frame: Frame) -> None:
        self.count += 1
        view = memoryview(encode(frame))
        while view:
            view = view[os.write(self.answers, view) :]


def _told(plan: Plan) -> dict[str, Any]:
    """The plan as the session repeats it: a carried result then explains itself."""
    jobs = [{**job, "cells": [cell["name"] for cell in job["cells"]]} for job in plan["jobs"]]
    return {**plan, "env": sorted(plan["env"]), "jobs": jobs}


def _cache_variables(folder: str) -> dict[str, str]:
    """JAX's persistent cache, storing everything: its default thresholds store nothing this small."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(Path(folder).expanduser()),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
