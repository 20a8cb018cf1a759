"""Artefacts: small files that came along with a run, proven before they are stored beside it."""

import base64
import hashlib
from typing import Any

from pydantic import ValidationError

from benchbook.errors import BenchbookError
from benchbook.run import Artefact, first_problem
from benchbook.worker import disclosure
from benchbook.worker.plain import UnfitError
from benchbook.worker.wire import Frame

DESCRIBED = ("path", "type", "sha256", "size")  # what the run holds; the bytes lie beside it


def described(frame: Frame) -> dict[str, dict[str, Any]]:
    """What the run says of each artefact, by its name."""
    entries = frame["left"]["artefacts"]
    return {name: {key: entry[key] for key in DESCRIBED} for name, entry in entries.items()}


def contents(frame: Frame) -> dict[str, bytes]:
    """Contents by file name, proven against their digests.

    Raises:
        BenchbookError: A file cannot be stored under its name, another has the same, it is not whole, or it
            tells of a machine.
    """
    found: dict[str, bytes] = {}
    for name, entry in described(frame).items():
        _accept(name, entry)
        if entry["path"] in found:
            raise BenchbookError(f"two artefacts are files named {entry['path']}", mend="rename one")
        data = _bytes(name, frame["left"]["artefacts"][name]["data"], entry)
        _search(name, entry["path"], data)
        found[entry["path"]] = data
    return found


def _accept(name: str, entry: dict[str, Any]) -> None:
    try:
        Artefact.model_validate(entry, strict=True)
    except ValidationError as error:
        found = next((problem for problem in error.errors() if problem["loc"] == ("path",)), None)
        if found is not None:
            message = f"artefacts.{_shown(name)}.path: no artefact's file is named {entry['path']!r}"
            mend = "use a-z, 0-9, '.', '_' and '-', and begin with a letter or a digit"
            if found["type"] == "value_error":
                message, mend = (
                    f"{message}: {found['ctx']['error']}",
                    "name it otherwise, as in trace.json.gz",
                )
            raise BenchbookError(message, mend=mend) from error
        raise BenchbookError(f"artefacts.{_shown(name)}.{first_problem(error)}") from error


def _shown(name: str) -> str:
    """A name that came from elsewhere, as a terminal can take it."""
    return name if name.isidentifier() else repr(name)


def _bytes(name: str, data: str, entry: dict[str, Any]) -> bytes:
    decoded = base64.b64decode(data, validate=True)
    if hashlib.sha256(decoded).hexdigest() != entry["sha256"] or len(decoded) != entry["size"]:
        raise BenchbookError(f"artefact {name!r} did not arrive whole")
    return decoded


def _search(name: str, path: str, data: bytes) -> None:
    """Refuses a file that tells of a machine: a worker does, and this one may have come another way."""
    try:
        disclosure.prove(data)
    except UnfitError as error:
        raise BenchbookError(f"artefact {name!r}, {path}, {error}", mend=error.mend) from error
