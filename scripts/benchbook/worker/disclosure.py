"""A disclosure: what an artefact tells of the machine that wrote it. The engine searches with it too."""

import re
from collections.abc import Iterator

from benchbook.worker import identity, location
from benchbook.worker.packing import unpacked
from benchbook.worker.plain import UnfitError

MEND = "keep only the fields that a reader needs, and name sources without their folders"
BINARY = re.compile(rb"[\x00-\x08]")
JSON = re.compile(rb"\s*[\[{]\s*[\"\[{]")
# How JSON and addresses spell what matters here; what stands for an escaped backslash meanwhile is no letter.
ASIDE = "\ue000"
SPELLED = (("\\\\", ASIDE), ("\\/", "/"), ("\\n", "\n"), ("\\r", "\n"), ("\\t", "\t"), ('\\"', '"'))
ENCODED = (("%2F", "/"), ("%2f", "/"), (ASIDE, "\\"))
CODED = re.compile(r"\\u([0-9a-fA-F]{4})")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
Parts = list[tuple[bytes, list[str]]]  # what a file holds and what its head says, each with its texts


def prove(data: bytes) -> None:
    """Refuses a file that tells of a machine.

    Raises:
        UnfitError: It does, or it cannot be searched.
    """
    found = told(data)
    if found is not None:
        raise UnfitError(f"holds {found}", MEND)


def told(data: bytes, *, paths: bool = True) -> str | None:
    """What a file says of this machine, or of where files lie on some machine; or ``None``.

    Raises:
        UnfitError: It cannot be searched.
    """
    parts = _parts(data)
    return _who(parts) or (_where(parts) if paths else None)


def where(data: bytes) -> str | None:
    """The first thing in a file that looks like an absolute path of some machine; or ``None``.

    Raises:
        UnfitError: As `told`.
    """
    return _where(_parts(data))


def _parts(data: bytes) -> Parts:
    return [(part, list(_texts(part))) for part in unpacked(data)]


def _who(parts: Parts) -> str | None:
    found = identity.told([texts for _, texts in parts], but=identity.COMMON)
    if found is None and BINARY.search(parts[0][0]):
        names = identity.names(but=identity.COMMON)
        found = next((what for what, name in names if _field(name) in parts[0][0]), None)
    return found


def _where(parts: Parts) -> str | None:
    for part, texts in parts:
        is_binary = BINARY.search(part) is not None
        for text in texts:
            found = location.first(text, is_binary=is_binary)
            if found:
                return f"the path {found}"
    return None


def _texts(content: bytes) -> Iterator[str]:
    """The content in each way in which it may be text; where it is binary, a character is a byte."""
    if BINARY.search(content):
        yield content.decode("latin-1")
        if b"\0" in content:  # it may have two bytes a character
            yield content.removeprefix(b"\xff\xfe").replace(b"\0", b"").decode("latin-1")
        return
    text = content.decode("utf-8", "replace")
    if JSON.match(content) is None:
        yield text
    if "\\" in text or "%2" in text or "\x1b" in text:
        yield _plain(text)
    elif JSON.match(content):
        yield text


def _plain(text: str) -> str:
    """The text as a reader of JSON, a terminal and a server see it."""
    for spelled, meant in SPELLED:
        text = text.replace(spelled, meant)
    text = CODED.sub(lambda match: chr(int(match[1], 16)), text)
    for spelled, meant in ENCODED:
        text = text.replace(spelled, meant)
    return COLOUR.sub(" ", text)


def _field(name: str) -> bytes:
    """The whole text of a field of a protocol buffer."""
    data = name.encode()
    return bytes([min(len(data), 255)]) + data
