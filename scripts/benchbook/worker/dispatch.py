"""The dispatcher: checks the backend, starts one process after another, and answers with frames."""

import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchbook.worker import identity, inheritance, inspection, machine, outcome
from benchbook.worker.answers import Answers
from benchbook.worker.launcher import DUMPS, Launcher
from benchbook.worker.process import Process
from benchbook.worker.watch import wait
from benchbook.worker.wire import Frame, Plan


def main(plan: Plan, sources: dict[str, str]) -> None:
    """Answers the plan on what was standard output; nothing else can write there.

    Args:
        plan: What to do.
        sources: The worker's modules, for the processes that start cold.
    """
    answers = Answers(os.dup(1))
    os.dup2(2, 1)
    inheritance.replace(machine.environment(plan["env"]))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder goes too
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="benchbook-")))
    try:
        with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
            answers.write(b"\n")  # ends a banner that did not end its line
            if Dispatcher(plan, Launcher(plan, sources, folder, answers.descriptor), answers).run():
                return
        sys.exit(1)  # which a person who runs a packed program sees
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Dispatcher:
    """One session: a plan, what starts its processes, and where the answers go."""

    def __init__(self, plan: Plan, launcher: Launcher, answers: Answers) -> None:
        self.plan = plan
        self.launcher = launcher
        self.answers = answers
        self.config: dict[str, Any] = {}
        self.failed: set[int] = set()
        self.ended = 0

    def run(self) -> bool:
        """Probes the backend, then runs every job: first those that may run together, then the others.

        Returns:
            Whether every process did all that it was asked for.
        """
        refusal, device, clock = self._probe()
        facts = machine.software() | machine.hardware() | {"clock": clock, "device": device}
        head: Frame = {"type": "session", "plan": _told(self.plan), "machine": facts}
        self.answers.send({**head, "refusal": identity.cut(refusal)})
        together = [number for number, job in enumerate(self.plan["jobs"]) if not job["alone"]]
        apart = [number for number, job in enumerate(self.plan["jobs"]) if job["alone"]]
        if refusal is None and self._run_all(together, self.plan["parallel"]):
            self._run_all(apart, 1)
        self.answers.send({"type": "end", "count": self.answers.count})
        done = f"{self.ended} processes ended, snippets that failed: {len(self.failed)}"
        absent = f" is not here: {refusal}; snippets not executed: {len(self.plan['jobs'])}"
        told = absent if refusal else f": {done}"
        print(f"benchbook: backend {self.plan['expected']['backend']}{told}", file=sys.stderr)
        return refusal is None and not self.failed

    def _probe(self) -> tuple[str | None, dict[str, Any], dict[str, Any]]:
        process = self.launcher.probe()
        ended = wait([process], heard=self.answers.heard)
        shutil.rmtree(process.folder, ignore_errors=True)
        try:
            messages = process.messages() if ended else []
        except ValueError:
            return "JAX did not start: its process wrote something else", {}, {}
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
                running[self._start(frame, keep_out)] = frame
            if not running:
                return True
            ended = wait(list(running), heard=self.answers.heard)
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
                    self.answers.send(Frame(kind="abandoned", **frame))
                else:
                    yield frame
            if job["inspect"] and number not in self.failed:
                yield Frame(type="inspection", job=number, process=0)

    def _start(self, frame: Frame, keep_out: set[int]) -> Process:
        inspects = frame["type"] == "inspection"
        return self.launcher.start(self.plan["jobs"][frame["job"]], inspects=inspects, keep_out=keep_out)

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
            frame["flags"] = self.launcher.flags(process)
            if frame["kind"] != "completed":
                self.failed.add(frame["job"])
        self.ended += 1
        shutil.rmtree(process.folder, ignore_errors=True)
        self.answers.send(identity.withhold(frame))


def _told(plan: Plan) -> dict[str, Any]:
    """The plan as the session repeats it: a carried result then explains itself."""
    jobs = [{**job, "cells": [cell["name"] for cell in job["cells"]]} for job in plan["jobs"]]
    return {**plan, "env": sorted(plan["env"]), "jobs": jobs}


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
