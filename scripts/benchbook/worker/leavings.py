"""What a snippet leaves behind: plain dicts, checked and turned into JSON in the process that made them."""

from dataclasses import dataclass, field
from typing import Any

from benchbook.worker.artefact import artefacts
from benchbook.worker.measurement import measurements
from benchbook.worker.plain import UnfitError, plain, table


@dataclass(slots=True)
class Before:
    """What stood there after the cells before: what they left is not read again.

    Attributes:
        figure: The last one drawn.
        artefacts: Each entry, and what was in it.
    """

    figure: object = None
    artefacts: dict[str, tuple[object, dict[Any, Any]]] = field(default_factory=dict)

    def keep(self, namespace: dict[str, Any]) -> None:
        """Remembers what a cell left that has been collected."""
        self.figure = namespace.get("visual_data")
        entries = namespace.get("artefacts", {}).items()
        self.artefacts = {name: (entry, dict(entry)) for name, entry in entries}

    def holds(self, name: str, entry: object) -> bool:
        """Whether this very entry was there, and nothing in it has been replaced."""
        before, values = self.artefacts.get(name, (None, {}))
        if before is not entry or not isinstance(entry, dict):
            return False
        return entry.keys() == values.keys() and all(entry[key] is value for key, value in values.items())


def collect(namespace: dict[str, Any], before: Before) -> dict[str, Any]:
    """What stands in the four names after a cell; a figure and an artefact only when it is this cell's.

    Args:
        namespace: The snippet's, after the cell.
        before: What stood there before it.

    Raises:
        UnfitError: Something in them cannot be recorded.
    """
    left: dict[str, Any] = {}
    for name, read in (("results", results), ("measurements", measurements)):
        if name in namespace:
            left[name] = read(namespace[name])
    if "artefacts" in namespace:
        entries = table(namespace["artefacts"], "artefacts").items()
        left["artefacts"] = artefacts({name: one for name, one in entries if not before.holds(name, one)})
    drawn = namespace.get("visual_data")
    if drawn is not None and drawn is not before.figure:
        left["figure"] = figure(drawn)
    return left


def results(value: object) -> dict[str, Any]:
    """Named values. NaN and infinities become the strings ``"nan"``, ``"inf"``, ``"-inf"``.

    Raises:
        UnfitError: It is no dict of identifiers to plain values.
    """
    return {name: plain(item, f"results[{name!r}]") for name, item in table(value, "results").items()}


def figure(value: object) -> list[Any]:
    """The panels of a figure; one dict is one panel.

    Raises:
        UnfitError: It is neither a dict nor a list of dicts of plain values.
    """
    panels = value if isinstance(value, list) else [value]
    if not panels or not all(isinstance(panel, dict) for panel in panels):
        raise UnfitError("visual_data is no dict", "assign a dict, or a list with one dict a panel")
    return [plain(panel, "visual_data") for panel in panels]
