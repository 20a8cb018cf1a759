"""The grammar of blocks: which there are, and what their arguments, options and text must be."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from benchbook.project import SLUG

SELECTOR = re.compile(r"[a-z][a-z0-9-]*(?:-[0-9][0-9A-Za-z.+!]*)?")


class Argument(Enum):
    """What stands after a block's bar.

    Attributes:
        form: How an error spells it.
        pattern: What it must match.
    """

    LESSON = " | chapter/lesson", SLUG.pattern
    CELL = " | chapter/lesson cell", rf"{SLUG.pattern} +\S+"
    MEASUREMENT = " | chapter/lesson measurement", rf"{SLUG.pattern} +\S+"
    ARTEFACT = " | chapter/lesson artefact", rf"{SLUG.pattern} +\S+"
    SCOPE = " | chapter/lesson", rf"(?:{SLUG.pattern})?"
    EITHER = " | chapter/lesson", rf"{SLUG.pattern}(?: +\S+)?"
    NAME = " | name-of-your-own", r"[a-z0-9][a-z0-9-]*"
    TEXT = " | text", r"\S.*"
    TITLE = " | title", r"(?:\S.*)?"
    NOTHING = "", ""

    def __init__(self, form: str, pattern: str) -> None:
        self.form = form
        self.pattern = pattern

    @property
    def is_lesson(self) -> bool:
        """Whether it names a lesson, so that the block shows something of it."""
        return self not in (Argument.NAME, Argument.TEXT, Argument.TITLE, Argument.NOTHING)


@dataclass(frozen=True, slots=True)
class Rule:
    """What a block of ours must look like.

    Attributes:
        argument: What its argument is.
        required: Options that it must have.
        optional: Options that it may have.
        switches: Options that are true or false.
        body: What its text is; empty where it has none.
        bare: Whether it may lack that text.
        sourced: Whether that text must hold a link to another site.
        inside: The block that it must stand right in; empty where it needs none.
        holds: The block that must stand right in it, and how many of them, at least and at most.
        folded: Whether it folds a text away, or holds one that is; no such block stands in another.
    """

    argument: Argument
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    body: str = ""
    bare: bool = False
    sourced: bool = False
    inside: str = ""
    holds: tuple[str, int, int] | None = None
    folded: bool = False


RULES = {
    "cell": Rule(Argument.EITHER),
    "output": Rule(Argument.EITHER, optional=("run",)),
    "figure": Rule(Argument.CELL, required=("alt",), optional=("run",), body="the caption"),
    "measurements": Rule(Argument.LESSON, optional=("run",)),
    "specimen": Rule(Argument.MEASUREMENT, optional=("run",), body="what was called"),
    "artefact": Rule(Argument.ARTEFACT, optional=("run",), body="what it is", bare=True),
    "claim": Rule(Argument.LESSON, required=("holds",), optional=("run",), body="the sentence"),
    "cited": Rule(Argument.SCOPE, required=("backends",), body="the statement", sourced=True),
    "predict": Rule(Argument.NAME, body="the question", holds=("answer", 1, 1), folded=True),
    "answer": Rule(Argument.TITLE, body="the answer", inside="predict", folded=True),
    "question": Rule(Argument.NAME, body="the question", holds=("option", 2, 9), folded=True),
    "option": Rule(
        Argument.TEXT, switches=("right",), body="the feedback on it", inside="question", folded=True
    ),
    "hint": Rule(Argument.NOTHING, body="the hint", folded=True),
    "functions": Rule(Argument.NOTHING, body="the functions with their signatures", folded=True),
    "plan": Rule(Argument.NOTHING, body="the steps", folded=True),
    "starter": Rule(Argument.CELL, folded=True),
    "solution": Rule(Argument.NOTHING, body="the solution and its reasons", folded=True),
}
# pymdownx's own blocks and what each option must be; `attrs` goes with each. No numbered caption: ours are.
SWITCH, WORD, ATTRIBUTES = "true or false", "a word", "{class: name}"
MODES = "one of auto, block, html, inline, raw"
ORDINARY: Mapping[str, Mapping[str, str]] = {
    "admonition": {"type": WORD, "attrs": ATTRIBUTES},
    "details": {"open": SWITCH, "type": WORD, "attrs": ATTRIBUTES},
    "tab": {"new": SWITCH, "select": SWITCH, "attrs": ATTRIBUTES},
    "html": {"markdown": MODES, "attrs": ATTRIBUTES},
    "caption": {"attrs": ATTRIBUTES},
    "table-caption": {"attrs": ATTRIBUTES},
}
KNOWN = (*RULES, *ORDINARY)
NEEDS_ARGUMENT: Mapping[str, re.Pattern[str]] = {
    "tab": re.compile(r"\S.*"),
    "html": re.compile(r"[a-zA-Z][\w-]*(?:[.#][a-zA-Z_-][\w-]*|\[[^\]\[]+\])*"),
}
ADMONITIONS = ("note", "attention", "caution", "danger", "error", "tip", "warning", "important")
