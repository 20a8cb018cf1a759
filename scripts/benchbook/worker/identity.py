"""The identity of this machine and its user: what no run may hold. The engine searches with it too."""

import getpass
import json
import os
import platform
import re

from benchbook.worker.wire import Frame

SHORTEST = 4  # a host name of three letters is a word of the language


def told(text: str) -> str | None:
    """What of this machine's identity stands in the text, or ``None``.

    The home path, the host's name as a whole word, the user's name in a path or before ``@``.
    """
    for what, pattern in _patterns():
        if re.search(pattern, text):
            return what
    return None


def withhold(frame: Frame) -> Frame:
    """The frame, or, where it tells who this machine is, an invalid one that does not."""
    what = told(json.dumps(frame, ensure_ascii=False).replace("\\\\", "\\"))
    if what is None:
        return frame
    kept = Frame(type=frame["type"], job=frame["job"], process=frame["process"], kind="invalid")
    kept.update(
        {"detail": f"what it printed or left behind holds {what}: print less", "cell": None, "line": None}
    )
    return kept


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
