"""A panel: the data of one pair of axes of a figure."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, model_validator

from benchbook.run.field import Identifier, Model, Number, Text


class Series(Model):
    """One series of a panel: its own numbers, or the measurements that it shows."""

    label: Text
    y: list[Number] | None = None
    x: list[Number] | None = None
    low: list[Number] | None = None
    high: list[Number] | None = None
    measurement: Identifier | list[Identifier] | None = None
    over: Identifier | None = None
    flops: Number | list[Number] | None = Field(default=None, description="Per call of each measurement")
    bytes: Number | list[Number] | None = Field(default=None, description="Per call of each measurement")

    @model_validator(mode="after")
    def _one_source(self) -> "Series":
        if (self.y is None) == (self.measurement is None):
            raise ValueError("a series has either y or measurement")
        for other in (self.x, self.low, self.high):
            if other is not None and self.y is not None and len(other) != len(self.y):
                raise ValueError("x, low and high are as long as y")
        return self

    @property
    def names(self) -> list[str]:
        """The measurements that it shows."""
        return [self.measurement] if isinstance(self.measurement, str) else [*(self.measurement or [])]


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

    @property
    def axis(self) -> Literal["x", "y"]:
        """The axis on which it has its place."""
        return "y" if self.x is None else "x"

    @property
    def place(self) -> float:
        """Its place on that axis."""
        return float((self.y if self.x is None else self.x) or 0)


class Band(Model):
    """A shaded range of one axis."""

    label: Text
    axis: Literal["x", "y"]
    low: Number
    high: Number


class Ceiling(Model):
    """A bandwidth, from bytes a call, or a rate, from FLOPs a call."""

    label: Text
    measurement: Identifier
    bytes: Number | None = None
    flops: Number | None = None


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
    references: list[Reference] = Field(default=[])
    bands: list[Band] = Field(default=[])
    ceilings: list[Ceiling] = Field(default=[])

    @property
    def measured(self) -> Iterator[str]:
        """The measurements that it names."""
        for series in self.series:
            yield from series.names
            yield from [series.over] if series.over is not None else []
        yield from (ceiling.measurement for ceiling in self.ceilings)
