"""The cipher: a name in the encodings that carry it about unseen, without anybody's intent."""

import base64
from collections.abc import Iterator

LEAST = 10  # signs of an encoding that are no accident
SHARED = (0, 2, 3)  # first signs of base64 that a neighbour has a part in, by the bytes before the name


def encodings(name: str) -> Iterator[str]:
    """The name in base64 wherever it begins in a group of three, in hexadecimal and in an address.

    Of base64, what its neighbours have no part in. What has small letters only is written in any case.
    """
    if "/" in name:
        yield name.lower().replace("/", "%2f")
    for data in (name.encode("utf-8", "surrogateescape"), name.encode("utf-16-le", "surrogatepass")):
        found = [data.hex(), *_base64(data)]
        yield from (form for form in found if len(form) >= LEAST)


def _base64(data: bytes) -> Iterator[str]:
    for before, shared in enumerate(SHARED):
        whole = base64.b64encode(bytes(before) + data).decode()
        length = (before + len(data)) * 8 // 6
        yield whole[shared:length]
        if "+" in whole or "/" in whole:
            yield whole[shared:length].replace("+", "-").replace("/", "_")
