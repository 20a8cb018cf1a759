"""A backend: a named place to run, as pyproject.toml describes it. Standard library only."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchbook.errors import UsageError
from benchbook.setting import is_pattern, is_text, is_words, table

PATIENCE = 300
NAME = re.compile(r"[a-z][a-z0-9-]*")
KEYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "platform": (is_text, "text"),
    "device-kind": (is_pattern, "a regular expression"),
    "count": (lambda value: type(value) is int and value > 0, "a whole number of at least 1"),
    "env": (lambda value: isinstance(value, dict) and all(map(is_text, value.values())), "a table of texts"),
    "command": (lambda value: is_words(value) and value != [], 'a list of words, as in ["ssh", "host"]'),
    "patience": (lambda value: type(value) is int and value > 0, "a whole number of seconds, at least 1"),
    "doc": (is_text, "text"),
}


@dataclass(frozen=True, slots=True)
class Backend:
    """A named place to run.

    Attributes:
        name: The name in ``[tool.benchbook.backends.NAME]``.
        platform: What ``device.platform`` must be.
        device_kind: A regular expression that the whole of ``device.device_kind`` must match.
        count: How many devices there must be; ``None`` for any number.
        env: Variables set for the snippet, over the allow-listed environment.
        command: The words that start a Python with JAX there; ``None`` for this interpreter.
        doc: One phrase for tables.
        patience: Seconds without a sign of life after which it is given up.
    """

    name: str
    platform: str
    device_kind: str = ".*"
    count: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    command: tuple[str, ...] | None = None
    doc: str = ""
    patience: int = PATIENCE

    def misfit(self, platform: str, kind: str, count: int) -> str | None:
        """Why devices are not those of this backend, or ``None``."""
        fits = platform == self.platform and re.fullmatch(self.device_kind, kind)
        if fits and self.count in (None, count):
            return None
        return f"backend {self.name!r} is not {count} x {platform} ({kind})"


def read(name: str, value: Any) -> Backend:  # noqa: ANN401  # TOML is any of eight types
    """Reads one table ``[tool.benchbook.backends.NAME]``.

    Args:
        name: Its name.
        value: What stands there.

    Raises:
        UsageError: It is no table of a backend.
    """
    where = f"[tool.benchbook.backends.{' '.join(name.split())}]"
    keys = table(value, f".backends.{name}")
    if not NAME.fullmatch(name):
        raise UsageError(f"{where} is not a name", path="pyproject.toml", mend="use a-z, 0-9 and -")
    if "platform" not in keys or set(keys) - set(KEYS):
        wrong = " ".join(", ".join(sorted(set(keys) - set(KEYS))).split()) or "no platform"
        raise UsageError(
            f"{where}: {wrong}", path="pyproject.toml", mend=f"give platform, and only {sorted(KEYS)}"
        )
    for key, setting in keys.items():
        rule, what = KEYS[key]
        if not rule(setting):
            raise UsageError(f"{where}: {key} must be {what}", path="pyproject.toml", mend="correct it")
    command = keys.get("command")
    return Backend(
        name=name,
        platform=keys["platform"],
        device_kind=keys.get("device-kind", ".*"),
        count=keys.get("count"),
        env=dict(keys.get("env", {})),
        command=None if command is None else tuple(command),
        doc=keys.get("doc", ""),
        patience=keys.get("patience", PATIENCE),
    )
