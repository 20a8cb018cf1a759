"""An edit: changes a tree of plain data in a few places, as somebody would who knows its form."""

import copy
import json
from typing import Any

from tests.fuzzing.reader import Reader

PLANTED = "<x-planted onx=1>"
TEXTS = (
    PLANTED,
    f'"{PLANTED}',
    f"'>{PLANTED}",
    '" onx="1',
    "' onx='1",
    "{: onx=1 .x #y }",
    "&lt;x-planted&gt;",
    f"-->]]></pre></script></style>{PLANTED}",
    f"*a* `b` [l](javascript:x) ![i](x) $x$ ```\n# h\n\n{PLANTED}\n",
    ":value[chapter/lesson total]",
    "\n/// cell | chapter/lesson\n///\n",
    "\x02wzxhzdk:0\x03 \x02klzzwxh:0000\x03",
    "../../../outside",
    "/outside",
    "C:\\outside",
    "a\0b",
    "\x1b]0;title\x07\x1b[2J",
    "\ud800",
    "\u202e\u2028",
    "",
    "nan",
    "x" * 300,
    "total",
    "compiled",
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3.5, -0.0, 1e308, 1e-320, float("nan"), float("inf")),
    *(2**31, 2**53 + 1, 2**63, 2**64, 10**30, 10**400, -(10**400)),
    *([], {}, [[]], [{}], {"": None}, {"a": {"b": []}}, [1, 2, 3], ["x"], [None, "nan", 1.5]),
)
MOST = 4  # edits


def edited(tree: Any, reader: Reader) -> Any:
    """A copy of the tree with up to `MOST` edits, for as long as there are bytes."""
    made = json.loads(json.dumps(tree))  # a copy, several times as fast as `copy` makes one
    for _ in range(MOST):
        if not reader.left:
            break
        _edit(made, reader)
    return made


def value(reader: Reader) -> Any:
    """Any plain value."""
    kind = reader.below(4)
    if kind == 0:
        return reader.one(TEXTS)
    return reader.text() if kind == 1 else copy.deepcopy(reader.one(VALUES))


def _edit(place: Any, reader: Reader) -> None:
    """Walks to some place and does one thing there."""
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = keys[reader.below(len(keys))]
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or reader.below(8) == 0:
            break
        place = inner
    _do(place, key, reader)


def _do(place: Any, key: Any, reader: Reader) -> None:
    action = reader.below(8)
    if action == 0 and len(place) > 1:
        del place[key]
    elif action == 1 and isinstance(place, dict):
        place[reader.one(TEXTS) if reader.below(2) else reader.text()] = place[key]
    elif action == 1:
        place.insert(key, copy.deepcopy(place[key]))
    elif action == 2 and isinstance(place[key], str):
        place[key] += reader.one(TEXTS)
    elif action == 3 and isinstance(place, list):
        place[key] = copy.deepcopy(place[reader.below(len(place))])
    else:
        place[key] = value(reader)
