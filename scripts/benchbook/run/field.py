"""The fields of a run: what a text, a name, a digest or a number of a run file may be."""

import json
import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

Text = Annotated[str, Field(min_length=1)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Slug = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*/[a-z0-9][a-z0-9-]*$")]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
Identifier = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
CellName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]
Instant = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
VERSION_PATTERN = re.compile(r"[0-9][0-9A-Za-z.+!]*")
Version = Annotated[str, Field(pattern=f"^{VERSION_PATTERN.pattern}$")]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
NonFinite = Literal["nan", "inf", "-inf"]
Number = int | float | NonFinite


def _finite(value: JsonValue) -> JsonValue:
    json.dumps(value, allow_nan=False)  # pydantic lets a NaN pass as JSON; this raises ValueError
    return value


Plain = Annotated[JsonValue, AfterValidator(_finite)]


class Model(BaseModel):
    """Frozen, strict, and closed to unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
