"""Tokens: words that stand nowhere by chance, and the search for them in whatever form they are carried."""

import base64
import binascii
import random
import re
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

LETTERS = "bcdfghjklmnpqrstvwxz"
GZIP = b"\x1f\x8b\x08"
CODED = re.compile(rb"[A-Za-z0-9+/]{40,}")  # base64 that may hold a file
DEEPEST = 3  # files in files


def made(places: list[str], seed: int) -> dict[str, str]:
    """A token for each place, the same each time: small letters, since a host's name has no others."""
    dice = random.Random(seed)  # noqa: S311  # no secret
    return {place: "".join(dice.choices(LETTERS, k=18)) for place in places}


def found(data: bytes, tokens: dict[str, str]) -> set[str]:
    """The places whose token stands in a file: as it is, encoded, packed, reversed, in any case."""
    hit = set()
    for content in _contents(data, 0):
        small = content.lower()
        for place, token in tokens.items():
            exact, spelled = _forms(token)
            if any(form in content for form in exact) or any(form in small for form in spelled):
                hit.add(place)
    return hit


def found_below(folder: Path, tokens: dict[str, str]) -> dict[str, set[str]]:
    """What stands in each file below a folder, and in its name."""
    hits = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        hits[name] = found(name.encode() + b"\n" + data, tokens)
    return {name: hit for name, hit in hits.items() if hit}


@cache
def _forms(token: str) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """As they must be spelled, and in small letters those that may be spelled in any case."""
    data = token.encode()
    wide = [token.encode(code) for code in ("utf-16-le", "utf-16-be", "utf-32-le")]
    in_base64 = [form for plain in (data, wide[0]) for form in _in_base64(plain)]
    escapes = ["".join(f.format(ord(sign)) for sign in token).encode() for f in ("\\u{:04x}", "%{:02x}")]
    return tuple(in_base64), (data, data[::-1], data.hex().encode(), *wide, *escapes)


def _in_base64(data: bytes) -> Iterator[bytes]:
    """What of it does not depend on its neighbours, at each of the three offsets."""
    for before in range(3):
        whole = base64.b64encode(bytes(before) + data)
        yield whole[(0, 2, 3)[before] : (before + len(data)) * 8 // 6]


def _contents(data: bytes, depth: int) -> Iterator[bytes]:
    """The file, what is packed with gzip anywhere in it, and what is in base64."""
    yield data
    if depth == DEEPEST:
        return
    at = data.find(GZIP)
    while at >= 0:
        yield from _unpacked(data[at:], depth)
        at = data.find(GZIP, at + 1)
    for match in CODED.finditer(data):
        held = match[0][: len(match[0]) // 4 * 4]
        try:
            yield from _contents(base64.b64decode(held), depth + 1)
        except binascii.Error:
            continue


def _unpacked(data: bytes, depth: int) -> Iterator[bytes]:
    try:
        yield from _contents(zlib.decompressobj(31).decompress(data), depth + 1)
    except zlib.error:
        return
