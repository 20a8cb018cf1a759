"""Packing: what a file holds is taken out of gzip, within a bound; what is packed otherwise is refused."""

import bz2
import gzip
import io
import lzma
import random
import tarfile
import zipfile
import zlib

import pytest

from benchbook.worker import packing
from benchbook.worker.plain import UnfitError

TEXT = b"a text that may be packed, " * 9


def _zip() -> bytes:
    """The same bytes at any time: each process that tests has to name its cases alike."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(zipfile.ZipInfo("a"), TEXT)
    return packed.getvalue()


def _tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as file:
        file.addfile(tarfile.TarInfo("a.gz"), io.BytesIO())
    return packed.getvalue()


def test_what_gzip_holds_is_taken_out():
    """A file that is not packed is as it is."""
    assert packing.unpacked(TEXT) == (TEXT, b"")
    assert packing.unpacked(gzip.compress(TEXT, mtime=0)) == (TEXT, b"")
    assert packing.unpacked(gzip.compress(b"", mtime=0)) == (b"", b"")
    largest = bytes(packing.LARGEST)
    assert packing.unpacked(gzip.compress(largest, mtime=0)) == (largest, b"")


def test_the_head_of_gzip_is_read():
    """It may hold the name of the file that was packed."""
    packed = io.BytesIO()
    with gzip.GzipFile("folder/x.json", "wb", fileobj=packed, mtime=0) as file:
        file.write(TEXT)
    assert packing.unpacked(packed.getvalue()) == (TEXT, b"x.json")


BROKEN = "begins as gzip and cannot be unpacked: "
CASES = {
    "bomb": (
        gzip.compress(bytes(packing.LARGEST + 1), mtime=0),
        f"has more than {packing.LARGEST} bytes once unpacked",
    ),
    "cut": (gzip.compress(TEXT, mtime=0)[:-9], BROKEN + "it is cut"),
    "two bytes": (b"\x1f\x8b", BROKEN + "it is cut"),
    "no method": (b"\x1f\x8b\x09" + bytes(20), BROKEN),
    "more": (gzip.compress(TEXT, mtime=0) + b"more", BROKEN + "something follows its end"),
    "two members": (gzip.compress(TEXT, mtime=0) * 2, BROKEN + "something follows its end"),
    "fields": (b"\x1f\x8b\x08\x04" + bytes(6) + b"\2\0ab\3\0" + bytes(8), "has extra fields"),
    "gzip": (gzip.compress(gzip.compress(TEXT, mtime=0), mtime=0), "is packed with gzip, twice"),
    "zip": (_zip(), "is packed with zip, and cannot be searched"),
    "zip in gzip": (gzip.compress(_zip(), mtime=0), "is packed with zip"),
    "zlib": (zlib.compress(TEXT), "is packed with zlib"),
    "zlib of noise": (zlib.compress(random.Random(0).randbytes(9999)), "is packed with zlib"),  # noqa: S311
    "xz": (lzma.compress(TEXT), "is packed with xz"),
    "lzma": (lzma.compress(TEXT, format=lzma.FORMAT_ALONE), "is packed with lzma"),
    "bzip2": (bz2.compress(TEXT), "is packed with bzip2"),
    "tar": (_tar(), "is packed with tar"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_be_searched_is_refused(case: str):
    """A bomb is unpacked no further than its limit; a file that is cut or packed otherwise hides nothing."""
    data, said = CASES[case]
    with pytest.raises(UnfitError, match=said):
        packing.unpacked(data)


@pytest.mark.parametrize("text", [b"x^2", b"x^2 + y^2 = z^2 and more " * 200, b"P", b"7z", b"]", b"\x78\x9c"])
def test_a_text_that_begins_alike_passes(text: bytes):
    """Two letters are no proof."""
    assert packing.unpacked(text) == (text, b"")
