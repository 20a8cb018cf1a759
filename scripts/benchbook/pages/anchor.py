"""Anchors: the numbers and ids of what one page shows, in its order. Standard library only."""

from collections import Counter
from dataclasses import dataclass, field

WORDS = {"figure": "Figure", "listing": "Listing", "question": "Question", "predict": "Prediction"}
OF_BLOCK = {"cell": "listing", "figure": "figure", "question": "question", "predict": "predict"}
WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class Anchor:
    """One numbered thing.

    Attributes:
        id: What a link leads to, as in ``figure-losses``.
        label: What a link to it says, as in ``Figure 2``.
    """

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Anchors:
    """Those of one page, numbered by kind as they are taken.

    Attributes:
        by_id: What was taken so far.
    """

    by_id: dict[str, Anchor] = field(default_factory=dict)
    _numbers: Counter[str] = field(default_factory=Counter)

    def take(self, block: str, name: str) -> Anchor:
        """The next anchor of a kind; the second of one name ends in ``-2``.

        Args:
            block: The block's name, one of `OF_BLOCK`.
            name: A cell or an id; empty for the whole example.
        """
        kind = OF_BLOCK[block]
        self._numbers[kind] += 1
        first = f"{kind}-{name or WHOLE}"
        chosen, times = first, 1
        while chosen in self.by_id:
            times += 1
            chosen = f"{first}-{times}"
        anchor = Anchor(chosen, f"{WORDS[kind]} {self._numbers[kind]}")
        self.by_id[chosen] = anchor
        return anchor
