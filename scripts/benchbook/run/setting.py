"""The setting of a run: which source ran, on which software, and how it was executed."""

from typing import Literal

from pydantic import Field

from benchbook.run.field import Count, Digest, Model, Plain, Positive, Text, Version


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
    alone: bool = Field(
        description="Whether no other process ran meanwhile of any recorder that has the same folder for"
        " temporary files"
    )
    compile_cache: bool
    processes: Positive
    process_ns: list[Count] = Field(description="Wall time of each process, from start to end")
