"""Plain values: what of a snippet's objects JSON can hold, and the refusal of what it can not."""

import math
import re
from typing import Any

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
DEEPEST = 16
LARGEST = 2**63  # what other readers of JSON can hold


class UnfitError(ValueError):
    """Something that cannot be recorded. Its text says what and where; ``mend`` says what to write."""

    def __init__(self, message: str, mend: str) -> None:
        super().__init__(message)
        self.mend = mend


def plain(value: object, where: str, depth: int = 0) -> Any:  # noqa: ANN401  # JSON is any of six types
    """A JSON value; arrays and other objects are refused, since what they hold is not settled.

    Raises:
        UnfitError: With the place in ``where``.
    """
    if depth > DEEPEST:
        raise UnfitError(f"{where} is nested deeper than {DEEPEST}", "flatten it")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _spelled(value)
    if isinstance(value, int):
        if abs(value) > LARGEST:
            raise UnfitError(f"{where} is an integer of more than 64 bits", "write it as a float or as text")
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(float(value))
    if isinstance(value, list | tuple):
        return [plain(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise UnfitError(f"{where} has a key that is no text", "use text keys")
        return {_spelled(key): plain(item, f"{where}[{key!r}]", depth + 1) for key, item in value.items()}
    raise UnfitError(f"{where} is {kind(value)}", "write float(x), int(x) or x.tolist()")


def table(value: object, where: str) -> dict[str, Any]:
    """A dict whose keys are Python identifiers.

    Raises:
        UnfitError: It is none.
    """
    if not isinstance(value, dict):
        raise UnfitError(f"{where} is {kind(value)}", "assign a dict")
    for name in value:
        if not isinstance(name, str) or not IDENTIFIER.fullmatch(name):
            raise UnfitError(f"{where} has the name {name!r}", "name it as a Python identifier")
    return value


def text(value: object, where: str) -> str:
    """A phrase, without white space around it.

    Raises:
        UnfitError: It is no text, or empty.
    """
    if not isinstance(value, str) or not value.strip():
        raise UnfitError(
            f"{where} is {kind(value) if not isinstance(value, str) else 'empty'}", "give a phrase"
        )
    return _spelled(value.strip())


def _spelled(phrase: str) -> str:
    """The text as UTF-8 can hold it: lone surrogates are written out."""
    return phrase.encode("utf-8", "backslashreplace").decode()


def whole(value: object, least: int, where: str) -> int:
    """A whole number of at least ``least``.

    Raises:
        UnfitError: It is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UnfitError(f"{where} is {value!r}", f"give a whole number of at least {least}")
    return value


def kind(value: object) -> str:
    """What it is, in words, as in ``a JAX array`` or ``a list``; neither library is imported for it."""
    found = type(value)
    if found.__module__.split(".")[0] in {"jax", "jaxlib"}:
        return "a JAX array" if hasattr(value, "dtype") else f"a JAX {found.__name__}"
    if found.__module__.split(".")[0] == "numpy":
        return "a NumPy array" if getattr(value, "shape", ()) else "a NumPy scalar"
    return f"{'an' if found.__name__[:1] in tuple('aeiou') else 'a'} {found.__name__}"
