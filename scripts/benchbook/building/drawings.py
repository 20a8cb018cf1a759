"""Drawings: the figures of every run, for light and for dark pages. Many at once are drawn on every core."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path

from benchbook.archive import Stored
from benchbook.building.site import Files, Site
from benchbook.drawing import figure
from benchbook.errors import BenchbookError
from benchbook.run import Panel

MANY = 32  # figures that take longer than the start of more processes


@dataclass(frozen=True, slots=True)
class _Job:
    """A figure of a run, and where it is drawn to."""

    stored: Stored
    cell: str
    panels: Sequence[Panel]

    @property
    def light(self) -> str:
        return self._name(dark=False)

    @property
    def dark(self) -> str:
        return self._name(dark=True)

    def _name(self, *, dark: bool) -> str:
        run = self.stored.run
        return f"docs/{figure.path(run.slug, self.stored.id, run.backend, self.cell, dark=dark)}"

    def draw(self) -> bytes:
        """Light, as the only scheme that is drawn."""
        run = self.stored.run
        return figure.draw(
            self.panels, run.measurements, dark=False, seed=self.stored.digest, backend=run.backend
        )


def files(site: Site) -> Files:
    """Two SVGs for each figure; one that is right as it lies is not drawn again."""
    made, due = Files(), list[_Job]()
    for job in (_Job(*each) for each in site.figures()):
        if job.light in site.kept and job.dark in site.kept:
            made |= {job.light: None, job.dark: None}
        else:
            due.append(job)
    with _drawings(due) as drawings:
        for job, drawing in zip(due, drawings, strict=True):
            drawn = site.trial.attempt(partial(_told, site, job, drawing))
            if drawn is not None:
                made |= {job.light: drawn, job.dark: figure.darkened(drawn, job.stored.run.backend)}
    return made


@contextmanager
def _drawings(jobs: Sequence[_Job]) -> Iterator[list[Callable[[], bytes]]]:
    """One a job: what gives the drawing, or raises."""
    cores = os.cpu_count() or 1
    if len(jobs) < MANY or cores == 1 or not _may_be_several():
        yield [job.draw for job in jobs]
        return
    # A fork of a process that has threads, as the server has, may never end.
    pool = ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("spawn"))
    try:
        with _deaf():
            futures = [pool.submit(job.draw) for job in jobs]
        yield [future.result for future in futures]
    except BrokenProcessPool as error:
        mend = "build again; if it was killed for memory, end other programs first"
        raise BenchbookError("a process that draws figures was ended from outside", mend=mend) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _may_be_several() -> bool:
    """Whether a new process can find the program that started it; one from standard input it cannot."""
    main = sys.modules["__main__"]
    file = getattr(main, "__file__", None)
    return file is None or main.__spec__ is not None or Path(file).is_file()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started here never hear Control-C, which is for the one that ends them."""
    resource_tracker.ensure_running()  # starting it later would end the deafness
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _told(site: Site, job: _Job, drawing: Callable[[], bytes]) -> bytes:
    try:
        return drawing()
    except BenchbookError as error:
        message = f"the figure of cell {job.cell!r}: {error.message}"
        path = site.project.relative(job.stored.path)
        raise BenchbookError(message, path=path, mend=error.mend) from error
