"""The identity of this machine and its user: what no run may hold. The engine searches with it too."""

import getpass
import os
import platform
import re
from collections.abc import Iterator

from benchbook.worker.wire import Frame

SHORTEST = 4  # a host name of three letters is a word of the language


def told(tree: object) -> str | None:
    """What of this machine's identity stands in a text, or in any text of plain data; or ``None``.

    The home path, the host's name as a whole word, the user's name in a path or before ``@``.
    """
    text = "\n".join(_texts(tree))
    for what, pattern in _patterns():
        if re.search(pattern, text):
            return what
    return None


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


def _patterns() -> list[tuple[str, str]]:
    found = []
    home = os.path.expanduser("~")  # noqa: PTH111  # Path.home raises for a user without a home
    if len(home) > 1:
        found.append(("the home path", re.escape(home) + r"(?![\w.-])"))
    for host in sorted({platform.node(), platform.node().partition(".")[0]}):
        if len(host) >= SHORTEST:
            found.append(("this host's name", rf"(?<![\w-]){re.escape(host)}(?![\w-])"))
    user = _user()
    if user:
        name = re.escape(user)
        found.append(("the user's name", rf"[/\\]{name}[/\\]|(?<![\w.-]){name}@"))
    return found


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return os.environ.get("USER", "")
