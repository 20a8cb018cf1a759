"""Retractions: runs found wrong, named by hand in ``docs/runs/retracted.toml``. They stay where they are."""

import re
import tomllib

from benchbook.errors import RunError
from benchbook.project import Project


def retracted(project: Project) -> dict[str, str]:
    """Reasons by twelve-digit id, from ``docs/runs/retracted.toml``.

    The file holds one table a run: ``[a1b2c3d4e5f6]`` with ``reason`` and ``date``.

    Raises:
        RunError: It is not TOML, or a table lacks its reason or date.
    """
    path = project.runs / "retracted.toml"
    if not path.exists():
        return {}
    shown = project.relative(path)
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RunError(f"not valid TOML: {error}", path=shown, mend="correct that line") from error
    for name, table in tables.items():
        if (
            not re.fullmatch(r"[0-9a-f]{12}", name)
            or not isinstance(table, dict)
            or set(table) != {"reason", "date"}
        ):
            raise RunError(
                f"[{name}] is not right", path=shown, mend="give the 12-digit id, a reason and a date"
            )
    return {name: f"{table['reason']} ({table['date']})" for name, table in tables.items()}
