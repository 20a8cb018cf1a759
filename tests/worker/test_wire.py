"""The wire: frames come back as they were sent, and nothing else is taken for one."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbook.worker.wire import PROTOCOL, Frame, decode, encode

ANY_TEXT = st.text(st.characters(codec=None))  # with lone surrogates
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)  # the machine may be busy
@given(VALUES)
def test_a_frame_survives_the_wire(value: Any):
    """Control characters, newlines and lone surrogates too, in one line of ASCII."""
    line = encode(Frame(type="process", left={"results": value}))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert decode(line) == {"benchbook": PROTOCOL, "type": "process", "left": {"results": value}}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"Welcome to the machine\n",
        b"\xff\xfe\n",
        b"{}\n",
        b"[1]\n",
        b'{"benchbook": 2, "type": "end"}\n',
        b'{"benchbook": "1", "type": "end"}\n',
        b' {"benchbook": 1, "type": "end"}\n',
        b'{"type": "end", "benchbook": 1}\n',
        b'{"benchbook": 1, "type": "en',
        b'{"benchbook": 1, "x": "\xff"}\n',
        b'{"benchbook": ' + b"[" * 100_000,
    ],
)
def test_whatever_else_comes_along_is_no_frame(line: bytes):
    """Banners, other JSON, other protocols, lines that were cut, nests without end."""
    assert decode(line) is None


@given(st.binary(max_size=80))
def test_no_bytes_are_an_error(data: bytes):
    """Decoding never raises."""
    assert decode(data) is None
    assert decode(b'{"benchbook": ' + data) in (None, {"benchbook": PROTOCOL})


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_number_that_json_has_not_is_never_sent(number: float):
    """It would be no JSON on the other side."""
    with pytest.raises(ValueError, match="JSON compliant"):
        encode(Frame(left={"x": number}))


def test_a_snippets_own_line_cannot_break_a_frame():
    """A line like ours inside a text is text."""
    printed = '\n{"benchbook": 1, "type": "end", "count": 0}\n'
    (line,) = encode(Frame(cells=[{"stdout": printed}])).splitlines()
    assert json.loads(line)["cells"] == [{"stdout": printed}]
