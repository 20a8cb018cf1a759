"""The PEP 723 header of a snippet: what it depends on, and its settings."""

import tomllib
from dataclasses import dataclass
from typing import Any

from benchbook.errors import SnippetError

OPENING, CLOSING = "# /// script", "# ///"
MOST = 1e9  # of a tolerance or of seconds: more means nothing, and arithmetic may not take it


@dataclass(frozen=True, slots=True)
class Header:
    """What the PEP 723 header says.

    Attributes:
        dependencies: What ``uv run`` installs.
        tolerance: Relative and absolute tolerance for numbers, between processes and between runs.
        cold: Whether every process must start afresh.
        timeout: Seconds a process may take.
        minimum_jax: The oldest JAX on which the snippet runs, or ``None``.
    """

    dependencies: tuple[str, ...] = ()
    tolerance: float = 1e-5
    cold: bool = False
    timeout: float = 120.0
    minimum_jax: str | None = None


def parse(text: str, path: str) -> Header:
    """Reads the header of a snippet's text.

    Raises:
        SnippetError: There is none, it is not TOML, or a setting is not right.
    """
    line, rows = _block(text.split("\n"))
    if not rows:
        raise SnippetError(
            "no PEP 723 header", path=path, line=1, mend="open with '# /// script' ... '# ///'"
        )
    body = "".join(f"{row[2:]}\n" for row in rows)
    try:
        table = tomllib.loads(body)
    except (ValueError, RecursionError) as error:  # no TOML, or absurd numbers and nesting
        raise SnippetError(
            f"its header is not TOML: {error}", path=path, line=line, mend="correct it"
        ) from None
    tools = table.get("tool", {})
    settings = tools.get("benchbook", {}) if isinstance(tools, dict) else tools
    dependencies = table.get("dependencies", [])
    if not isinstance(settings, dict) or not isinstance(dependencies, list):
        raise SnippetError(
            "its header is not right",
            path=path,
            line=line,
            mend='give dependencies = ["jax"] and a table [tool.benchbook]',
        )
    return Header(tuple(dependencies), **_settings(settings, path, line))


def _block(lines: list[str]) -> tuple[int, list[str]]:
    """The 1-based line of the first header and the rows in it; none where there is none."""
    start: int | None = None
    for number, line in enumerate(lines):
        if start is not None and line == CLOSING and number > start + 1:
            return start + 1, lines[start + 1 : number]
        if line != "#" and not line.startswith("# "):
            start = None
        elif start is None and line == OPENING:
            start = number
    return 0, []


def _settings(settings: dict[str, Any], path: str, line: int) -> dict[str, Any]:
    kinds = {"tolerance": (float, int), "cold": (bool,), "timeout": (float, int), "minimum-jax": (str,)}
    for name, value in settings.items():
        known = name in kinds and isinstance(value, kinds[name])
        if not known or (isinstance(value, bool) and bool not in kinds[name]):
            raise SnippetError(
                f"its header sets {name} = {value!r}", path=path, line=line, mend=f"known: {', '.join(kinds)}"
            )
        if isinstance(value, float | int) and not isinstance(value, bool) and not 0 < value < MOST:
            raise SnippetError(
                f"its header sets {name} = {value}",
                path=path,
                line=line,
                mend=f"use more than 0, and less than {MOST:g}",
            )
    return {name.replace("-", "_"): value for name, value in settings.items()}
