"""What a snippet leaves behind: plain dicts, checked and turned into JSON in the process that made them."""

from typing import Any

from benchbook.worker.artefact import artefacts
from benchbook.worker.measurement import measurements
from benchbook.worker.plain import UnfitError, plain, table


def collect(namespace: dict[str, Any], figure_before: object) -> dict[str, Any]:
    """What stands in the four names after a cell; a figure only when this cell assigned it.

    Args:
        namespace: The snippet's, after the cell.
        figure_before: What ``visual_data`` was before it.

    Raises:
        UnfitError: Something in them cannot be recorded.
    """
    left: dict[str, Any] = {}
    for name, read in (
        ("results", results),
        ("measurements", measurements),
        ("artefacts", artefacts),
    ):
        if name in namespace:
            left[name] = read(namespace[name])
    drawn = namespace.get("visual_data")
    if drawn is not None and drawn is not figure_before:
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
