"""A location: an absolute path of some machine, told from the paths and names that only look like one."""

import re

APART = re.compile(r"[\x00-\x20\"'<>]")  # what ends an address
ADDRESS = 200  # characters in which it begins

ROOTS = (
    r"home|Users|root|tmp|var|private|usr|opt|mnt|media|srv|etc|work|workspace|scratch|Volumes|nix|data|content"
    r"|kaggle|lustre|gpfs|afs|nfs|cygdrive|Library|Applications|dev/shm|proc/\d+|run/user"
)
CODE = r"\.(?:pyc?|pyx|ipynb|so|dylib|dll|cc|cpp|cu|[ch]|egg|whl)"
WORD = r"[\w.+@$~-]{1,80}"
# What stands before a slash in a relative path, an address, a name of JAX's, a link, and a first line.
BEGIN = r"(?<![%s\w.)}~+%%*\\/-]/)(?<!lambda>/)(?<!\]\(/)(?<!#!/)|(?<=-[BFIL]/)|(?<=-isystem/)"
FOLDERS = (
    rf"(?:(?:{ROOTS})/+|(?:{WORD}/+){{1,2}}(?:home|Users|scratch)/+){WORD}[\w.+@$~/-]{{0,80}}"
    rf"|(?P<code>{WORD}/[\w.+@$~/-]{{0,240}}?{CODE})(?!%s)"
)
PATH = re.compile(rf"/(?:{BEGIN})(?=(?P<path>{FOLDERS}))" % ("", r"\w"))
# In a protocol buffer a text follows a tag and its length, which may look like letters, and the next tag it.
TAGS = "".join(re.escape(chr(tag)) for tag in range(2, 127, 8))
COUNTED = rf"(?<=[{TAGS}\x01-\x07][!-~]/)|(?<=[\x80-\xff][!-~]/)"
TAG = re.compile(rf"[{TAGS}\x01-\x07]")
NO_TAG = rf"[^\W{TAGS}08@HPXhpx]"
BINARY_PATH = re.compile(
    f"/(?:{BEGIN}|(?P<counted>%s))(?=(?P<path>{FOLDERS}))" % ("\x80-\xff", COUNTED, NO_TAG)
)
BACK = r"(?:\\{1,2}|/)"
ELSEWHERE = (
    re.compile(rf":(?<=[A-Za-z]:)(?<![A-Za-z]{{2}}:){BACK}(?i:Users){BACK}{WORD}"),
    re.compile(r":(?<=[A-Za-z]:)(?<![A-Za-z]{2}:)\\{1,2}\w[\w.~ -]{1,80}\\{1,2}[\w.~-]{2,80}"),
    re.compile(r"\\\\(?<![\\\w]\\\\)[\w.$-]{2,80}\\[\w.$ -]{2,80}\\[\w.-]{2,80}"),
    re.compile(r"file://?/?[\w~.%-][\w.+@$~%/-]{0,80}"),
)


def first(text: str, *, is_binary: bool) -> str | None:
    """The first such path; where the text is of a binary file, each of its characters is a byte."""
    return _rooted(text, is_binary=is_binary) or _elsewhere(text)


def _rooted(text: str, *, is_binary: bool) -> str | None:
    for match in (BINARY_PATH if is_binary else PATH).finditer(text):
        at = match.start()
        if is_binary and match["counted"] is not None:
            begins = _is_counted(text, at)
        elif is_binary and match["code"] and _is_length(text, at):
            begins = False  # of a text such as external/xla/xla/x.cc
        else:
            begins = not _is_address(text[max(at - ADDRESS, 0) : at])
        if begins:
            return f"/{match['path']}"
    return None


def _elsewhere(text: str) -> str | None:
    """As Windows spells it, or an address of a file."""
    for pattern in ELSEWHERE:
        match = pattern.search(text)
        if match:
            return text[match.start() - match[0].startswith(":") : match.end()]
    return None


def _is_address(before: str) -> bool:
    """Whether a slash after it belongs to an address such as https://host?path=/usr/x."""
    at = before.rfind("://")
    return at >= 0 and APART.search(before, at) is None


def _is_counted(text: str, at: int) -> bool:
    """Whether what stands before a text is its length, as in a protocol buffer."""
    high, length = (ord(sign) for sign in text[at - 2 : at])
    if high & 0x80:
        length = length << 7 | high & 0x7F
    found = text[at : at + length].encode("latin-1")
    try:
        return len(found) == length and found.decode().translate({9: 32, 10: 32, 13: 32}).isprintable()
    except UnicodeDecodeError:
        return False


def _is_length(text: str, at: int) -> bool:
    """Whether a slash is itself a length: between a tag and a text of so many bytes."""
    return at > 0 and TAG.match(text, at - 1) is not None and _is_counted(text, at + 1)
