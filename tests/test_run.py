"""The run model: one spelling, every rule, and a schema that says the same."""

import copy
import json
import math
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from benchbook import run, statistics
from benchbook.errors import RunError
from benchbook.run import Measurement, Run, dump, parse, schema
from tests.factory import make_run, run_tree

GROUPS = {
    "schema",
    "slug",
    "backend",
    "started",
    "ended",
    "source",
    "environment",
    "hardware",
    "method",
    "cells",
    "results",
    "measurements",
    "figures",
    "programs",
    "artefacts",
}


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    """A run's tree with one value replaced, added, or (``...``) taken away."""
    tree = copy.deepcopy(run_tree())
    place: Any = tree
    for part in path[:-1]:
        place = place[part]
    if to is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return tree


def refuse(tree: dict[str, Any]) -> str:
    """The message with which `parse` refuses the tree."""
    with pytest.raises(RunError) as caught:
        parse(run.spell(tree), path="docs/runs/a.json")
    assert str(caught.value).startswith("docs/runs/a.json: ")
    assert caught.value.mend
    return caught.value.message


def test_a_run_has_one_spelling():
    """Dumping, parsing and dumping again gives the same bytes, and the same run."""
    data = dump(make_run())
    again = parse(data, path="p")
    assert again == make_run()
    assert dump(again) == data
    assert data.endswith(b"}\n")
    assert b"\r" not in data


def test_text_of_every_kind_survives_the_spelling():
    """Control characters, quotes and letters beyond ASCII come back as they were."""
    tree = changed("cells", 1, "stdout", to='é \x00 \x1b[31m "q" \\ \u2028 😀\n')
    data = dump(Run.model_validate(tree))
    assert parse(data, path="p").cells[1].stdout == tree["cells"][1]["stdout"]
    assert "é".encode() in data


@pytest.mark.parametrize(
    "respell",
    [
        lambda tree, data: json.dumps(tree).encode(),
        lambda tree, data: json.dumps(tree, indent=2).encode() + b"\n",
        lambda tree, data: data + b"\n",
        lambda tree, data: data.replace(b'"traces": 2', b'"traces":  2'),
        lambda tree, data: run.spell(dict(reversed(tree.items()))),
        lambda tree, data: run.spell(changed("figures", "total", 0, "xscale", to="linear")),
    ],
    ids=["one line", "other indent", "a line more", "a space", "other order", "a default spelled out"],
)
def test_any_other_spelling_is_refused(respell):
    """The digest names one file for one run: white space, order and optional keys are not free."""
    data = dump(make_run())
    other = respell(json.loads(data), data)
    if other == data:
        pytest.fail("this is the one spelling")
    with pytest.raises(RunError, match="not spelled as benchbook writes it"):
        parse(other, path="p")


@pytest.mark.parametrize("cut", [0, 1, 1000, -1, -2])
def test_a_file_that_is_cut_short_is_refused(cut: int):
    """Wherever it ends, it is not taken for a run."""
    with pytest.raises(RunError, match=r"not a whole run file|not spelled"):
        parse(dump(make_run())[:cut], path="p")


@pytest.mark.parametrize(
    "data", [b"\xff\xfe", b"[" * 100_000, b"1" * 5_000, b"[]", b"null", b'"text"', b"{}"]
)
def test_what_is_no_run_at_all_is_refused_in_one_line(data: bytes):
    """Binary, nested and foreign JSON end in an error of ours."""
    with pytest.raises(RunError) as caught:
        parse(data, path="p")
    assert "\n" not in str(caught.value)


def test_a_newer_schema_is_refused_with_its_own_message():
    """Whatever else is in the file, its number is what is wrong with it."""
    assert refuse({"schema": 2, "anything": "else"}) == "schema 2 is newer than 1"
    assert "not a run: schema: " in refuse(changed("schema", to=0))
    assert "not a run: schema: " in refuse(changed("schema", to="1"))


PLACES = {
    "an unknown field": changed("extra", to=1),
    "an unknown field below": changed("hardware", "cpu", "serial", to="x"),
    "a slug of one part": changed("slug", to="lesson"),
    "a slug that climbs": changed("slug", to="../lesson"),
    "a backend with a slash": changed("backend", to="cpu/8"),
    "a start that is no instant": changed("started", to="2026-01-02 03:04:05"),
    "a month of no year": changed("started", to="2026-99-02T03:04:05Z"),
    "an hour of no day": changed("ended", to="2026-01-02T24:00:00Z"),
    "a day of no month": changed("ended", to="2026-02-29T03:04:05Z"),
    "digits of another script": changed("started", to="\u0662\u0660\u0662\u0666-01-02T03:04:05Z"),
    "a sample past 64 bits": changed("measurements", "eager", "samples", 0, 0, to=2**63 + 1),
    "a sample too large": changed(
        "measurements",
        "eager",
        to=run_tree()["measurements"]["eager"] | {"unit": "x", "samples": [[-1e151]] * 5},
    ),
    "a result past 64 bits": changed("results", "total", to={"a": [-(2**63) - 1]}),
    "a result of many digits": changed("results", "total", to=10**4000),
    "a digest of capitals": changed("source", "sha256", to="A" * 64),
    "a version with a slash": changed("environment", "jax", to="0.9/../x"),
    "a version with a hyphen": changed("environment", "jax", to="0.9-1"),
    "no JAX": changed("environment", "jax", to=None),
    "no device": changed("hardware", "device", "count", to=0),
    "a text for a number": changed("hardware", "memory_gib", to="24"),
    "a float for a count": changed("hardware", "memory_gib", to=24.5),
    "another clock": changed("method", "clock", "name", to="time.time"),
    "another start": changed("method", "start", to="warm"),
    "no process": changed("method", "processes", to=0),
    "a negative time": changed("method", "process_ns", 0, to=-1),
    "a process too few": changed("method", "process_ns", to=[1] * 4),
    "no cell": changed("cells", to=[]),
    "two cells of a name": changed("cells", 1, "name", to="inputs"),
    "an unknown tag": changed("cells", 0, "tags", to=["slow"]),
    "dropped less than nothing": changed("cells", 0, "stdout_dropped", to=-1),
    "a result that is no name": changed("results", "a b", to=1),
    "no samples": changed("measurements", "eager", "samples", to=[]),
    "a process without samples": changed("measurements", "eager", "samples", 2, to=[]),
    "samples of too few processes": changed("measurements", "eager", "samples", to=[[1]] * 4),
    "a fraction of a nanosecond": changed("measurements", "eager", "samples", 0, 0, to=1.5),
    "a time before its start": changed("measurements", "eager", "samples", 0, 0, to=-1),
    "a sample that is true": changed("measurements", "eager", "samples", 0, 0, to=True),
    "a sample that is text": changed("measurements", "eager", "samples", 0, 0, to="5"),
    "no method": changed("measurements", "eager", "wait", to=""),
    "no warm-up": changed("measurements", "eager", "warmup", to=...),
    "no timed call": changed("measurements", "eager", "calls", to=0),
    "a figure of no cell": changed("figures", "other", to=run_tree()["figures"]["total"]),
    "a figure of no panel": changed("figures", "total", to=[]),
    "a panel of no series": changed("figures", "total", 0, "series", to=[]),
    "another scale": changed("figures", "total", 0, "yscale", to="cubic"),
    "a series of nothing": changed("figures", "total", 0, "series", 0, "y", to=None),
    "a series of two sources": changed("figures", "total", 0, "series", 0, "measurement", to="eager"),
    "a series with too few x": changed("figures", "total", 0, "series", 0, "x", to=[1.0]),
    "a series with too many lows": changed("figures", "total", 0, "series", 0, "low", to=[1.0, 2.0, 3.0]),
    "a ratio to no measurement": changed(
        "figures", "total", 0, "series", to=[{"label": "a", "measurement": "eager", "over": "lazy"}]
    ),
    "a ceiling of no measurement": changed(
        "figures", "total", 0, "ceilings", to=[{"label": "a", "measurement": "lazy", "bytes": 1}]
    ),
    "a series of no measurement": changed(
        "figures", "total", 0, "series", to=[{"label": "a", "measurement": ["eager", "lazy"]}]
    ),
    "a line of no axis": changed("figures", "total", 0, "references", to=[{"label": "a"}]),
    "a line of two axes": changed("figures", "total", 0, "references", to=[{"label": "a", "x": 1, "y": 1}]),
    "a band of another axis": changed(
        "figures", "total", 0, "bands", to=[{"label": "a", "axis": "z", "low": 0, "high": 1}]
    ),
    "a program without a hash": changed("programs", to=[{"name": "jit_f", "stablehlo": "0", "hlo": None}]),
    "an artefact that climbs": changed(
        "artefacts", "a", to={"path": "../a", "type": "a/b", "sha256": "0" * 64, "size": 1}
    ),
    "an artefact of no type": changed(
        "artefacts", "a", to={"path": "a.gz", "type": "gzip", "sha256": "0" * 64, "size": 1}
    ),
    "an artefact too large": changed(
        "artefacts", "a", to={"path": "a.gz", "type": "a/b", "sha256": "0" * 64, "size": 300 * 1024 + 1}
    ),
}
OURS = {
    "a month of no year": "started: Value error, no such instant",
    "an hour of no day": "ended: Value error, no such instant",
    "a day of no month": "ended: Value error, no such instant",
    "digits of another script": "started: Value error, no such instant",
    "a sample past 64 bits": "an integer is at most 2**63 in size",
    "a sample too large": "a sample is at most 1e+150 in size",
    "a result past 64 bits": "results.total: Value error, an integer is at most 2**63 in size",
    "a result of many digits": "results.total: Value error, an integer is at most 2**63 in size",
    "a process too few": "process_ns has one entry per process",
    "two cells of a name": "cells have unique names",
    "a figure of no cell": "figures are named after cells",
    "samples of too few processes": "measurement eager has one list of samples per process",
    "a fraction of a nanosecond": "samples in ns are whole and not negative",
    "a time before its start": "samples in ns are whole and not negative",
    "a series of nothing": "a series has either y or measurement",
    "a series of two sources": "a series has either y or measurement",
    "a series with too few x": "x, low and high are as long as y",
    "a ceiling of no measurement": "shows lazy, which is no measurement",
    "a ratio to no measurement": "shows lazy, which is no measurement",
    "a series of no measurement": "shows lazy, which is no measurement",
    "a line of no axis": "a reference line has either x or y",
    "a line of two axes": "a reference line has either x or y",
}
BEYOND = {"a result that is no name", "a series with too many lows"}  # what JSON Schema cannot say


@pytest.mark.parametrize("name", PLACES)
def test_every_rule_refuses(name: str):
    """A tree with one thing wrong is refused in one line that says what it is."""
    message = refuse(PLACES[name])
    assert message.startswith("not a run: ")
    assert OURS.get(name, "") in message


@pytest.mark.parametrize("group", sorted(GROUPS - {"schema"}))
def test_no_group_may_be_left_out(group: str):
    """Runs are immutable: a group that is missing now is missing for ever."""
    assert refuse(changed(group, to=...)).startswith(f"not a run: {group}: ")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_non_finite_number_is_never_written(number: float):
    """In results they are strings; as numbers neither the model nor the spelling takes them."""
    samples = run_tree()["measurements"]["eager"] | {"unit": "GFLOP/s", "samples": [[number]]}
    for wrong in (
        changed("results", "total", to=[{"a": number}]),
        changed("measurements", "eager", to=samples),
    ):
        with pytest.raises(ValueError, match=r"finite|not JSON compliant"):
            Run.model_validate(wrong)
    for text in ("NaN", "Infinity", "-Infinity", "1e999"):
        with pytest.raises(RunError):
            parse(dump(make_run()).replace(b'"total": 3.0', f'"total": {text}'.encode()), path="p")
    kept = Run.model_validate(changed("results", "total", to=str(number)))
    assert parse(dump(kept), path="p").results["total"] == str(number)


def test_the_error_of_size_names_the_measurement():
    """More samples than fit is refused, and the message says whose they are."""
    row = list(range(10**6, 10**6 + 4000))
    tree = changed("measurements", "eager", "samples", to=[row] * 5)
    with pytest.raises(
        RunError, match=rf"more than {run.LARGEST}: measurement 'eager' takes \d+ \(keep fewer"
    ):
        dump(Run.model_validate(tree))


def test_the_error_of_size_names_a_cell_or_a_figure():
    """What is largest is named, whatever it is."""
    with pytest.raises(RunError, match="the output of cell 'total' takes"):
        dump(Run.model_validate(changed("cells", 1, "stdout", to="x" * run.LARGEST)))
    series = [{"label": "a", "y": [0.123456789] * 10_000}]
    with pytest.raises(RunError, match="the figure of cell 'total' takes"):
        dump(Run.model_validate(changed("figures", "total", 0, "series", to=series)))


def test_another_unit_may_have_fractions():
    """Only nanoseconds are whole."""
    tree = run_tree()["measurements"]["eager"] | {"unit": "GFLOP/s", "samples": [[1.5, 2]]}
    assert Measurement.model_validate(tree).samples == [[1.5, 2]]


@pytest.mark.parametrize("rows", [[2**63, -(2**63)], [1e150, 1e150], [-1e150, 1e150, 2**63]])
def test_what_a_sample_may_be_has_a_finite_median(rows: list[float]):
    """The largest samples are taken, kept as they are, and can be summarised."""
    tree = run_tree()["measurements"]["eager"] | {"unit": "x", "samples": [rows] * 5}
    found = Measurement.model_validate(tree)
    assert found.samples == [rows] * 5
    assert math.isfinite(statistics.summarise(found, seed="0").median)


def test_the_largest_integers_are_kept():
    """What 64 bits can hold is a result, and true is none of them."""
    tree = changed("results", "total", to=[2**63, -(2**63), True, 1e300])
    assert parse(dump(Run.model_validate(tree)), path="p").results["total"] == [2**63, -(2**63), True, 1e300]


def test_every_recorded_run_loads_as_it_was_spelled():
    """Rules that come later respell no run and refuse none."""
    paths = sorted((Path(__file__).parents[1] / "docs" / "runs").glob("*/*/*.json"))
    assert paths
    for path in paths:
        data = path.read_bytes()
        assert dump(parse(data, path=path.name)) == data


def test_a_run_cannot_be_changed():
    """The model is frozen."""
    with pytest.raises(ValueError, match="frozen"):
        make_run().slug = "a/b"


def test_the_schema_lists_every_group_and_closes_every_object():
    """The published JSON Schema requires each group of the design and allows nothing else."""
    published = schema()
    assert set(published["properties"]) == GROUPS
    assert set(published["required"]) == GROUPS - {"schema"}
    assert published["properties"]["schema"]["const"] == 1
    objects = [definition for definition in published["$defs"].values() if "properties" in definition]
    assert len(objects) > len(GROUPS) / 2
    for definition in [published, *objects]:
        assert definition["additionalProperties"] is False


def test_the_schema_accepts_what_the_model_accepts():
    """A run that the engine wrote is valid under the published schema, and the schema is one."""
    jsonschema.Draft202012Validator.check_schema(schema())
    validator = jsonschema.Draft202012Validator(schema())
    validator.validate(json.loads(dump(make_run())))
    programs = [{"name": "jit_f", "stablehlo": "0" * 64, "hlo": None}]
    validator.validate(json.loads(dump(make_run(programs=programs))))


@pytest.mark.parametrize("name", sorted(set(PLACES) - set(OURS) - BEYOND))
def test_the_schema_refuses_what_the_model_refuses(name: str):
    """All but the rules between fields and about keys are in the published schema."""
    assert not jsonschema.Draft202012Validator(schema()).is_valid(PLACES[name])
