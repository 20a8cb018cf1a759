"""A figure's data file holds what is drawn, one row a mark, in numbers that were not rounded for reading."""

import csv
import io

import pytest

from benchbook.building import builder, datafile
from benchbook.errors import BenchbookError
from benchbook.project import Project
from tests.drawn import CALLS, EVERY, GROWTH, ROOF, TAIL
from tests.factory import run_tree, store_run

PANELS = [
    {
        "kind": "bar",
        "title": "=Times, per call",
        "labels": ["a", "b"],
        "ylabel": "time",
        "series": [
            {"label": "measured", "measurement": ["eager", "compiled"]},
            {
                "label": "own",
                "y": [1 / 3 * 1e-5, "nan"],
                "low": [1e-6, "nan"],
                "high": [1e-5, "inf"],
            },
        ],
        "references": [{"label": "one step", "y": 2.5e-6}],
        "bands": [{"label": "noise", "axis": "y", "low": 0, "high": 1e-6}],
    },
    {
        "kind": "bar",
        "labels": ["a"],
        "xlabel": "path",
        "ylabel": "loss",
        "series": [{"label": "l", "y": [0.1 + 0.2]}],
    },
]


def read(project: Project) -> list[dict[str, str]]:
    """The rows of the one data file, as a spreadsheet reads them."""
    (path,) = project.docs.glob("figures/chapter/lesson/*.csv")
    return [*csv.DictReader(io.StringIO(path.read_bytes().decode(), newline=""))]


def test_each_mark_line_and_band_is_a_row(project: Project) -> None:
    """Measurements come with their interval, in the unit of the axis; panels are told apart."""
    stored = store_run(project, figures={"total": PANELS})
    builder.build(project)
    rows = read(project)
    assert (project.docs / datafile.path(stored, "total")).is_file()
    assert list(rows[0]) == list(datafile.HEADER)
    eager = dict(zip(datafile.HEADER, ["1", "'=Times, per call", "a", "measured"], strict=False)) | {
        "x": "", "x low": "", "x high": "", "x label": "", "value": "15.0645", "low": "", "high": "",
        "y label": "time", "unit": "µs",
    }  # fmt: skip
    assert {**rows[0], "low": "", "high": ""} == eager
    assert float(rows[0]["low"]) < 15.0645 < float(rows[0]["high"])
    names = [(row["panel"], row["label"], row["series"]) for row in rows[1:]]
    assert names == [
        ("'=Times, per call", "b", "measured"),
        ("'=Times, per call", "a", "own"),
        ("'=Times, per call", "b", "own"),
        ("'=Times, per call", "", "one step"),
        ("'=Times, per call", "", "noise"),
        ("loss", "a", "l"),
    ]
    own, gap, line, band, loss = ([row[key] for key in ("value", "low", "high")] for row in rows[2:])
    assert own == ["3.33333333333333", "1", "10"]
    assert gap == ["nan", "", "inf"]
    assert (line, band, loss) == (["2.5", "", ""], ["", "0", "1"], ["0.30000000000000004", "", ""])
    assert [rows[-1][key] for key in ("number", "x label", "y label", "unit")] == ["2", "path", "loss", ""]


def test_segments_and_points_stand_along_x(project: Project) -> None:
    """A point has its x, a segment and a band on x both their ends; nothing is where no number is."""
    store_run(project, figures={"total": [GROWTH | {"references": [{"label": "a page", "x": 64}]}, CALLS]})
    builder.build(project)
    rows = read(project)
    axes = [tuple(row[key] for key in ("x", "x low", "x high", "value", "low", "high")) for row in rows]
    assert {row["x label"] for row in rows} == {"calls", "milliseconds since the first call"}
    assert axes[0] == ("1", "", "", "0.2", "0.1", "0.4")
    assert axes[4] == ("1000", "", "", "60", "", "")
    found = {row["series"]: numbers for row, numbers in zip(rows, axes, strict=True)}
    assert found["a page"] == ("64", "", "", "", "", "")
    assert found["break-even"] == ("", "150", "500", "", "", "")
    segment = next(row for row in rows if row["panel"] == "input")
    assert [segment[key] for key in ("label", "series", "x low", "x high")] == [
        "float32[8]",
        "trace",
        "0",
        "4",
    ]


def test_every_sample_is_a_row(project: Project) -> None:
    """A dot says its process and its call; a step is a value in its unit, and the fraction up to it."""
    stored = store_run(project, figures={"total": [EVERY, TAIL | {"references": [], "bands": []}]})
    builder.build(project)
    rows = read(project)
    dots = [row for row in rows if row["series"] == "compiled"]
    assert [(row["label"], row["x"], float(row["value"]) * 1000) for row in dots] == [
        (f"process {process}", str(call), sample)
        for process, samples in enumerate(stored.run.measurements["compiled"].samples, 1)
        for call, sample in enumerate(samples, 1)
    ]
    assert {(row["x label"], row["y label"], row["unit"]) for row in dots} == {
        ("call in its process", "time per call", "µs")
    }
    steps = [row for row in rows if row["series"] == "own"]
    assert [(row["x"], row["value"]) for row in steps] == [
        ("1", "0.2"),
        ("2", "0.6"),
        ("3", "0.8"),
        ("40", "1"),
    ]
    assert {(row["x label"], row["y label"], row["unit"]) for row in steps} == {
        ("time per call (µs)", "fraction of calls at or below", "")
    }


def test_a_roofline_says_what_each_number_is(project: Project) -> None:
    """A dot has its rate, its FLOPs and bytes and its part of the roof; a ceiling its own unit."""
    store_run(project, figures={"total": [ROOF]})
    builder.build(project)
    rows = read(project)
    dot, flops, moved, part = rows[:4]
    assert {(row["label"], row["series"], row["x"]) for row in rows[:4]} == {("eager", "products", "0.5")}
    assert {row["x label"] for row in rows} == {"arithmetic intensity (FLOP/byte)"}
    assert [(row["y label"], row["unit"]) for row in rows[:4]] == [
        ("rate", "GFLOP/s"),
        ("FLOP per call", "FLOP"),
        ("bytes per call", "B"),
        ("part of the roof", ""),
    ]
    assert float(dot["low"]) < float(dot["value"]) < float(dot["high"]) < 2
    assert [flops["value"], moved["value"]] == ["30000", "60000"]
    assert float(part["value"]) == pytest.approx(float(dot["value"]) / 5)
    ceilings = [(row["series"], row["value"], row["y label"], row["unit"]) for row in rows[12:]]
    assert ceilings == [
        ("copy", "10", "bandwidth", "GB/s"),
        ("copy", "50215", "bytes per call", "B"),
        ("product", "40", "rate", "GFLOP/s"),
        ("product", "602580", "FLOP per call", "FLOP"),
        ("strided", "3.33333333333333", "bandwidth", "GB/s"),
        ("strided", "50215", "bytes per call", "B"),
        ("float64", "20", "rate", "GFLOP/s"),
        ("float64", "301290", "FLOP per call", "FLOP"),
        ("ridge", "40", "rate", "GFLOP/s"),
    ]
    assert float(rows[12]["low"]) < 10 < float(rows[12]["high"])
    assert rows[-1]["x"] == "4"


def test_what_cannot_be_drawn_has_no_file(project: Project) -> None:
    """A figure of an unknown kind is told once, by who draws it."""
    store_run(project, figures={"total": [PANELS[1] | {"kind": "pie"}]})
    with pytest.raises(BenchbookError, match="kind 'pie'") as caught:
        builder.build(project)
    assert str(caught.value).count("pie") == 1


def test_every_run_has_its_own(project: Project) -> None:
    """Like its drawings, which lie beside it; a second build changes none."""
    environment = run_tree()["environment"] | {"jax": "0.9.2"}
    store_run(project)
    store_run(project, environment=environment)
    builder.build(project)
    files = sorted(project.docs.glob("figures/chapter/lesson/*"))
    assert [path.suffix for path in files] == [".csv", ".svg", ".svg"] * 2
    assert builder.build(project, force=True).written == []
