"""The search for tokens: a token is found in each form in which it may be carried."""

import base64
import gzip
import json
from pathlib import Path

import pytest

from tests import tokens

KNOWN = tokens.made(["one", "other"], seed=1)
ONE = KNOWN["one"]
CARRIED = {
    "raw": f"x{ONE}y".encode(),
    "upper": ONE.upper().encode(),
    "reversed": ONE[::-1].encode(),
    "hexadecimal": ONE.encode().hex().upper().encode(),
    "utf-16": ONE.encode("utf-16"),
    "utf-16, big end first": ONE.encode("utf-16-be"),
    "json": json.dumps({"a": ONE}).encode(),
    "json escapes": "".join(f"\\u{ord(sign):04X}" for sign in ONE).encode(),
    "address": "".join(f"%{ord(sign):02X}" for sign in ONE).encode(),
    "base64 0": base64.b64encode(f"{ONE} and".encode()),
    "base64 1": base64.b64encode(f"1{ONE} and".encode()),
    "base64 2": base64.b64encode(f"12{ONE}".encode()),
    "base64 of utf-16": base64.b64encode(f"1{ONE} and".encode("utf-16-le")),
    "gzip": gzip.compress(ONE.encode()),
    "gzip after a head": b"head" + gzip.compress(ONE.encode()) + b"tail",
    "gzip in base64": b'"' + base64.b64encode(gzip.compress(f"{'more ' * 20}{ONE}".encode())) + b'"',
    "gzip in gzip": gzip.compress(gzip.compress(ONE.encode())),
}


@pytest.mark.parametrize("form", CARRIED)
def test_a_token_is_found_however_it_is_carried(form: str):
    """That one and no other."""
    assert tokens.found(b"before " + CARRIED[form] + b" after", KNOWN) == {"one"}


def test_a_token_is_found_in_a_file_and_in_its_name(tmp_path: Path):
    """A file that holds none is not named."""
    (tmp_path / f"a-{ONE}").mkdir()
    (tmp_path / "b.txt").write_text(KNOWN["other"])
    (tmp_path / "c.txt").write_text(ONE[:-1])
    assert tokens.found_below(tmp_path, KNOWN) == {f"a-{ONE}": {"one"}, "b.txt": {"other"}}
