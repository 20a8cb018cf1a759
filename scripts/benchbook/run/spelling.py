"""The one spelling of a run as JSON: the digest of a file names one run."""

import json
from typing import Any

from pydantic import ValidationError

from benchbook.errors import RunError
from benchbook.run.record import SCHEMA, Run

LARGEST = 128 * 1024


def dump(run: Run) -> bytes:
    """The one spelling of a run: UTF-8 JSON, fields in the model's order, one value a line.

    Raises:
        RunError: It is larger than a run file may be; the message names the largest measurement.
    """
    data = spell(_tree(run))
    if len(data) > LARGEST:
        raise RunError(
            f"the run would take {len(data)} bytes, more than {LARGEST}: {_largest(run)}",
            mend="keep fewer samples or print less",
        )
    return data


def _tree(run: Run) -> dict[str, Any]:
    """Only what was set: a field that a later version adds with a default respells no file of today."""
    return run.model_dump(mode="json", by_alias=True, exclude_unset=True)


def spell(tree: object) -> bytes:
    """JSON in the one formatting of run files."""
    return (json.dumps(tree, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _largest(run: Run) -> str:
    sizes = {f"measurement {name!r}": len(spell(m.samples)) for name, m in run.measurements.items()}
    sizes |= {f"the output of cell {cell.name!r}": len(cell.stdout) + len(cell.stderr) for cell in run.cells}
    sizes |= {
        f"the figure of cell {n!r}": len(spell([p.model_dump() for p in ps])) for n, ps in run.figures.items()
    }
    name = max(sizes, key=lambda key: sizes[key])
    return f"{name} takes {sizes[name]}"


def parse(data: bytes, *, path: str) -> Run:
    """Reads a run file's bytes.

    Args:
        data: The whole file.
        path: How messages spell the file.

    Raises:
        RunError: Cut short, not JSON, of a newer schema, not valid, or not in the one spelling.
    """
    if len(data) > LARGEST:
        raise RunError(f"{len(data)} bytes, more than a run takes", path=path, mend="restore it from git")
    try:
        tree = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, or absurd numbers and nesting
        raise RunError(f"not a whole run file: {error}", path=path, mend="restore it from git") from error
    found = tree.get("schema") if isinstance(tree, dict) else None
    if isinstance(found, int) and found > SCHEMA:
        raise RunError(f"schema {found} is newer than {SCHEMA}", path=path, mend="use a newer benchbook")
    try:
        run = Run.model_validate_json(data)
    except ValidationError as error:
        raise RunError(f"not a run: {first_problem(error)}", path=path, mend="restore it from git") from error
    if spell(_tree(run)) != data:
        raise RunError("not spelled as benchbook writes it", path=path, mend="restore it from git")
    return run


def first_problem(error: ValidationError) -> str:
    """One line for the first thing that pydantic found, and how many more there are."""
    problems = error.errors(include_url=False, include_input=False)
    place = ".".join(" ".join(str(part).split()) for part in problems[0]["loc"])
    more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
    return f"{place + ': ' if place else ''}{problems[0]['msg']}{more}"


def schema() -> dict[str, Any]:
    """The JSON Schema of run files, as published with the site."""
    return Run.model_json_schema(by_alias=True) | {"title": f"benchbook run, schema {SCHEMA}"}
