"""The content of a run: what its cells printed, measured, compiled and left behind."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from benchbook.run.field import CellName, Count, Digest, Identifier, Model, Positive, Sample, Text
from benchbook.worker import filename


def _file_name(value: str) -> str:
    fault = filename.fault(value)
    if fault:
        raise ValueError(fault)
    return value


class Cell(Model):
    """What one cell printed in the first process."""

    name: CellName
    tags: list[Literal["solution", "varies"]]
    stdout: str
    stderr: str
    stdout_dropped: Count = Field(description="Bytes past the limit that were counted and not kept")
    stderr_dropped: Count
    duration_ns: Count
    results: list[Identifier] = Field(description="The results that this cell set last")
    measurements: list[Identifier] = Field(description="The measurements that this cell set last")


class Measurement(Model):
    """Samples with what they mean. Durations are integers in nanoseconds, so their unit is ``ns``."""

    inputs: list[Text] = Field(description="For example float32[4,3]")
    warmup: Count = Field(description="Calls before the first timed one, in each process")
    calls: Positive = Field(description="Timed calls in each process")
    wait: Text = Field(description="When the clock waited for the result")
    excludes: Text = Field(description="What the samples leave out")
    unit: Text
    samples: list[Annotated[list[Sample], Field(min_length=1)]] = Field(
        min_length=1, description="One list per process, per call"
    )

    @model_validator(mode="after")
    def _time_is_integer(self) -> "Measurement":
        if self.unit == "ns" and any(not isinstance(x, int) or x < 0 for row in self.samples for x in row):
            raise ValueError("samples in ns are whole and not negative")
        return self


class Program(Model):
    """One jitted program of the inspection process; hashes are of text without locations or metadata."""

    name: Text
    stablehlo: Digest | None
    hlo: Digest | None


class Artefact(Model):
    """A small file stored beside the run."""

    path: Annotated[str, Field(pattern=rf"^{filename.FORM.pattern}$"), AfterValidator(_file_name)]
    type: Annotated[str, Field(pattern=r"^[a-z]+/[a-z0-9.+-]+$")]
    sha256: Digest
    size: Annotated[int, Field(ge=0, le=300 * 1024)]
