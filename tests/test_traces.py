"""The published trace of profiling/traces: what is drawn is in it, and it holds what is on its list."""

import gzip
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from benchbook import archive
from benchbook.lesson import snippet
from benchbook.project import find
from tests.test_lessons import leave

SLUG = "profiling/traces"
FILE = "steps.trace.json.gz"
PROJECT = find(Path(__file__).parent)
KEYS = {"X": {"ph", "pid", "tid", "name", "ts", "dur", "args"}, "M": {"ph", "pid", "name", "args"}}
STATS = {"step_num", "hlo_op", "hlo_module", "run_id"}
NAME = re.compile(r"train|PjitFunction\(step\)|backend_compile_and_load|[a-z][\w.-]*")
# At the end of the example it leaves the rows of the file, and the figure made of them.
SHOWN = """
measurements = {}
results = {"figure": visual_data, "rows": json.load(gzip.open(PERFETTO))["traceEvents"]}
"""

Span = tuple[str, float, float]
Rows = list[dict[str, Any]]
Published = tuple[Rows, Rows]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """The file's rows and the figure's panels: of the current run, or of an example executed now."""
    path = PROJECT.snippet_path(SLUG)
    lesson = snippet.load(path, slug=SLUG, shown=PROJECT.relative(path))
    places = (PROJECT.runs, PROJECT.local_runs)
    runs = [stored for place in places for stored in archive.load_all(PROJECT, place, SLUG)]
    drawn = [stored for stored in runs if stored.run.figures.get("lanes")]
    current = archive.current(drawn, lesson.cells, without=archive.retracted(PROJECT))
    if "cpu" in current:
        stored = current["cpu"]
        data = archive.artefact_path(stored.path, FILE).read_bytes()
        panels = [panel.model_dump() for panel in stored.run.figures["lanes"]]
        return json.loads(gzip.decompress(data))["traceEvents"], panels
    text, _, _ = lesson.text.partition("# %% overhead")
    left = leave(text + SHOWN, tmp_path_factory.mktemp("traces"))["results"]
    return left["rows"], left["figure"]


def test_each_segment_drawn_is_in_the_published_file(
    published: Published,
) -> None:
    """The picture shows the file that a reader opens: the same segments, to two microseconds."""
    rows, panels = published
    names = {row["args"]["name"]: row["pid"] for row in rows if row["name"] == "process_name"}
    assert [panel["title"] for panel in panels] == list(names)
    for panel in panels:
        found = sorted(
            spans([row for row in rows if row["ph"] == "X" and row["pid"] == names[panel["title"]]])
        )
        drawn = sorted(
            (series["label"], low, high)
            for series in panel["series"]
            for low, high in zip(series["low"], series["high"], strict=True)
        )
        assert [label for label, *_ in drawn] == [label for label, *_ in found]
        assert [ends for _, *ends in drawn] == [pytest.approx(ends, abs=2e-3) for _, *ends in found]


def spans(rows: Rows) -> list[Span]:
    """Label, start and end in milliseconds, read without the lesson's own code."""
    found, runs = list[Span](), defaultdict[str, list[tuple[float, float]]](list)
    for row in rows:
        start, end = row["ts"] / 1e3, (row["ts"] + row["dur"]) / 1e3
        if "hlo_op" in row["args"]:
            runs[row["args"]["run_id"]].append((start, end))
        elif "step_num" in row["args"]:
            found.append(("step", start, end))
        else:
            found.append(("call" if row["name"].startswith("PjitFunction") else "compile", start, end))
    ends = [("execution", min(run)[0], max(end for _, end in run)) for run in runs.values()]
    return [*found, *ends]


def test_the_published_file_holds_what_is_on_its_list(
    published: Published,
) -> None:
    """No host, no path, no process of the machine: only named fields, small numbers and known names."""
    rows, _ = published
    for row in rows:
        assert set(row) == KEYS[row["ph"]], row
        assert row["pid"] in {1, 2, 3}
        if row["ph"] == "X":
            assert set(row["args"]) <= STATS, row
            assert NAME.fullmatch(row["name"]), row
            assert row["tid"] in range(10, 100)
            assert all(re.fullmatch(r"[a-z0-9][\w.-]*", text) for text in row["args"].values()), row
    first = [min(row["ts"] for row in rows if row["ph"] == "X" and row["pid"] == pid) for pid in (1, 2, 3)]
    assert first == [0, 0, 0]  # no time of day
