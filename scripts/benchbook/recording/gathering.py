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
        session: Its name for a person, once it has begun.
    """

    asked: Plan
    head: Frame | None = None
    session: str = ""
    _jobs: dict[int, Gathered] = field(default_factory=dict)
    _done: set[int] = field(default_factory=set)

    @property
    def backend(self) -> str:
        """The name of the backend."""
        return self.asked["expected"]["backend"]

    @property
    def jax(self) -> str | None:
        """The version that its first frame names."""
        return self.head["machine"]["jax"] if self.head else None

    @property
    def total(self) -> int:
        """How many frames are to come when nothing fails."""
        return sum(job["processes"] + job["inspect"] for job in self.asked["jobs"])

    def job(self, frame: Frame) -> Job:
        """The job that a frame belongs to."""
        return self.asked["jobs"][frame["job"]]

    def take(self, frame: Frame) -> Gathered | None:
        """Files a frame of a job, which was proven; everything of that job, if this frame completes it."""
        if frame["job"] in self._done:
            return None  # an inspection, begun before a process of its job failed: nobody waits for it
        gathered = self._jobs.setdefault(frame["job"], Gathered())
        gathered.take(frame)
        if not gathered.whole(self.job(frame)):
            return None
        self._done.add(frame["job"])
        gathered.processes.sort(key=lambda answer: answer["process"])
        return self._jobs.pop(frame["job"])

    def missing(self) -> list[str]:
        """The slugs of jobs that have not answered in full."""
        return [job["slug"] for number, job in enumerate(self.asked["jobs"]) if number not in self._done]
