"""The run model, schema 1: what one recorded run says, and its one spelling as JSON."""

import json
import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from benchbook.errors import RunError

SCHEMA = 1
LARGEST = 128 * 1024

Text = Annotated[str, Field(min_length=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*$")]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
CellName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]
Instant = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
VERSION_PATTERN = re.compile(r"[0-9][0-9A-Za-z.+!]*")
Version = Annotated[str, Field(pattern=f"^{VERSION_PATTERN.pattern}$")]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
NonFinite = Literal["nan", "inf", "-inf"]
Number = int | float | NonFinite


def _finite(value: JsonValue) -> JsonValue:
    json.dumps(value, allow_nan=False)  # pydantic lets a NaN pass as JSON; this raises ValueError
    return value


Plain = Annotated[JsonValue, AfterValidator(_finite)]


class Model(BaseModel):
    """Frozen, strict, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Source(Model):
    """The snippet as it ran."""

    text: str
    sha256: Digest


class Environment(Model):
    """The software: only what an allow-list names."""

    python: Version
    implementation: Text
    os: Text
    jax: Version
    jaxlib: Version
    plugins: dict[str, str] = Field(description="Versions of the JAX plugin distributions that are installed")
    distributions: dict[str, str] = Field(description="Versions of the distributions that were imported")
    config: dict[str, Plain] = Field(description="jax.config values that differ from their defaults")
    flags: dict[str, str] = Field(description="Allow-listed environment variables that were set")


class Cpu(Model):
    """The processor."""

    model: Text
    architecture: Text
    logical_cores: Positive
    caches: dict[str, str] = Field(description="For example {'L2': '512K'}, of the first core")


class Device(Model):
    """What JAX says of its devices; all are of one kind."""

    platform: Text
    kind: Text
    count: Positive
    memory_bytes: Count | None = Field(description="bytes_limit of the first device, where it is known")
    driver: str | None = Field(description="The platform version, where JAX knows one")


class Weather(Model):
    """What may have disturbed a measurement, at one moment."""

    load: float | None = Field(description="One-minute load average")
    governor: str | None = Field(description="Frequency governor of the first core")
    affinity: list[int] | None = Field(description="The cores that the process may use")


class Hardware(Model):
    """The machine: only what an allow-list names."""

    cpu: Cpu
    memory_gib: Count = Field(description="RAM, rounded to whole GiB")
    device: Device
    before: Weather
    after: Weather


class Clock(Model):
    """The clock that a snippet's samples are taken with."""

    name: Literal["time.perf_counter"]
    implementation: Text
    resolution_ns: float = Field(description="As the interpreter reports it")
    step_ns: Positive = Field(description="The smallest step between two readings that was seen")


class Method(Model):
    """How the run was executed."""

    engine: Text = Field(description="benchbook's version")
    program: Digest = Field(description="sha256 of the worker's code")
    clock: Clock
    start: Literal["cold", "fork"]
    order: Literal["one after another"] = "one after another"
    alone: bool = Field(description="Whether nothing else was recorded at the same time")
    compile_cache: bool
    processes: Positive
    process_ns: list[Count] = Field(description="Wall time of each process, from start to end")


class Cell(Model):
    """What one cell printed in the first process."""

    name: CellName
    tags: list[Literal["solution", "varies"]]
    stdout: str
    stderr: str
    stdout_dropped: Count = Field(description="Bytes past the limit that were counted and not kept")
    stderr_dropped: Count
    duration_ns: Count


class Measurement(Model):
    """Samples with what they mean. Durations are integers in nanoseconds, so their unit is ``ns``."""

    inputs: list[Text] = Field(description="For example float32[4,3]")
    warmup: Count = Field(description="Calls before the first timed one, in each process")
    calls: Positive = Field(description="Timed calls in each process")
    wait: Text = Field(description="When the clock waited for the result")
    excludes: Text = Field(description="What the samples leave out")
    unit: Text
    samples: list[Annotated[list[int | float], Field(min_length=1)]] = Field(
        min_length=1, description="One list per process, per call"
    )

    @model_validator(mode="after")
    def _time_is_integer(self) -> "Measurement":
        if self.unit == "ns" and any(not isinstance(x, int) or x < 0 for row in self.samples for x in row):
            raise ValueError("samples in ns are whole and not negative")
        return self


class Series(Model):
    """One series of a panel: its own numbers, or the measurements that it shows."""

    label: Text
    y: list[Number] | None = None
    x: list[Number] | None = None
    low: list[Number] | None = None
    high: list[Number] | None = None
    measurement: Identifier | list[Identifier] | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "Series":
        if (self.y is None) == (self.measurement is None):
            raise ValueError("a series has either y or measurement")
        for other in (self.x, self.low, self.high):
            if other is not None and self.y is not None and len(other) != len(self.y):
                raise ValueError("x, low and high are as long as y")
        return self


class Reference(Model):
    """A line at one x or one y."""

    label: Text
    x: Number | None = None
    y: Number | None = None

    @model_validator(mode="after")
    def _one_axis(self) -> "Reference":
        if (self.x is None) == (self.y is None):
            raise ValueError("a reference line has either x or y")
        return self


class Band(Model):
    """A shaded range of one axis."""

    label: Text
    axis: Literal["x", "y"]
    low: Number
    high: Number


class Panel(Model):
    """One pair of axes."""

    kind: Text
    series: Annotated[list[Series], Field(min_length=1)]
    labels: list[Text] | None = None
    title: str | None = None
    xlabel: str | None = None
    ylabel: Text
    xscale: Literal["linear", "log"] = "linear"
    yscale: Literal["linear", "log"] = "linear"
    references: list[Reference] = []
    bands: list[Band] = []


class Program(Model):
    """One jitted program of the inspection process; hashes are of text without locations or metadata."""

    name: Text
    stablehlo: Digest | None
    hlo: Digest | None


class Artefact(Model):
    """A small file stored beside the run."""

    path: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
    type: Annotated[str, Field(pattern=r"^[a-z]+/[a-z0-9.+-]+$")]
    sha256: Digest
    size: Annotated[int, Field(ge=0, le=300 * 1024)]


class Run(Model):
    """One snippet, executed on one backend with one JAX, in one or more fresh processes."""

    version: Literal[1] = Field(alias="schema", default=1)
    slug: Slug
    backend: Name
    started: Instant
    ended: Instant
    source: Source
    environment: Environment
    hardware: Hardware
    method: Method
    cells: Annotated[list[Cell], Field(min_length=1)]
    results: dict[Identifier, Plain]
    measurements: dict[Identifier, Measurement]
    figures: dict[CellName, Annotated[list[Panel], Field(min_length=1)]]
    programs: list[Program] | None = Field(description="None where no inspection process ran")
    artefacts: dict[Identifier, Artefact]

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> "Run":
        names = {cell.name for cell in self.cells}
        if len(names) != len(self.cells) or not set(self.figures) <= names:
            raise ValueError("cells have unique names, and figures are named after cells")
        if len(self.method.process_ns) != self.method.processes:
            raise ValueError("process_ns has one entry per process")
        for name, measurement in self.measurements.items():
            if len(measurement.samples) != self.method.processes:
                raise ValueError(f"measurement {name} has one list of samples per process")
        shown = (s for panels in self.figures.values() for panel in panels for s in panel.series)
        for series in shown:
            for name in (
                [series.measurement] if isinstance(series.measurement, str) else series.measurement or []
            ):
                if name not in self.measurements:
                    raise ValueError(f"a figure shows {name}, which is no measurement")
        return self


def dump(run: Run) -> bytes:
    """The one spelling of a run: UTF-8 JSON, fields in the model's order, one value a line.

    Raises:
        RunError: It is larger than a run file may be; the message names the largest measurement.
    """
    tree = run.model_dump(mode="json", by_alias=True)
    data = spell(tree)
    if len(data) > LARGEST:
        raise RunError(
            f"the run would take {len(data)} bytes, more than {LARGEST}: {_largest(run)}",
            mend="keep fewer samples or print less",
        )
    return data


def spell(tree: object) -> bytes:
    """JSON in the one formatting of run files."""
    return (json.dumps(tree, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _largest(run: Run) -> str:
    sizes = {f"measurement {name!r}": len(spell(m.samples)) for name, m in run.measurements.items()}
    sizes |= {f"the output of cell {cell.name!r}": len(cell.stdout) + len(cell.stderr) for cell in run.cells}
    sizes |= {
        f"the figure of cell {n!r}": len(spell([p.model_dump() for p in ps])) for n, ps in run.figures.items()
    }
    name = max(sizes, key=lambda key: sizes[key])
    return f"{name} takes {sizes[name]}"


def parse(data: bytes, *, path: str) -> Run:
    """Reads a run file's bytes.

    Args:
        data: The whole file.
        path: How messages spell the file.

    Raises:
        RunError: Cut short, not JSON, of a newer schema, not valid, or not in the one spelling.
    """
    try:
        tree = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise RunError(f"not a whole run file: {error}", path=path, mend="restore it from git") from error
    found = tree.get("schema") if isinstance(tree, dict) else None
    if isinstance(found, int) and found > SCHEMA:
        raise RunError(f"schema {found} is newer than {SCHEMA}", path=path, mend="use a newer benchbook")
    try:
        run = Run.model_validate_json(data)
    except ValidationError as error:
        raise RunError(f"not a run: {first_problem(error)}", path=path, mend="restore it from git") from error
    if spell(run.model_dump(mode="json", by_alias=True)) != data:
        raise RunError("not spelled as benchbook writes it", path=path, mend="restore it from git")
    return run


def first_problem(error: ValidationError) -> str:
    """One line for the first thing that pydantic found, and how many more there are."""
    problems = error.errors(include_url=False, include_input=False)
    place = ".".join(str(part) for part in problems[0]["loc"])
    more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
    return f"{place + ': ' if place else ''}{problems[0]['msg']}{more}"


def schema() -> dict[str, Any]:
    """The JSON Schema of run files, as published with the site."""
    return Run.model_json_schema(by_alias=True) | {"title": f"benchbook run, schema {SCHEMA}"}
