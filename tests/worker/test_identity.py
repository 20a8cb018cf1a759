"""Identity: home, host and user are found wherever they stand, and words that look alike are not."""

import base64
import getpass
import os
import platform
from pathlib import Path
from urllib.parse import quote

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
        (f"lies in {HOME}.", "the home path"),
        ("on ENGINE-Room", "this host's name"),
        ("/data/ada/x", "the user's name"),
        ("C:\\Users\\ada\\x", "the user's name"),
        ("ada@elsewhere", "the user's name"),
        ("mail: ada@example.org", "the user's name"),
        (f"{HOME}-old", None),
        (f"{HOME}2/x", None),
        (f"{HOME}.old/x", None),
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
        {"flags": {"JAX_X": f"on {HOST}"}},
        {"config": {"jax_x": HOST}},
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
    mends = "print less", "change env of the backend in pyproject.toml", "set no such value"
    assert withheld["detail"].endswith(mends)


def test_a_withheld_frame_says_where_it_told():
    """The cell that printed, the flags or the settings are named, each with its mend."""
    cells = [{"name": name, "stdout": text, "stderr": ""} for name, text in (("a", "fine"), ("b", HOME))]
    printed = identity.withhold(Frame(**{**FRAME, "cells": cells}))
    assert (printed["cell"], printed["detail"]) == ("b", "what it printed holds the home path: print less")
    flags = identity.withhold(Frame(**{**FRAME, "flags": {"XLA_FLAGS": HOST}}))
    mend = "change env of the backend in pyproject.toml"
    assert flags["detail"] == f"its flags hold this host's name: {mend}"
    config = identity.withhold(Frame(**{**FRAME, "config": {"jax_platform_name": HOST}}))
    assert config["detail"] == "jax.config holds this host's name: set no such value"


def test_what_a_failed_process_printed_goes_on_without_names():
    """The person finds the reason; who this machine is stands in no file that may be carried."""
    text = f"File {HOME}/x.py on {HOST} by ada@{HOST.upper()} in /data/ada/y and {HOME}-old"
    cells = [{"name": "one", "stdout": text, "stderr": base64.b64encode(HOME.encode()).decode()}]
    frame = Frame(**{**FRAME, "kind": "raised", "detail": f"OSError: {HOME}", "cells": cells, "wall_ns": 7})
    cut = identity.withhold(frame)
    assert cut["detail"] == "OSError: ~"
    assert cut["cells"][0]["stdout"] == (
        f"File ~/x.py on (this host) by (the user)@(this host) in /data/(the user)/y and {HOME}-old"
    )
    assert cut["cells"][0]["stderr"] == "(what stood here told who this machine is)"
    assert (cut["wall_ns"], cut["kind"], identity.told(cut)) == (7, "raised", None)


@pytest.mark.parametrize("name", [HOME, HOST])
@pytest.mark.parametrize("before", ["", "a", "ab"])
def test_an_encoded_name_is_found_wherever_it_begins(name: str, before: str):
    """In base64 of both alphabets, in hexadecimal, as an address, and with two bytes a letter."""
    data = f"{before} {name}, and more".encode()
    wide = f"{before} {name}, and more".encode("utf-16-le")
    for text in (
        base64.b64encode(data).decode(),
        base64.urlsafe_b64encode(data).decode(),
        base64.b64encode(wide).decode(),
        data.hex(),
        data.hex().upper(),
        wide.decode("latin-1"),
        quote(f"{before}={name}", safe="="),
    ):
        assert identity.told(f"x {text} y") is not None
        assert identity.told({"deep": [text]}) is not None


def test_the_home_that_a_link_leads_to_is_found_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A traceback names files where they really lie."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    assert identity.told(f"{tmp_path}/real/x.py") == "the home path"
    assert identity.cut(f"{tmp_path}/link/x {tmp_path}/real/y") == "~/x ~/y"


def test_a_frame_that_tells_nothing_is_left_alone():
    """The same object goes on."""
    assert identity.withhold(FRAME) is FRAME


def test_a_key_that_is_no_text_is_searched_and_cut_like_one():
    """What a snippet writes to a descriptor of ours need not be what JSON would keep."""
    assert identity.told({1: "fine"}) is None
    home = os.path.expanduser("~")  # noqa: PTH111  # as the search has it
    assert identity.cut({"figures": {1: f"{home}/x"}}) == {"figures": {"1": "~/x"}}
