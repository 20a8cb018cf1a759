"""The dispatcher: checks the backend, has its schedule run the jobs, and says how it went."""

from typing import Any

from benchbook.worker import identity, machine, outcome, remark
from benchbook.worker.answers import Answers
from benchbook.worker.folder import complaint
from benchbook.worker.launcher import Launcher
from benchbook.worker.schedule import Schedule
from benchbook.worker.turn import Turn
from benchbook.worker.watch import wait
from benchbook.worker.wire import Frame, Plan


class Dispatcher:
    """One session: a plan, and where the answers go."""

    def __init__(self, plan: Plan, answers: Answers) -> None:
        self.plan = plan
        self.answers = answers

    def run(self, launcher: Launcher, turn: Turn) -> bool:
        """Probes the backend, then runs every job: first those that may run together, then the others.

        Args:
            launcher: Starts the processes.
            turn: This machine, which other recorders use too; it was entered.

        Returns:
            Whether every process did all that it was asked for.
        """
        refusal, said = self._probe(launcher)
        turn.leave()
        if refusal is not None:
            return self.refuse(refusal, said)
        self._begin(None, said)
        schedule = Schedule(self.plan, self.answers, launcher, turn, config=said["config"])
        together = [number for number, job in enumerate(self.plan["jobs"]) if not job["alone"]]
        apart = [number for number, job in enumerate(self.plan["jobs"]) if job["alone"]]
        if schedule.run(together, self.plan["parallel"]):
            schedule.run(apart, 1)
        self._end(f": {schedule.ended} processes ended, snippets that failed: {len(schedule.failed)}")
        return not schedule.failed

    def refuse(self, why: str, said: dict[str, Any] | None = None) -> bool:
        """Answers that no snippet runs here, and what a probe had said; False."""
        self._begin(why, said or {})
        self._end(f" is not here: {why}; snippets not executed: {len(self.plan['jobs'])}")
        return False

    def _begin(self, refusal: str | None, said: dict[str, Any]) -> None:
        found = {"clock": said.get("clock", {}), "device": said.get("device", {})}
        facts = machine.software() | machine.hardware() | found
        head: Frame = {"type": "session", "plan": _told(self.plan), "machine": facts}
        self.answers.send({**head, "refusal": identity.cut(refusal)})

    def _end(self, how: str) -> None:
        self.answers.send({"type": "end", "count": self.answers.count})
        remark.say(f"backend {self.plan['expected']['backend']}{how}")

    def _probe(self, launcher: Launcher) -> tuple[str | None, dict[str, Any]]:
        """Why this is not the backend, or ``None``; and what JAX found."""
        try:
            process = launcher.probe()
        except OSError as error:
            return complaint(error), {}
        try:
            ended = wait([process], heard=self.answers.heard)
        finally:  # an end by a signal
            process.kill()
        launcher.clear(process)
        try:
            messages = process.messages() if ended else []
        except ValueError:
            return "JAX did not start: its process wrote something else", {}
        if not messages:
            what = "took too long" if process.timed_out else f"ended with status {process.status}"
            return f"JAX did not start: it {what}", {}
        if messages[0]["kind"] != "probe":
            return messages[0]["detail"], {}
        return outcome.mismatch(self.plan["expected"], messages[0]["device"]), messages[0]


def _told(plan: Plan) -> dict[str, Any]:
    """The plan as the session repeats it: a carried result then explains itself."""
    jobs = [{**job, "cells": [cell["name"] for cell in job["cells"]]} for job in plan["jobs"]]
    return {**plan, "env": sorted(plan["env"]), "jobs": jobs}
