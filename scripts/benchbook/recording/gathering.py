"""The gathering: the frames of a session, put together job by job."""

from dataclasses import dataclass, field

from benchbook.worker.wire import Frame, Job, Plan


@dataclass(slots=True)
class Gathered:
    """What came back for one job so far."""

    processes: list[Frame] = field(default_factory=list)
    inspection: Frame | None = None

    def take(self, frame: Frame) -> None:
        """Files a frame of the job."""
        if frame["type"] == "inspection":
            self.inspection = frame
        else:
            self.processes.append(frame)

    def whole(self, job: Job) -> bool:
        """Whether every process has answered, and the inspection, unless a failure made it needless."""
        if len(self.processes) != job["processes"]:
            return False
        failed = any(frame.get("kind") != "completed" for frame in self.processes)
        return failed or not job["inspect"] or self.inspection is not None


@dataclass(slots=True)
class Gathering:
    """One session as it comes in.

    Attributes:
        asked: Its plan.
        head: Its first frame, once that is there.
    """

    asked: Plan
    head: Frame | None = None
    _jobs: dict[int, Gathered] = field(default_factory=dict)

    @property
    def backend(self) -> str:
        """The name of the backend."""
        return backend_name(self.asked)

    @property
    def total(self) -> int:
        """How many frames are to come when nothing fails."""
        return sum(job["processes"] + job["inspect"] for job in self.asked["jobs"])

    def job(self, frame: Frame) -> Job:
        """The job that a frame belongs to."""
        return self.asked["jobs"][frame["job"]]

    def take(self, frame: Frame) -> Gathered | None:
        """Files a frame of a job; everything of that job, if this frame completes it."""
        gathered = self._jobs.setdefault(frame["job"], Gathered())
        gathered.take(frame)
        return self._jobs.pop(frame["job"]) if gathered.whole(self.job(frame)) else None


def backend_name(asked: Plan) -> str:
    """The backend of a plan, or ``?`` where a carried plan does not say."""
    return str(asked.get("expected", {}).get("backend", "?"))
