"""The archive: run files on disk. They are added whole, and never changed or removed."""

from benchbook.archive.ranking import current, jax_version
from benchbook.archive.retraction import retracted
from benchbook.archive.stored import FILE_NAME, Stored, artefact_path, load_all, save
from benchbook.archive.whole import TEMPORARY, prove_room, sweep, write_whole

__all__ = [
    "FILE_NAME",
    "TEMPORARY",
    "Stored",
    "artefact_path",
    "current",
    "jax_version",
    "load_all",
    "prove_room",
    "retracted",
    "save",
    "sweep",
    "write_whole",
]
