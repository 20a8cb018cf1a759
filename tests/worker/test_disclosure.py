"""Disclosure: paths of a machine are found in text and in binary files; what only looks alike is not."""

import getpass
import gzip
import io
import random
import zipfile

import pytest

from benchbook.worker import disclosure
from benchbook.worker.plain import UnfitError

# No file of this project holds them whole.
HOME, ROOT, WORK = "/ho" + "me", "/ro" + "ot", "/wo" + "rk"


def counted(text: str, tag: bytes = b"\x12") -> bytes:
    """A text field of a protocol buffer, among others."""
    data = text.encode()
    assert len(data) < 128
    return b"\x08\x01" + tag + bytes([len(data)]) + data + b"\x18\x07"


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (f'{{"name": "{HOME}/ada/x.py:3"}}', f"{HOME}/ada/x.py"),
        ("at /Users/ada.l/lesson", "/Users/ada.l/lesson"),
        (f"{ROOT}/.cache", f"{ROOT}/.cache"),
        ("/tmp/tmp3x_/trace", "/tmp/tmp3x_/trace"),  # noqa: S108 - nothing is written there
        ("log=/var/log/x", "/var/log/x"),
        ("(/private/var/folders/q)", "/private/var/folders/q"),
        ("-I/usr/include", "/usr/include"),
        ("/opt/conda/lib", "/opt/conda/lib"),
        ("file:///mnt/disk", "/mnt/disk"),
        (f"PATH=/bin:{WORK}/tools", f"{WORK}/tools"),
        (r'{"file": "\/home\/ada"}', r"\/home\/ada"),
        (r'{"file": "C:\\Users\\Ada"}', r"C:\\Users\\Ada"),
        (r"C:\Users\Ada", r"C:\Users\Ada"),
        ("/content/lesson/x.py:3", "/content/lesson/x.py"),
        ("/lib/x86_64/libc.so.6", "/lib/x86_64/libc.so"),
    ],
)
def test_an_absolute_path_is_found(text: str, path: str):
    """However it is quoted or escaped, and the message shows it."""
    assert disclosure.where(text.encode()) == f"the path {path}"
    assert disclosure.where(gzip.compress(text.encode(), mtime=0)) == f"the path {path}"


@pytest.mark.parametrize(
    "text",
    [
        "external/xla/xla/tsl/profiler/lib/traceme.h:120",
        "external/sysroot/usr/include/c++/vector",
        f"jit(f)/jit(main){WORK}/dot_general",
        "jit(f)/tmp/add",
        "https://example.org/usr/x.py",
        "https://usr/share/x",
        "./tmp/x and ../usr/lib/y.so",
        "/host:CPU /device:TPU:0 /tmp /usr/ /opt",
        "threading.py:323 wait",
        "a ratio of 1/2/3 and/or/usr/less",
        "/jax/core/compile/backend_compile_duration",
    ],
)
def test_what_only_looks_alike_passes(text: str):
    """Relative sources of XLA, names of operations, addresses, planes of a profile, and events of JAX."""
    assert disclosure.where(text.encode()) is None
    assert disclosure.where(counted(text)) is None


@pytest.mark.parametrize("length", range(12, 128))
def test_a_path_is_found_whatever_byte_says_how_long_it_is(length: int):
    """In a protocol buffer the byte before it may be a letter or a digit, and is no part of it."""
    text = "/usr/lib/".ljust(length, "x")
    found = disclosure.where(counted("a word") + counted(text, b"2") + counted("more"))
    assert "/usr/lib/x" in (found or "")


def test_noise_is_no_path():
    """A file of random bytes as large as one may be says nothing."""
    noise = random.Random(0)  # noqa: S311 - noise, and no secret
    for _ in range(20):
        assert disclosure.where(b"\x00" + noise.randbytes(300 * 1024)) is None


def test_who_this_is_stands_nowhere(monkeypatch: pytest.MonkeyPatch):
    """It is found packed or not, and in the name that gzip keeps of what it packed."""
    monkeypatch.setattr(getpass, "getuser", lambda: "somebody")
    text = b"mail somebody@example"
    packed = io.BytesIO()
    with gzip.GzipFile("somebody@example.json", "wb", fileobj=packed) as file:
        file.write(b"{}")
    for data in (text, gzip.compress(text, mtime=0), packed.getvalue()):
        assert disclosure.who(data) == "the user's name"
    assert disclosure.who(gzip.compress(b"mail nobody@example", mtime=0)) is None


def _zip() -> bytes:
    """The same bytes at any time: each process that tests has to name its cases alike."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(zipfile.ZipInfo("a"), "/Users/ada")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            gzip.compress(bytes(disclosure.LARGEST + 1), mtime=0),
            f"has more than {disclosure.LARGEST} bytes once unpacked",
        ),
        (gzip.compress(b"whole" * 99, mtime=0)[:-9], "begins as gzip and cannot be unpacked"),
        (gzip.compress(b"whole", mtime=0) + b"more", "begins as gzip and cannot be unpacked"),
        (
            gzip.compress(gzip.compress(b"/Users/ada", mtime=0), mtime=0),
            "is packed with gzip, twice, and cannot be searched",
        ),
        (_zip(), "is packed with zip, and cannot be searched"),
        (gzip.compress(_zip(), mtime=0), "is packed with zip, and cannot be searched"),
    ],
)
def test_what_cannot_be_searched_is_refused(data: bytes, said: str):
    """A bomb is unpacked no further than its limit; a file that is cut or packed otherwise hides nothing."""
    for search in (disclosure.who, disclosure.where):
        with pytest.raises(UnfitError, match=said):
            search(data)


def test_every_member_of_a_file_is_searched():
    """Gzip takes files that follow each other for one."""
    assert (
        disclosure.where(gzip.compress(b"a", mtime=0) + gzip.compress(b" /Users/ada", mtime=0))
        == "the path /Users/ada"
    )
