"""The identity of this machine and its user: what no run may hold. The engine searches with it too."""

import getpass
import os
import platform
import re
from collections.abc import Iterator, Set

from benchbook.worker.wire import Frame

SHORTEST = 4  # a host name of three letters is a word of the language


def told(tree: object, *, but: Set[str] = frozenset()) -> str | None:
    """What of this machine's identity stands in a text, or in any text of plain data; or ``None``.

    The home path, the host's name as a whole word, the user's name in a path or before ``@``.

    Args:
        tree: Where to look.
        but: Names that say nothing, in small letters.
    """
    text = "\n".join(_texts(tree))
    for what, name, pattern in _patterns(but):
        if name in text and re.search(pattern, text):
            return what
    return None


def names(*, but: Set[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """What it is, and the name itself, of all that says who this is without a word beside it."""
    home = os.path.expanduser("~")  # noqa: PTH111  # Path.home raises for a user without a home
    if len(home) > 1:
        yield "the home path", home
    for host in sorted({platform.node(), platform.node().partition(".")[0]}):
        if len(host) >= SHORTEST and host.lower() not in but:
            yield "this host's name", host


def withhold(frame: Frame) -> Frame:
    """The frame, or, where a run of it would tell who this machine is, an invalid one that does not.

    What failed becomes no run, and its output is for the person who looks for the reason.
    """
    what = told(frame) if frame.get("kind") == "completed" else None
    if what is None:
        return frame
    kept = Frame(type=frame["type"], job=frame["job"], process=frame["process"], kind="invalid")
    kept.update(
        {"detail": f"what it printed or left behind holds {what}: print less", "cell": None, "line": None}
    )
    return kept


def _texts(tree: object) -> Iterator[str]:
    """Every text and key as it is: in JSON, the first word of a line would follow an ``n``."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield key
            yield from _texts(value)
    elif isinstance(tree, list | tuple):
        for item in tree:
            yield from _texts(item)


def _patterns(but: Set[str]) -> Iterator[tuple[str, str, str]]:
    """What it is, the name, and what it is found by."""
    for what, name in names(but=but):
        ends = (r"", r"(?![\w.-])") if what == "the home path" else (r"(?<![\w-])", r"(?![\w-])")
        yield what, name, re.escape(name).join(ends)
    user = _user()
    if user and user.lower() not in but:
        name = re.escape(user)
        yield "the user's name", user, rf"[/\\]{name}[/\\]|(?<![\w.-]){name}@"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return os.environ.get("USER", "")
