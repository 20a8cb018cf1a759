"""Captured text made readable: what a terminal would have shown, with nothing hidden and nothing obeyed."""

import re

ESCAPES = re.compile(
    r"""
    (?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?           # CSI: colours, cursor, erasing
    | (?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])   # OSC, DCS, SOS, PM, APC: up to their end, on one line
      [^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?
    | \x1b[ -/]*[0-~]?                          # all others
    """,
    re.VERBOSE,
)
# What reorders or hides the text around it, and the line ends that only some programs honour.
UNSEEN = (
    "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
PICTURES = (
    {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"}
    | {0x7F: "\u2421"}
    | dict.fromkeys(range(0x80, 0xA0), "\ufffd")
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | dict.fromkeys(map(ord, UNSEEN), "\ufffd")
)
LONGEST = 4000  # characters of a line


def readable(text: str) -> str:
    """What was printed, as a page shows it; the caller still escapes it for HTML.

    ANSI sequences are removed; of a line that a carriage return rewrote, as progress bars do, the last state
    stays; every other control character becomes a Unicode control picture, or U+FFFD where there is none.
    """
    plain = ESCAPES.sub("", text).replace("\r\n", "\n")
    return pictured("\n".join(_last_state(line) for line in plain.split("\n")))


def pictured(text: str) -> str:
    """The text with control characters made visible; tabs and newlines stay."""
    return text.translate(PICTURES)


def line(text: str) -> str:
    """One line of a message, whoever wrote its text: nothing is obeyed, and of a long one the end is cut."""
    shown = text[:LONGEST].translate(PICTURES | {ord("\n"): "\u240a"})
    return shown if len(text) <= LONGEST else f"{shown}…"


def _last_state(line: str) -> str:
    if "\r" not in line:
        return line
    return next((state for state in reversed(line.split("\r")) if state), "")
