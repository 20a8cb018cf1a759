"""A file name: what an artefact may be called, in a checkout on any system and on the site."""

import re

FORM = re.compile(r"[a-z0-9][a-z0-9._-]*")
LONGEST = 100
RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")  # by Windows, with any ending
# A list of what is allowed: the site serves it, and of what else a browser runs or shows there is no end.
ENDINGS = (".json", ".pb", ".gz", ".prof", ".txt", ".csv", ".npy", ".bin", ".hlo", ".mlir")


def fault(name: str) -> str | None:
    """Why no artefact has such a name, its form apart; or ``None``."""
    if len(name) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if RESERVED.match(name):
        return "Windows takes no such name"
    if not name.endswith(ENDINGS):
        return f"it ends with none of {', '.join(ENDINGS)}"
    return None
