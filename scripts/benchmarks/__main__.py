"""`make bench`: every figure that the project promises, measured now, as medians, spread and ratio.

Nothing here passes or fails: a shared machine is noisy. Each figure is a ratio of two things measured in
turn, and the target stands beside it for a person to read.
"""

import sys
from collections.abc import Callable

import agreement
import building
import scale

import recording

FIGURES: dict[str, Callable[[], None]] = {
    "forty": recording.forty_copies,
    "empty": recording.empty_snippet,
    "agreement": agreement.recorded_against_by_hand,
    "build": building.nothing_changed,
    "mkdocs": building.blocks_against_fences,
    "scale": scale.many_lessons,
}


def main(names: list[str]) -> None:
    """Prints the figures that were named, or all of them."""
    unknown = sorted(set(names) - set(FIGURES))
    if unknown:
        sys.exit(f"no figure is named {unknown[0]!r}; choose from {', '.join(FIGURES)}")
    for name in names or FIGURES:
        FIGURES[name]()


main(sys.argv[1:])
