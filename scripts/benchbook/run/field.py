"""The fields of a run: what a text, a name, a digest or a number of a run file may be."""

import json
import re
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

Text = Annotated[str, Field(min_length=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*$")]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
CellName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]
VERSION_PATTERN = re.compile(r"[0-9][0-9A-Za-z.+!]*")
Version = Annotated[str, Field(pattern=f"^{VERSION_PATTERN.pattern}$")]
Count = Annotated[int, Field(ge=0, lt=2**63)]
Positive = Annotated[int, Field(ge=1, lt=2**63)]
NonFinite = Literal["nan", "inf", "-inf"]
LARGEST_INTEGER = 2**63
LARGEST_SAMPLE = 1e150  # its square is finite too
Number = int | float | NonFinite


def _instant(value: str) -> str:
    try:
        found = datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"no such instant: {error}") from error
    if found.isoformat() != value.removesuffix("Z") + "+00:00":  # digits of other scripts, and 24:00:00
        raise ValueError("no such instant")
    return value


def _plain(value: JsonValue) -> JsonValue:
    _bound_integers(value)
    json.dumps(value, allow_nan=False)  # pydantic lets a NaN pass as JSON; this raises ValueError
    return value


def _bound_integers(value: JsonValue) -> None:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            _bound_integers(item)
    elif isinstance(value, int):
        _bounded(value)


def _bounded(value: float) -> float:
    """Refuses what arithmetic on it could overflow; an integer is held to what 64 bits can hold."""
    if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        raise ValueError("an integer is at most 2**63 in size; write float(...) or str(...)")
    if abs(value) > LARGEST_SAMPLE:
        raise ValueError(f"a sample is at most {LARGEST_SAMPLE:g} in size; use a larger unit")
    return value


Instant = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"), AfterValidator(_instant)]
Plain = Annotated[JsonValue, AfterValidator(_plain)]
Sample = Annotated[int | float, AfterValidator(_bounded)]


class Model(BaseModel):
    """Frozen, strict, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
