"""A packing: what a file is wrapped in, and what it holds. The engine unpacks with it too."""

import zlib

from benchbook.worker.plain import UnfitError

LARGEST = 8 * 1024 * 1024  # bytes once unpacked: more than a trace of 300 KiB has
GZIP = b"\x1f\x8b"
EXTRA, NAME, COMMENT = 4, 8, 16  # what the fourth byte of gzip says that its head holds
HEAD = 10  # bytes of a head that holds none of them
ENVELOPE = 31  # zlib's word for gzip with its head and its sum
TASTE = 4096  # bytes that tell whether something is packed
TAR = 257  # where it says so
PACKED = (
    ("zip", b"PK\x03\x04"),
    ("zip", b"PK\x05\x06"),
    ("zstd", b"\x28\xb5\x2f\xfd"),
    ("lz4", b"\x04\x22\x4d\x18"),
    ("xz", b"\xfd7zXZ\x00"),
    ("lzma", b"\x5d\x00\x00"),
    ("bzip2", b"BZh"),
    ("7z", b"7z\xbc\xaf\x27\x1c"),
    ("rar", b"Rar!\x1a\x07"),
    ("compress", b"\x1f\x9d"),
    ("gzip, twice", GZIP),
)


def unpacked(data: bytes) -> tuple[bytes, bytes]:
    """The content of a file, out of gzip where it is in it, and what the head of gzip says of it.

    Raises:
        UnfitError: It cannot be searched: packed in another way or twice, cut, or too large.
    """
    content, label = (_gunzip(data), _label(data)) if data.startswith(GZIP) else (data, b"")
    if len(content) > LARGEST:
        raise UnfitError(f"has more than {LARGEST} bytes once unpacked", "keep less")
    name = _packed(content)
    if name:
        raise UnfitError(f"is packed with {name}, and cannot be searched", "pack it with gzip, once")
    return content, label


def _gunzip(data: bytes) -> bytes:
    """No further than the limit, and a byte."""
    packed = zlib.decompressobj(ENVELOPE)
    try:
        content = packed.decompress(data, LARGEST + 1)
    except zlib.error as error:
        raise _broken(str(error)) from None
    if len(content) <= LARGEST and not packed.eof:
        raise _broken("it is cut")
    if packed.unused_data:
        raise _broken("something follows its end")
    return content


def _label(data: bytes) -> bytes:
    """The file's name and a comment, which gzip may keep."""
    if data[3] & EXTRA:
        raise UnfitError("has extra fields in the head of gzip", "pack it with the module gzip")
    texts = bool(data[3] & NAME) + bool(data[3] & COMMENT)
    return b"\n".join(data[HEAD:].split(b"\0", texts)[:texts])


def _broken(why: str) -> UnfitError:
    return UnfitError(f"begins as gzip and cannot be unpacked: {why}", "close it before the cell ends")


def _packed(content: bytes) -> str | None:
    """What else it is packed with, by its first bytes."""
    if content[TAR:].startswith(b"ustar"):
        return "tar"
    if _is_zlib(content):
        return "zlib"
    return next((name for name, magic in PACKED if content.startswith(magic)), None)


def _is_zlib(content: bytes) -> bool:
    """It has no magic of its own: a text may begin with the same two letters."""
    packed = zlib.decompressobj()
    try:
        return len(packed.decompress(content[:TASTE])) > TASTE // 2 or packed.eof
    except zlib.error:
        return False
