"""The record: one run, schema 1, with the rules between its groups."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from benchbook.run.content import Artefact, Cell, Measurement, Program
from benchbook.run.field import CellName, Identifier, Instant, Model, Name, Plain, Slug
from benchbook.run.machine import Hardware
from benchbook.run.panel import Panel
from benchbook.run.setting import Environment, Method, Source

SCHEMA = 1


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
        for group, named in (("results", self.results), ("measurements", self.measurements)):
            if sorted(name for cell in self.cells for name in getattr(cell, group)) != sorted(named):
                raise ValueError(f"each of {group} was set last by one cell, which names it")
        if len(self.method.process_ns) != self.method.processes:
            raise ValueError("process_ns has one entry per process")
        for name, measurement in self.measurements.items():
            if len(measurement.samples) != self.method.processes:
                raise ValueError(f"measurement {name} has one list of samples per process")
        for figure, panels in self.figures.items():
            for name in (name for panel in panels for name in panel.measured):
                if name not in self.measurements:
                    raise ValueError(f"figure {figure} shows {name}, which is no measurement")
        return self
