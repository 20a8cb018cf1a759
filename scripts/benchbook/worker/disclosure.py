"""A disclosure: what an artefact tells of the machine that wrote it. The engine searches with it too."""

import gzip
import io
import re
import zlib

from benchbook.worker import identity
from benchbook.worker.plain import UnfitError

LARGEST = 32 * 1024 * 1024  # bytes once unpacked: a hundred times what an artefact may have
MEND = "keep only the fields that a reader needs, and name sources without their folders"
GZIP = b"\x1f\x8b"
HEAD = 512  # bytes in which gzip keeps the name of the file that it packed
PACKED = {"zip": b"PK\x03\x04", "zstd": b"\x28\xb5\x2f\xfd", "xz": b"\xfd7zXZ\x00", "bzip2": b"BZh91AY&SY"}
ROOTS = rb"home|Users|root|tmp|var|private|usr|opt|mnt|media|srv|etc|work|workspace|scratch|Volumes|nix"
SLASH, BACKSLASH = rb"\\?/", rb"(?:\\{1,2}|/)"  # JSON may escape either
WORD = rb"[\w.+-]{1,80}"
PATH = re.compile(
    rb"(?:%(slash)s(?:%(roots)s)(?:%(slash)s%(word)s){1,40}"
    rb"|(?:%(slash)s%(word)s){2,40}\.(?:pyc?|so|dylib|dll)(?!\w)"  # any folder that code lies in
    rb"|(?<![A-Za-z])[A-Za-z]:%(back)sUsers%(back)s%(word)s)"
    % {b"slash": SLASH, b"roots": ROOTS, b"word": WORD, b"back": BACKSLASH}
)
NAME = re.compile(rb"[\w.)\]}>~+%-]")  # what stands before the slash in a path that begins elsewhere
BINARY = re.compile(rb"[\x00-\x08]")
FLAGS = (b"-I", b"-L", b"-F")


def unpacked(data: bytes) -> bytes:
    """The content of a file, out of gzip where it is in it.

    Raises:
        UnfitError: It cannot be searched: packed in another way or twice, cut, or too large.
    """
    content = _gunzip(data) if data.startswith(GZIP) else data
    for name, magic in (*PACKED.items(), ("gzip, twice", GZIP)):
        if content.startswith(magic):
            raise UnfitError(f"is packed with {name}, and cannot be searched", "pack it with gzip, once")
    return content


def _gunzip(data: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            content = file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UnfitError(
            f"begins as gzip and cannot be unpacked: {error}", "close it before the cell ends"
        ) from None
    if len(content) > LARGEST:
        raise UnfitError(f"has more than {LARGEST} bytes once unpacked", "keep less")
    return content


def who(data: bytes) -> str | None:
    """What of this machine's identity stands in a file, or in the name that gzip keeps; or ``None``.

    Raises:
        UnfitError: As `unpacked`.
    """
    return identity.told([part.decode("utf-8", "replace") for part in (unpacked(data), data[:HEAD])])


def where(data: bytes) -> str | None:
    """The first thing in a file that looks like an absolute path of some machine; or ``None``.

    Raises:
        UnfitError: As `unpacked`.
    """
    content = unpacked(data)
    is_binary = BINARY.search(content) is not None
    for match in PATH.finditer(content):
        if _begins(content, match.start(), is_binary=is_binary):
            return f"the path {match[0].decode('ascii')}"
    return None


def _begins(content: bytes, at: int, *, is_binary: bool) -> bool:
    """Whether a path begins at a slash, and not before it, as ``external/xla/tmp/x`` and an address do."""
    before = content[max(at - 3, 0) : at]
    if before.endswith(b"/"):
        return not before.endswith(b":/") or before == b"://"  # file:///usr begins one, https://usr does not
    return not NAME.match(before[-1:]) or before.endswith(FLAGS) or (is_binary and _is_counted(content, at))


def _is_counted(content: bytes, at: int) -> bool:
    """Whether the byte before a text is its length, as in a protocol buffer, and only looks like a letter."""
    text = content[at : at + content[at - 1]]
    return len(text) == content[at - 1] and text.isascii() and text.decode("ascii").isprintable()
