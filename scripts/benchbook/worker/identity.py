"""The identity of this machine and its user: what no run may hold. The engine searches with it too."""

import getpass
import os
import platform
import re
from collections.abc import Callable, Iterator, Set
from typing import Any

from benchbook.worker.cipher import encodings
from benchbook.worker.wire import Frame

SHORTEST = 4  # a host name of three letters is a word of the language
HOME, HOST, USER = "the home path", "this host's name", "the user's name"
# Words of JAX, XLA and their profiles: a host or a user of such a name would be found in every one.
WORDS = """
    _src core device external gpu host jax jaxlib lib local localhost main plugins profiler python root
    runtime test thread tpu tsl user worker xla xplane
"""
COMMON = frozenset(WORDS.split())
# How each is found, and what stands in its place where it is cut.
FORMS = {
    HOME: (r"{}(?![\w-]|\.\w)", "~"),
    HOST: (r"(?<![\w-]){}(?![\w-])", "(this host)"),
    USER: (r"(?<=[/\\]){0}(?=[/\\])|(?<![\w.-]){0}(?=@)", "(the user)"),
}
# What else of a frame may tell, beside what its cells printed, and the mend.
PLACES = {
    "flags": ("its flags hold", "change env of the backend in pyproject.toml"),
    "config": ("jax.config holds", "set no such value"),
}


def told(tree: object, *, but: Set[str] = frozenset()) -> str | None:
    """What of this machine's identity stands in a text, or in any text of plain data; or ``None``.

    The home path, the host's name as a whole word, the user's name in a path or before ``@``; the first two
    also in base64, in hexadecimal, with two bytes a letter and as an address spells them.

    Args:
        tree: Where to look.
        but: Names that say nothing, in small letters.
    """
    text = "\n".join(_texts(tree))
    if "\0" in text:  # it may have two bytes a letter
        text += "\n" + text.replace("\0", "")
    small = text.lower()
    for what, name, pattern in _patterns(but):
        if name.lower() in small and pattern.search(text):
            return what
    for what, name in names(but=COMMON | but):
        if any(form in (small if form.islower() else text) for form in encodings(name)):
            return f"{what}, encoded"
    return None


def names(*, but: Set[str] = frozenset()) -> Iterator[tuple[str, str]]:
    """What it is, and the name itself, of all that says who this is without a word beside it."""
    home = os.path.expanduser("~")  # noqa: PTH111  # Path.home raises for a user without a home
    for path in _longest({home, os.path.realpath(home)} if home else set()):
        if len(path) > 1:
            yield HOME, path
    for host in _longest({platform.node(), platform.node().partition(".")[0]}):
        if len(host) >= SHORTEST and host.lower() not in but:
            yield HOST, host


def cut(tree: Any) -> Any:  # noqa: ANN401  # any plain data
    """The same data with what tells who this is cut out of every text."""
    if told(tree) is None:
        return tree
    patterns = list(_patterns(frozenset()))
    return _replaced(tree, lambda text: _cut(text, patterns))


def withhold(frame: Frame) -> Frame:
    """The frame, or, where a run of it would tell who this machine is, an invalid one that does not.

    What failed becomes no run: its output is for the person who looks for the reason, and may be carried in
    a file. So it goes on with such names cut out.
    """
    if frame.get("kind") != "completed":
        withheld: Frame = cut(frame)
        return withheld
    what = told(frame)
    if what is None:
        return frame
    kept = Frame(type=frame["type"], job=frame["job"], process=frame["process"], kind="invalid")
    kept.update({"cell": None, "line": None})
    kept.update({"detail": f"what it printed or left behind holds {what}: print less"})
    for cell in frame.get("cells", []):
        if told(cell):
            kept.update({"cell": cell["name"], "detail": f"what it printed holds {what}: print less"})
    for key, (place, mend) in PLACES.items():
        if told(frame.get(key)):
            kept.update({"detail": f"{place} {what}: {mend}"})
    return kept


def _cut(text: str, patterns: list[tuple[str, str, re.Pattern[str]]]) -> str:
    for what, _, pattern in patterns:
        text = pattern.sub(FORMS[what][1], text)
    return text if told(text) is None else "(what stood here told who this machine is)"


def _replaced(tree: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401  # any plain data
    if isinstance(tree, str):
        return change(tree)
    if isinstance(tree, dict):
        return {change(str(key)): _replaced(value, change) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return [_replaced(item, change) for item in tree]
    return tree


def _texts(tree: object) -> Iterator[str]:
    """Every text and key as it is: in JSON, the first word of a line would follow an ``n``."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict):
        for key, value in tree.items():
            yield str(key)
            yield from _texts(value)
    elif isinstance(tree, list | tuple):
        for item in tree:
            yield from _texts(item)


def _patterns(but: Set[str]) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """What it is, the name, and what it is found by; a host's name may be spelled in any case."""
    user = _user()
    people = [(USER, user)] if user and user.lower() not in but else []
    for what, name in [*names(but=but), *people]:
        pattern = FORMS[what][0].format(re.escape(name))
        yield what, name, re.compile(pattern, re.IGNORECASE if what == HOST else 0)


def _longest(found: set[str]) -> list[str]:
    return sorted(found, key=lambda name: (-len(name), name))


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return os.environ.get("USER", "")
