"""Retractions: runs found wrong, named by hand in ``docs/runs/retracted.toml``. They stay where they are."""

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

from benchbook.errors import RunError
from benchbook.project import Project


def retracted(project: Project) -> dict[str, str]:
    """Reasons by twelve-digit id, from ``docs/runs/retracted.toml``.

    The file holds one table a run: ``["a1b2c3d4e5f6"]`` with ``reason``, a text, and ``date``, a day.

    Raises:
        RunError: It cannot be read, is not TOML, or a table lacks its reason or date.
    """
    path = project.runs / "retracted.toml"
    if not path.exists(follow_symlinks=False):  # a link that leads nowhere is a mistake, and no empty list
        return {}
    shown = project.relative(path)
    tables = _tables(path, shown)
    for name, table in tables.items():
        if not re.fullmatch(r"[0-9a-f]{12}", name) or not _is_retraction(table):
            mend = 'give the 12-digit id in quotes, a reason, and a date = "2026-01-31"'
            raise RunError(f"[{name}] is not right", path=shown, mend=mend)
    return {name: f"{table['reason']} ({table['date']})" for name, table in tables.items()}


def _tables(path: Path, shown: str) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        message = f"cannot be read: {error.strerror}"
        raise RunError(message, path=shown, mend="restore it from git, or move this away") from error
    except (ValueError, RecursionError) as error:  # not TOML, not UTF-8, or absurd numbers and nesting
        raise RunError(f"not valid TOML: {error}", path=shown, mend="correct that line") from error


def _is_retraction(table: object) -> bool:
    if not isinstance(table, dict) or set(table) != {"reason", "date"}:
        return False
    reason, day = table["reason"], table["date"]
    return isinstance(reason, str) and reason.strip() != "" and (type(day) is date or _is_day(day))


def _is_day(text: object) -> bool:
    try:
        return isinstance(text, str) and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
