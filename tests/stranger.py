"""A results file as a stranger may send it: a whole one, made without executing anything, to be changed."""

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchbook.project import Project
from benchbook.recording import parcel, plan
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options
from tests.answers import LESSON, SESSION, artefact, process
from tests.factory import make_project
from tests.recording import Noting

SLUG = LESSON.slug


def frames(project: Project) -> list[Any]:
    """A session of one lesson in two processes, with results, samples, a figure and a file."""
    asked: Any = plan.make([LESSON], project.backend("cpu"), None, Options(), inspect=False, cache=None)
    (job,) = asked["jobs"]
    job |= {"processes": 2, "cells": [cell["name"] for cell in job["cells"]]}
    head = SESSION | {"refusal": None, "plan": asked | {"env": sorted(asked["env"])}}
    answers = [process(number, artefacts={"note": artefact(b"kept\n")}) for number in range(2)]
    told = [head, *answers, {"type": "end", "count": 3}]
    return copy.deepcopy([{"benchbook": 1, **frame} for frame in told])


def write(path: Path, told: Sequence[object]) -> Path:
    """The frames as a file; what is bytes stands as a line of its own."""
    lines = [frame if isinstance(frame, bytes) else json.dumps(frame).encode() for frame in told]
    path.write_bytes(b"\n".join([b"", *lines, b""]))
    return path


def ingest(project: Project, path: Path, *, accept: bool = True) -> list[Outcome]:
    """Takes the file in."""
    return list(parcel.ingest(project, path, Options(accept=accept), Noting()))


def home(root: Path) -> Project:
    """A project that has the lesson, in a folder that has nothing else."""
    return make_project(root / "project")
