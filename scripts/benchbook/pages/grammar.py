"""The grammar of blocks: which there are, and what their arguments, options and text must be."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

SELECTOR = re.compile(r"[a-z][a-z0-9-]*(?:-[0-9][0-9A-Za-z.+!]*)?")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a block of ours must look like.

    Attributes:
        words: How many words its argument may have, at least and at most.
        required: Options that it must have.
        optional: Options that it may have.
        body: What its text is; empty where it has none.
    """

    words: tuple[int, int]
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    body: str = ""


RULES = {
    "cell": Rule((1, 2)),
    "starter": Rule((2, 2)),
    "output": Rule((1, 2), optional=("run",)),
    "figure": Rule((2, 2), required=("alt",), optional=("run",), body="the caption"),
    "measurements": Rule((1, 1), optional=("run",)),
    "claim": Rule((1, 1), required=("holds",), optional=("run",), body="the sentence"),
}
# pymdownx's own blocks and their options; `attrs` goes with each.
ORDINARY: Mapping[str, frozenset[str]] = {
    "admonition": frozenset({"type", "attrs"}),
    "details": frozenset({"open", "type", "attrs"}),
    "tab": frozenset({"new", "select", "attrs"}),
    "html": frozenset({"markdown", "attrs"}),
    "caption": frozenset({"attrs"}),
    "figure-caption": frozenset({"attrs"}),
    "table-caption": frozenset({"attrs"}),
    "define": frozenset({"attrs"}),
}
KNOWN = (*RULES, *ORDINARY)
NEEDS_ARGUMENT = frozenset({"tab", "html"})
ADMONITIONS = (
    "note",
    "attention",
    "caution",
    "danger",
    "error",
    "tip",
    "hint",
    "warning",
    "important",
    "question",
)
