"""Artefacts: small files that came along with a run, proven before they are stored beside it."""

import base64
import contextlib
import gzip
import hashlib
import zlib
from typing import Any

from pydantic import ValidationError

from benchbook.errors import BenchbookError
from benchbook.run import Artefact, first_problem
from benchbook.worker.wire import Frame

DESCRIBED = ("path", "type", "sha256", "size")  # what the run holds; the bytes lie beside it

GZIP = b"\x1f\x8b"


def described(frame: Frame) -> dict[str, dict[str, Any]]:
    """What the run says of each artefact, by its name."""
    entries = frame["left"]["artefacts"]
    return {name: {key: entry[key] for key in DESCRIBED} for name, entry in entries.items()}


def contents(frame: Frame) -> dict[str, bytes]:
    """Contents by file name, proven against their digests.

    Raises:
        BenchbookError: A file cannot be stored under its name, another has the same, or it is not whole.
    """
    found: dict[str, bytes] = {}
    for name, entry in described(frame).items():
        _accept(name, entry)
        if entry["path"] in found:
            raise BenchbookError(f"two artefacts are files named {entry['path']}", mend="rename one")
        found[entry["path"]] = _bytes(name, frame["left"]["artefacts"][name]["data"], entry)
    return found


def _accept(name: str, entry: dict[str, Any]) -> None:
    try:
        Artefact.model_validate(entry, strict=True)
    except ValidationError as error:
        if any(problem["loc"] == ("path",) for problem in error.errors()):
            raise BenchbookError(
                f"artefacts.{name}.path: no artefact's file is named {entry['path']!r}",
                mend="use a-z, 0-9, '.', '_' and '-', and begin with a letter or a digit",
            ) from error
        raise BenchbookError(f"artefacts.{name}.{first_problem(error)}") from error


def _bytes(name: str, data: str, entry: dict[str, Any]) -> bytes:
    decoded = base64.b64decode(data, validate=True)
    if hashlib.sha256(decoded).hexdigest() != entry["sha256"] or len(decoded) != entry["size"]:
        raise BenchbookError(f"artefact {name!r} did not arrive whole")
    return decoded


def readable(data: bytes) -> str:
    """What a search for names can read of a file, unpacked where it is gzipped.

    Args:
        data: The file; what cannot be unpacked is read as it is.
    """
    if data.startswith(GZIP):
        with contextlib.suppress(OSError, EOFError, zlib.error):
            data = gzip.decompress(data)
    return data.decode("utf-8", "replace")
