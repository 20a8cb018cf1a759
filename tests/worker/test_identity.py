"""Identity: home, host and user are found wherever they stand, and words that look alike are not."""

import getpass
import platform

import pytest

from benchbook.worker import identity
from benchbook.worker.wire import Frame

HOME, HOST, USER = "/srv/people/ada", "engine-room.example.org", "ada"


@pytest.fixture(autouse=True)
def _somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with a name and a user with a home."""
    monkeypatch.setenv("HOME", HOME)
    monkeypatch.setattr(platform, "node", lambda: HOST)
    monkeypatch.setattr(getpass, "getuser", lambda: USER)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f"wrote {HOME}/notes.txt", "the home path"),
        (f'"{HOME}"', "the home path"),
        (f"PATH={HOME}:/bin", "the home path"),
        (f"on {HOST}.", "this host's name"),
        ("on engine-room: ready", "this host's name"),
        ("file:///engine-room/x", "this host's name"),
        ("/data/ada/x", "the user's name"),
        ("C:\\Users\\ada\\x", "the user's name"),
        ("ada@elsewhere", "the user's name"),
        ("mail: ada@example.org", "the user's name"),
        (f"{HOME}-old", None),
        (f"{HOME}2/x", None),
        ("/srv/people", None),
        ("engine-rooms", None),
        ("my-engine-room", None),
        ("ada", None),
        ("Canada", None),
        ("ada and grace", None),
        ("/data/adamant/x", None),
        ("jada@example.org", None),
        ("", None),
    ],
)
def test_identity_is_found_as_what_it_is(text: str, what: str | None):
    """A path, a whole word, a part of a path or before an at sign; not a part of a longer word."""
    assert identity.told(text) == what


@pytest.mark.parametrize(("host", "found"), [("gpu", False), ("tpu1", True), ("", False)])
def test_a_host_of_three_letters_is_a_word(monkeypatch: pytest.MonkeyPatch, host: str, found: bool):
    """Too short a name would refuse runs that say nothing."""
    monkeypatch.setattr(platform, "node", lambda: host)
    assert (identity.told("on gpu, on tpu1") is not None) is found


def test_a_name_with_signs_is_searched_as_it_is_spelled(monkeypatch: pytest.MonkeyPatch):
    """A name is no regular expression."""
    monkeypatch.setattr(platform, "node", lambda: "a.b+c(d")
    monkeypatch.setenv("HOME", "/h[1]")
    assert identity.told("on a.b+c(d now") == "this host's name"
    assert identity.told("on axb+c(d now") is None
    assert identity.told("/h[1]/x") == "the home path"


def test_a_user_without_a_name_or_home_is_no_traceback(monkeypatch: pytest.MonkeyPatch):
    """In a container a user may be a number."""

    def nobody() -> str:
        raise OSError("no username set in the environment")

    monkeypatch.setattr(getpass, "getuser", nobody)
    monkeypatch.delenv("USER", raising=False)
    monkeypatch.setenv("HOME", "")
    assert identity.told("anything / at all @") is None


FRAME = Frame(type="process", job=3, process=1, kind="completed", detail="", cells=[])


@pytest.mark.parametrize(
    "left",
    [
        {"cells": [{"name": "one", "stdout": f"{HOME}/x", "stderr": ""}]},
        {"left": {"results": {"where": [f"{HOME}/x"]}}},
        {"left": {"results": {f"{HOME}/x": 1}}},
        {"detail": f"FileNotFoundError: '{HOME}/x'"},
        {"flags": {"XLA_FLAGS": f"--dump={HOME}/x"}},
        {"detail": "C:\\Users\\ada\\x"},
    ],
)
def test_a_frame_that_tells_is_withheld_where_it_was_made(left: dict):
    """What leaves the machine says that something was held back, and not what."""
    withheld = identity.withhold(Frame(**{**FRAME, **left}))
    assert {key: withheld[key] for key in ("type", "job", "process", "kind")} == {
        "type": "process",
        "job": 3,
        "process": 1,
        "kind": "invalid",
    }
    assert identity.told(str(withheld)) is None
    assert "print less" in withheld["detail"]


def test_a_frame_that_tells_nothing_is_left_alone():
    """The same object goes on."""
    assert identity.withhold(FRAME) is FRAME
