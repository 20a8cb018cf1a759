"""The schedule: the processes of a session's jobs, in order, each with its frame."""

from collections.abc import Iterator, Sequence
from typing import Any

from benchbook.worker import identity, inspection, kin, machine, outcome, remark
from benchbook.worker.answers import Answers
from benchbook.worker.instant import Instants
from benchbook.worker.launcher import DUMPS, Launcher
from benchbook.worker.process import Process
from benchbook.worker.turn import Turn
from benchbook.worker.watch import wait
from benchbook.worker.wire import Frame, Plan


class Schedule:
    """The processes of a plan.

    Args:
        plan: What to run.
        answers: Where the frames go.
        launcher: Starts the processes.
        turn: This machine, which other recorders use too.
        config: jax.config as the probe found it.

    Attributes:
        failed: The jobs of which a process failed.
        ended: How many processes ended.
    """

    def __init__(
        self, plan: Plan, answers: Answers, launcher: Launcher, turn: Turn, *, config: dict[str, Any]
    ) -> None:
        self.failed: set[int] = set()
        self.ended = 0
        self._done = 0
        self._plan = plan
        self._answers = answers
        self._launcher = launcher
        self._turn = turn
        self._config = config
        self._instants = Instants()

    def run(self, jobs: Sequence[int], parallel: int) -> bool:
        """Runs the processes of these jobs, at most ``parallel`` at once; False when nobody listens."""
        waiting = self._frames(jobs)
        running: dict[Process, Frame] = {}
        try:
            return self._keep_running(waiting, running, parallel)
        finally:  # an end by a signal: what snippets started lives in their groups, and would stay
            for process in running:
                process.kill()

    def _keep_running(self, waiting: Iterator[Frame], running: dict[Process, Frame], parallel: int) -> bool:
        while True:
            while len(running) < parallel and (frame := next(waiting, None)) is not None:
                if not running and not self._turn.enter(self._answers, alone=parallel == 1):
                    return False
                frame.update({"before": machine.weather(), "started": self._instants.now()})
                frame["alone"] = parallel == 1 and self._turn.held
                keep_out = {descriptor for other in running for descriptor in other.descriptors}
                try:
                    running[self._start(frame, keep_out)] = frame
                except OSError as error:
                    self._answer(frame, outcome.unstarted(error))
            if not running:
                self._turn.leave()
                return True
            ended = wait(list(running), heard=self._answers.heard)
            if ended is None:
                return False
            frame = running.pop(ended)
            told = self._finish(ended, frame)
            if not running:
                kin.end_all()
                self._turn.leave()
            self._answer(frame, told)

    def _frames(self, jobs: Sequence[int]) -> Iterator[Frame]:
        """A frame to be filled for each process; after a failure the snippet's others are not started."""
        for number in jobs:
            job = self._plan["jobs"][number]
            for index in range(job["processes"]):
                frame = Frame(type="process", job=number, process=index)
                if number in self.failed:
                    self._answers.send(Frame(kind="abandoned", **frame))
                else:
                    yield frame
            if job["inspect"] and number not in self.failed:
                yield Frame(type="inspection", job=number, process=0)

    def _start(self, frame: Frame, keep_out: set[int]) -> Process:
        inspects = frame["type"] == "inspection"
        return self._launcher.start(self._plan["jobs"][frame["job"]], inspects=inspects, keep_out=keep_out)

    def _finish(self, process: Process, frame: Frame) -> Frame:
        """What a process that ended amounts to; its folder is removed."""
        ended = outcome.of(process, expected=self._plan["expected"], config=self._config)
        if frame["type"] == "inspection":
            frame["programs"] = inspection.programs(process.folder / DUMPS)
        else:
            frame.update({"after": machine.weather(), "ended": self._instants.now()})
            frame.update({"wall_ns": process.ended_ns - process.started_ns})
            frame.update({"start": "fork" if process.fork else "cold"})
            frame["flags"] = self._launcher.flags(process)
        self.ended += 1
        self._launcher.clear(process)
        return ended

    def _answer(self, frame: Frame, ended: Frame) -> None:
        if frame["type"] == "inspection":
            frame.update({"kind": ended["kind"], "detail": ended["detail"]})
            self._answers.send(identity.withhold(frame))
            return
        frame.update(ended)
        told = identity.withhold(frame)
        self._answers.send(told)
        if told["kind"] != "completed":
            self.failed.add(told["job"])
        self._remark(told)

    def _remark(self, told: Frame) -> None:
        """Says which snippet has ended, to a person who watches: after its last process, or its failure."""
        jobs = self._plan["jobs"]
        job = jobs[told["job"]]
        if told["kind"] != "completed" or told["process"] == job["processes"] - 1:
            self._done += 1
            if remark.is_watched():
                remark.say(f"{self._done} of {len(jobs)} snippets, {job['slug']}: {told['kind']}")
