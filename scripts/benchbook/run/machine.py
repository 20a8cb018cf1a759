"""The machine of a run: only what an allow-list names."""

from pydantic import Field

from benchbook.run.field import Count, Model, Positive, Text


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
