"""Disclosure: paths of a machine are found in text and in binary files; what only looks alike is not."""

import getpass
import gzip
import platform
import random
import time

import pytest

from benchbook.worker import disclosure

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
        ("file:///mnt/disk", "file:///mnt/disk"),
        ("file://localhost/srv", "file://localhost/srv"),
        (f"PATH=/bin:{WORK}/tools", f"{WORK}/tools"),
        (r'{"file": "\/home\/ada"}', f"{HOME}/ada"),
        (r'{"file": "C:\\Users\\Ada"}', r"C:\Users\Ada"),
        (r"C:\Users\Ada", r"C:\Users\Ada"),
        ("/content/lesson/x.py:3", "/content/lesson/x.py"),
        ("/lib/x86_64/libc.so.6", "/lib/x86_64/libc.so"),
        (r'{"stack": "x\n' + HOME + '/ada/x.py:3"}', f"{HOME}/ada/x.py"),
        (r'{"stack": "\t\u002fsrv\u002fx"}', "/srv/x"),
        (r'{"file": "D:\\new\\table"}', r"D:\new\table"),
        (f"<file>{HOME}/ada</file>", f"{HOME}/ada"),
        ("[INFO]/opt/x", "/opt/x"),
        (f"\x1b[31m{HOME}/ada\x1b[0m", f"{HOME}/ada"),
        (r'{"line": "\u001b[31m/opt/x"}', "/opt/x"),
        ("-isystem/usr/include", "/usr/include"),
        ("path=%2FUsers%2Fada", "/Users/ada"),
        (f"/nfs{HOME}/ada/x.txt", f"/nfs{HOME}/ada/x.txt"),
        (f"/export/more{HOME}/ada", f"/export/more{HOME}/ada"),
        ("/c/Users/ada", "/c/Users/ada"),
        ("/dev/shm/x and /proc/12/maps", "/dev/shm/x"),  # noqa: S108 - nothing is written there
        ("/lustre/ada", "/lustre/ada"),
        ("/build/src/x.cc:12", "/build/src/x.cc"),
        ("/Users/\u5c71\u7530", "/Users/\u5c71\u7530"),
        (r"c:\users\ada", r"c:\users\ada"),
        (r"\\server\share\ada", r"\\server\share\ada"),
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
        "external/xla+/xla/backends/cpu/runtime/thunk.cc",  # whose length is a slash
        "external/xla/xla/pjrt/cpu/cpu_client.cc",
        "https://example.org/?next=/usr/x",
        "[a page](/tmp/x)",
        "//third_party/py/x.py",
        "*/tmp/x",
        "\u03bb/tmp/x",
        "#!/usr/bin/env python",
        "jit(<lambda>)/tmp/x and <lambda>/tmp/x",
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


@pytest.mark.parametrize("folder", ["/content/x", "/pro/ada", f"/nfs{HOME}/ada", "/lustre/ada", "/any"])
@pytest.mark.parametrize("end", [".py", ".so"])
def test_code_of_any_folder_is_found_before_a_field(folder: str, end: str):
    """What begins the next text of a table may be a digit, and is no part of the ending."""
    found = disclosure.where(counted(f"{folder}/lesson{end}", b"2") + b"2\x01f")
    assert found is not None
    assert found.startswith(f"the path {folder}/lesson{end}")


@pytest.mark.parametrize(
    "before", ["external/sysroot/usr/include/c++/vector", "jit(f)/tmp/add", "jit(f)/add"]
)
def test_no_path_hides_behind_what_only_looks_alike(before: str):
    """A text that follows another without a gap is a text of its own."""
    path = f"{HOME}/ada/thesis/".ljust(48, "s")
    assert disclosure.where(
        b"\x00" + b"".join(b"2" + bytes([len(t)]) + t.encode() for t in (before, path, "g"))
    )


def test_json_is_read_as_its_reader_does():
    """The end of a line, as it is escaped, is no folder of Windows."""
    assert disclosure.where(rb'{"text": "a:\n1\n22"}') is None


def test_a_path_of_two_bytes_a_character_is_found():
    """As Windows writes texts, with its mark or without."""
    for text in ("/Users/ada".encode("utf-16"), "in /Users/ada".encode("utf-16-le")):
        assert disclosure.where(text) == "the path /Users/ada"


@pytest.mark.parametrize(
    "part", [b"/a", b" /a.py_", b"x/a/b.py", rb"\/a", b"\x01z/Users/a", b"2z/Users/", b"a:\\b"]
)
def test_the_search_takes_as_long_as_the_file_is(part: bytes):
    """Four times as much takes no more than some times as long, whatever is repeated in it."""

    def taken(size: int) -> float:
        data = (part * size)[:size]
        times = list[float]()
        for _ in range(3):
            start = time.process_time()
            disclosure.told(data)
            times.append(time.process_time() - start)
        return min(times)

    assert taken(400_000) < 12 * taken(100_000) + 0.05


def test_noise_is_no_path():
    """A file of random bytes as large as one may be says nothing."""
    noise = random.Random(0)  # noqa: S311 - noise, and no secret
    for _ in range(20):
        assert disclosure.where(b"\x00" + noise.randbytes(300 * 1024)) is None


def _labelled(**head: str) -> bytes:
    """An empty file, packed with a name or a comment."""
    flags = 8 * ("name" in head) + 16 * ("comment" in head)
    texts = b"".join(text.encode() + b"\0" for text in head.values())
    packed = gzip.compress(b"", mtime=0)
    return packed[:3] + bytes([flags]) + packed[4:10] + texts + packed[10:]


def test_who_this_is_stands_nowhere(monkeypatch: pytest.MonkeyPatch):
    """It is found packed or not, and in what the head of gzip says, however long that is."""
    monkeypatch.setattr(getpass, "getuser", lambda: "somebody")
    text = b"mail somebody@example"
    told = "somebody@example".rjust(600)
    for data in (text, gzip.compress(text, mtime=0), _labelled(name=told), _labelled(name="a", comment=told)):
        assert disclosure.told(data, paths=False) == "the user's name"
    assert disclosure.where(_labelled(name="/Users/ada/x.json")) == "the path /Users/ada/x.json"
    assert disclosure.told(gzip.compress(b"mail nobody@example", mtime=0), paths=False) is None
    assert disclosure.told(_labelled(name="trace.json", comment="a trace")) is None


@pytest.mark.parametrize(
    "data", [b"\x08\x012\x0esome-host-of-u2\x01a", b'{"a": "x\\nsome-host-of-u"}', b"\x1b[1msome-host-of-u"]
)
def test_a_host_is_a_word_where_it_is_read_as_one(data: bytes, monkeypatch: pytest.MonkeyPatch):
    """Before a tag of a protocol buffer, after an escape of JSON, and in colour."""
    monkeypatch.setattr(platform, "node", lambda: "some-host-of-u")
    assert disclosure.told(data, paths=False) == "this host's name"


@pytest.mark.parametrize("name", ["host", "main", "python", "xplane", "XLA"])
def test_a_word_of_jax_names_nobody(name: str, monkeypatch: pytest.MonkeyPatch):
    """Every profile holds it, wherever it was written."""
    monkeypatch.setattr(platform, "node", lambda: name)
    monkeypatch.setattr(getpass, "getuser", lambda: name)
    assert disclosure.told(f"a {name} of jax/{name}/x".encode(), paths=False) is None
