"""A use: one thing that a page asks for."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Use:
    """One thing that a page asks for.

    Attributes:
        kind: The name of the block, or value.
        argument: The words after the bar: a slug, and a cell or an expression.
        options: The options as text; a value always has ``run``.
        body: The text inside the block: a caption, or a claim's sentence.
        line: The 1-based line on which it starts.
    """

    kind: str
    argument: str
    options: Mapping[str, str]
    body: str
    line: int

    @property
    def slug(self) -> str:
        """The lesson; empty for the whole site."""
        return self.argument.split(" ", 1)[0]

    @property
    def name(self) -> str:
        """The cell, or a value's expression; empty for the whole lesson."""
        return self.argument.partition(" ")[2]

    @property
    def run(self) -> str | None:
        """The one run asked for: a backend, or a backend and a JAX version as in ``cpu-0.9.2``."""
        return self.options.get("run")
