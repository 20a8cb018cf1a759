"""The cipher: what an encoding makes of a name is found whatever stands around it."""

import base64
import random

import pytest

from benchbook.worker.cipher import LEAST, encodings

DICE = random.Random(5)  # noqa: S311  # no secret
TEXTS = [bytes(DICE.randrange(32, 127) for _ in range(40)) for _ in range(30)]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["engine-room", "/srv/people/ada", "b\u00fcro.example.org"])
def test_base64_and_hexadecimal_of_any_text_around_a_name_are_found(name: str, text: bytes):
    """At each offset and with each end, since neighbours share the first sign and the last."""
    cut = DICE.randrange(40)
    data = text[:cut] + name.encode() + text[cut:]
    forms = list(encodings(name))
    for whole in (base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode(), data.hex()):
        assert any(form in whole for form in forms)


def test_a_short_name_has_no_encoding_that_is_no_accident():
    """What is too short to be looked for would refuse runs that say nothing."""
    assert [form for form in encodings("gpu") if len(form) < LEAST] == []
    assert all(b"gpu".hex() != form for form in encodings("gpu"))


def test_a_text_without_the_name_holds_none_of_its_encodings():
    """A digest, a trace in base64 and a path that looks alike are let through."""
    forms = list(encodings("engine-room"))
    for data in (DICE.randbytes(200_000), b"engine-rooms engine_room" * 100):
        for whole in (base64.b64encode(data).decode(), data.hex()):
            assert not any(form in whole for form in forms if b"engine-room" not in data)
