"""An artefact: a small file that a snippet wrote, read at the end of its cell."""

import base64
import hashlib
import os
import stat
from pathlib import Path
from typing import Any

from benchbook.worker import disclosure, filename
from benchbook.worker.plain import UnfitError, table, text
from benchbook.worker.wire import ARTEFACT_LIMIT


def artefacts(value: object) -> dict[str, dict[str, Any]]:
    """Small files, read now and carried as base64.

    Raises:
        UnfitError: A file is missing or too large, tells of this machine, or its type or name is not right.
    """
    return {name: _artefact(name, item) for name, item in table(value, "artefacts").items()}


def _artefact(name: str, value: object) -> dict[str, Any]:
    where = f"artefacts[{name!r}]"
    if not isinstance(value, dict) or set(value) != {"path", "type"}:
        raise UnfitError(f"{where} is not right", 'assign {"path": ..., "type": "application/gzip"}')
    kind = text(value["type"], f"{where}['type']")
    try:
        path = Path(os.fsdecode(value["path"]))  # which refuses a descriptor
        data = _read(path)
    except Exception as error:  # a path may be an object of the snippet's
        raise UnfitError(
            f"{where}['path'] cannot be read: {error}", "write the file before the cell ends"
        ) from None
    fault = filename.fault(path.name) if filename.FORM.fullmatch(path.name) else "it has other characters"
    if fault:
        mend = "use a-z, 0-9, '.', '_' and '-', as in trace.json.gz"
        raise UnfitError(f"{where} is a file named {path.name!r}: {fault}", mend)
    if len(data) > ARTEFACT_LIMIT:
        raise UnfitError(f"{where} is larger than {ARTEFACT_LIMIT} bytes", "keep less, or compress it")
    _prove(data, where)
    return {
        "path": path.name,
        "type": kind,
        "sha256": hashlib.sha256(data).hexdigest(),
        "size": len(data),
        "data": base64.b64encode(data).decode(),
    }


def _read(path: Path) -> bytes:
    """At most a byte more than the limit, of a regular file only: another may have no end, or never begin."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("it is no regular file")
        return file.read(ARTEFACT_LIMIT + 1)


def _prove(data: bytes, where: str) -> None:
    """Refuses a file that tells of the machine, or that cannot be searched for it."""
    try:
        disclosure.prove(data)
    except UnfitError as error:
        raise UnfitError(f"{where} {error}", error.mend) from None
