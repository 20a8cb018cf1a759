"""Artefacts: proven before they are stored, and refused with a clear line."""

import base64
import getpass
import gzip
from typing import Any

import pytest

from benchbook.recording.failure import Failure
from benchbook.run import dump
from benchbook.worker import filename
from tests.answers import artefact, failure, made, process

OTHER_ENDS = ("", ".", ".md", ".html", ".js", ".svg", ".svgz", ".xml", ".xht", ".shtml", ".zip", ".unknown")


def test_artefacts_are_proven_and_their_contents_kept_apart():
    """The run has digest and size, and the bytes lie beside it."""
    run, contents = made(process(artefacts={"note": artefact(b"bytes")}))
    assert contents == {"a.txt": b"bytes"}
    assert run.artefacts["note"].size == 5
    assert b"data" not in dump(run).partition(b'"artefacts"')[2]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"note": artefact(b"bytes", data=base64.b64encode(b"bytez").decode())}, "did not arrive whole"),
        ({"note": artefact(b"bytes", size=4)}, "did not arrive whole"),
        ({"note": artefact(b"bytes", data="%%%")}, "the worker's answer is not right"),
        ({"one": artefact(b"1"), "two": artefact(b"2")}, "two artefacts are files named a.txt"),
        ({"note": artefact(b"1", path="../a.txt")}, "artefacts.note.path"),
    ],
)
def test_an_artefact_that_is_not_what_it_says_fails(entries: dict[str, Any], said: str):
    """A file that was cut, that would overwrite another, or that would leave its folder is refused."""
    found = failure(process(artefacts=entries))
    assert found.kind == "invalid"
    assert said in found.message


@pytest.mark.parametrize("path", ["../a.txt", "sub/a.txt", "Trace.gz", ".hidden", "", "a b", "a\n", "é.txt"])
def test_a_file_name_that_does_not_fit_is_told_with_the_mend(path: str):
    """The line names the artefact and its file, and what names may hold; nothing of a pattern."""
    found = failure(process(artefacts={"note": artefact(b"1", path=path)}))
    assert found == Failure(
        "invalid",
        f"snippets/chapter/lesson.py: artefacts.note.path: no artefact's file is named {path!r} "
        "(use a-z, 0-9, '.', '_' and '-', and begin with a letter or a digit)",
    )


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("con", "Windows takes no such name"),
        ("com1.json.gz", "Windows takes no such name"),
        ("a" * 95 + ".bin.gz", "it is longer than 100 characters"),
        *((f"trace{end}", f"it ends with none of {', '.join(filename.ENDINGS)}") for end in OTHER_ENDS),
    ],
)
def test_a_file_name_that_means_something_elsewhere_is_told_with_the_mend(path: str, why: str):
    """To a system that a checkout may lie on, or to the site that serves it."""
    found = failure(process(artefacts={"note": artefact(b"1", path=path)}))
    assert found.message == (
        f"snippets/chapter/lesson.py: artefacts.note.path: no artefact's file is named {path!r}: {why} "
        "(name it otherwise, as in trace.json.gz)"
    )


@pytest.mark.parametrize(
    "path", ["a" * 96 + ".bin", "console.gz", "trace.json.gz", "vm.xplane.pb", "a.md.gz", "com10.txt"]
)
def test_a_file_name_that_only_looks_alike_is_kept(path: str):
    """What is reserved is the name before its first dot; what is allowed goes by the end."""
    run, _ = made(process(artefacts={"note": artefact(b"1", path=path)}))
    assert run.artefacts["note"].path == path


def test_two_artefacts_of_one_file_name_are_told_with_the_mend():
    """Neither overwrites the other, even where their bytes are the same."""
    found = failure(process(artefacts={"one": artefact(b"1"), "two": artefact(b"1")}))
    assert found == Failure(
        "invalid", "snippets/chapter/lesson.py: two artefacts are files named a.txt (rename one)"
    )


def test_what_else_does_not_fit_the_model_names_its_artefact():
    """A type that is none, or an answer that was edited."""
    found = failure(process(artefacts={"note": artefact(b"1", type="Text")}))
    assert found.message.startswith("snippets/chapter/lesson.py: artefacts.note.type: ")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            gzip.compress(b'{"file": "/Users/ada/x.py"}', mtime=0),
            "holds the path /Users/ada/x.py (keep only the fields",
        ),
        (b"mail somebody@example", "holds the user's name (keep only the fields"),
        (gzip.compress(b"cut", mtime=0)[:-3], "begins as gzip and cannot be unpacked"),
    ],
)
def test_an_artefact_that_tells_of_a_machine_fails(data: bytes, said: str, monkeypatch: pytest.MonkeyPatch):
    """Whatever the worker let through, or an answer from elsewhere holds: the line names the artefact."""
    monkeypatch.setattr(getpass, "getuser", lambda: "somebody")
    found = failure(process(artefacts={"note": artefact(data)}))
    assert found.kind == "invalid"
    assert found.message.startswith(f"snippets/chapter/lesson.py: artefact 'note', a.txt, {said}")


def test_a_name_from_elsewhere_is_told_as_a_terminal_can_take_it():
    """No colour and no other command of it comes through."""
    found = failure(process(artefacts={"\x1b[31mred": artefact(b"1", path="A")}))
    assert "artefacts.'\\x1b[31mred'.path" in found.message
