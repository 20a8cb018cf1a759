"""Hostile input: whatever a stranger writes is refused in one line, or it is data and stays data.

The targets are those of `make fuzz`, here under Hypothesis; below them stands every fault that either found.
"""

import contextlib
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown

from benchbook import reading
from benchbook.errors import BenchbookError, PageError, SnippetError
from benchbook.language.expression import ExpressionError, evaluate
from benchbook.lesson import nav, snippet
from benchbook.pages import glossary, mapping, page
from benchbook.project import Project
from benchbook.recording import parcel
from benchbook.recording.plan import Options
from benchbook.rules import typed
from benchbook.run import spell
from benchbook.worker.wire import DEEPEST, decode
from tests.conftest import SOAK
from tests.factory import SNIPPET
from tests.fuzzing import drawing, language, material, shown, wire
from tests.fuzzing.edit import PLANTED, TEXTS
from tests.fuzzing.target import refusing
from tests.fuzzing.targets import TARGETS
from tests.recording import Noting
from tests.rendering import EXTENSIONS

SOON = 10  # seconds: a hang fails, a busy machine does not
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
BLOCKS = """\
/// output | chapter/lesson
///

/// output | chapter/lesson total
///

/// measurements | chapter/lesson
///

/// figure | chapter/lesson total
    alt: Two bars
A caption.
///

/// specimen | chapter/lesson eager
What was called.
///

/// artefact | chapter/lesson trace
///

/// claim | chapter/lesson
    holds: eager > compiled
A sentence.
///

A value :value[chapter/lesson total] in a sentence.
"""


def spoiled(seeds: list[bytes]) -> st.SearchStrategy[bytes]:
    """What the repository holds, with a piece of it replaced by what others stumbled over; and any bytes."""
    pieces = st.sampled_from([text.encode("utf-8", "surrogatepass") for text in TEXTS]) | st.binary(
        max_size=8
    )

    def splice(seed: bytes, start: int, length: int, piece: bytes) -> bytes:
        start %= len(seed) + 1
        return seed[:start] + piece + seed[start + length :]

    places = st.integers(0, 4095), st.integers(0, 40)
    return st.builds(splice, st.sampled_from(seeds), *places, pieces) | st.binary(max_size=64)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_whatever_it_is_given(name: str) -> None:
    """No crash, no hang, one line for what is refused, and no file, element or attribute of a stranger's."""
    target = TARGETS[name]

    @settings(max_examples=2_000 if SOAK else 50, derandomize=not SOAK, deadline=None, database=None)
    @given(spoiled(target.seeds()))
    def run(data: bytes) -> None:
        target.take(data[: target.longest])

    run()


def test_what_the_targets_spoil_is_whole_before(project: Project, tmp_path: Any) -> None:
    """The frames that edits start from become a run: so a refusal of theirs is a refusal of the edit."""
    file = tmp_path / "results.jsonl"
    file.write_bytes(b"".join(json.dumps(frame).encode() + b"\n" for frame in material.frames()))
    (outcome,) = parcel.ingest(project, file, Options(), Noting())
    assert (outcome.kind, outcome.detail) == ("new", ())
    wire.control(wire.told()[0])


@pytest.mark.parametrize("words", TEXTS, ids=repr)
def test_a_page_shows_a_strangers_run_as_text(
    project: Project, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the whole of Markdown, no block makes an element or an attribute of what a run says."""
    words = words.encode("utf-8", "replace").decode()
    monkeypatch.chdir(project.root)
    known = (
        shown.Shape(_rendered(project, "plain {")).elements
        | shown.Shape(_rendered(project, "plain")).elements
    )
    html = _rendered(project, words)
    shown.check(html, known=frozenset(known | shown.Shape(_rendered(project, " ")).elements))
    assert PLANTED not in html


def test_a_strangers_page_is_made_or_refused(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the whole of Markdown too, a page ends in HTML or in one error of ours."""
    monkeypatch.chdir(project.root)
    _rendered(project, "plain")
    md = Markdown(extensions=[*EXTENSIONS, "footnotes", "pymdownx.blocks.html", "pymdownx.blocks.tab"])

    @settings(max_examples=2_000 if SOAK else 100, derandomize=not SOAK, deadline=None, database=None)
    @given(spoiled(TARGETS["page"].seeds()))
    def run(data: bytes) -> None:
        md.reset()
        with refusing():
            md.convert(data.decode("utf-8", "replace"))

    run()


def _rendered(project: Project, words: str) -> str:
    names = dict.fromkeys(("inputs", "total", "exercise"), "")
    tree = drawing._fragment(words) | {"cells": names, "starters": {}, "backends": ["cpu", "cuda"]}
    file = project.fragments / "chapter/lesson.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(tree))
    return Markdown(extensions=EXTENSIONS).convert(BLOCKS)


@pytest.mark.parametrize(
    "text",
    [
        "1 == 2 and [x for x in xs]",
        "1 == 1 or (lambda: 1)",
        "1 == 2 and __import__('os').system('x')",
        "1 == 2 and n.__class__",
        "1 == 2 and (n := 1)",
        "1 == 2 and f'{n}'",
        "1 == 2 and n % 2 == 0",
        "1 == 1 or n is 1",
        "1 == 1 or max(*xs)",
    ],
)
def test_what_is_not_evaluated_is_of_the_language_too(text: str) -> None:
    """A part that and/or passes over is no place for Python."""
    with pytest.raises(ExpressionError):
        evaluate(text, language.NAMES)


def test_the_largest_number_of_the_language_can_be_shown() -> None:
    """A whole number beyond what a float can hold is spelled out."""
    found = evaluate("((2**64)**8 - 1) * ((2**64)**8 + 1)", language.NAMES)
    assert reading.text(found.value, "ns") == f"{2**1024 - 1} ns"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_frame_holds_finite_numbers(number: str) -> None:
    """What no worker can write is no frame, and what a child cannot have sent ends no worker."""
    assert decode(b'{"benchbook": 1, "wall_ns": %s}' % number.encode()) is None
    sent = b'{"kind": "begin", "cell": "total", "x": %s}\n' % number.encode()
    wire.control(b"\0\1" + sent)


def test_a_frame_is_not_nested_as_no_worker_nests() -> None:
    """So nothing that walks through it comes to the end of its stack."""
    for depth in (DEEPEST, 1000, 90_000):
        assert decode(b'{"benchbook": 1, "x": %s%s}' % (b"[" * depth, b"]" * depth)) is None
        wire.control(b"\0\1" + b'{"kind": "begin", "x": %s%s}\n' % (b"[" * depth, b"]" * depth))


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &a [*a]",
        "d: 2024-99-99",
        "a: !!bool x",
        "a: !!timestamp x",
        "a: !!int x",
        f"a: {'9' * 5000}",
        "[" * 1000,
        "x: !!python/object/apply:os.system [id]",
        "? [a]\n: b",
    ],
    ids=lambda text: text[:16],
)
def test_front_matter_and_options_are_plain_yaml(text: str) -> None:
    """An alias, a tag, a date that is none and a number too long are one error with its line."""
    with pytest.raises(mapping.MappingError):
        mapping.read(text)
    with pytest.raises(PageError, match=r"^p:\d+: its front matter is not YAML"):
        page.scan(f"---\n{text}\n---\n", path="p")
    indented = "".join(f"    {line}\n" for line in text.splitlines())
    with pytest.raises(PageError, match=r"^p:2: its options are not YAML"):
        page.scan(f"/// output | a/b\n{indented}///\n", path="p")


def test_a_navigation_that_holds_itself_is_read_once() -> None:
    """By aliases YAML can make a tree without an end, or one that is larger than any memory."""
    cyclic = "nav: &a\n  - x.md\n  - *a\n"
    assert [entry.path for entry in nav.entries(cyclic)] == ["x.md"]
    assert (
        nav.add("nav:\n  - chapter: &a\n      - chapter/a.md\n      - *a\n", "chapter/b").count("chapter/b")
        == 1
    )
    assert [entry.path for entry in nav.entries(f"{BOMB}nav: *i\n")] == ["x"] * 9


def test_a_navigation_whose_last_entry_has_several_lines_takes_another() -> None:
    """Nothing is read past the end of the file, and the new line stands below the whole entry."""
    text = "nav:\n  - chapter:\n      - chapter/a.md\n      - |\n        chapter/b\n"
    assert nav.add(text, "chapter/c") == f"{text}      - chapter/c.md\n"


SLOW: dict[str, Callable[[], object]] = {
    "spaces in a page": lambda: page.scan(" " * 40_000, path="p"),
    "spaces in a head": lambda: page.scan(f"/// cell | a{' ' * 40_000}b\n///", path="p"),
    "spaces in a term": lambda: glossary.parse(f"### a{' ' * 40_000}{{x"),
    "spaces in a mark": lambda: snippet.parse(f"# %% a{' ' * 40_000}b\n", slug="a/b", path="p"),
    "headers that do not end": lambda: snippet.parse(
        f"{'# /// script\n' * 9_000}# %% a\n", slug="a/b", path="p"
    ),
    "commas and digits": lambda: typed.find("1,1" * 8_000),
    "digits": lambda: typed.find("1" * 40_000),
    "a word after a digit": lambda: typed.find("1" + "a" * 40_000),
    "a page of a megabyte": lambda: page.scan("<!--" * 250_000, path="p"),
    "a snippet of a megabyte": lambda: snippet.parse("# /// script\n" * 80_000, slug="a/b", path="p"),
}


@pytest.mark.parametrize("name", SLOW)
def test_no_text_is_read_for_ever(name: str) -> None:
    """Patterns go through a text about once: a pull request cannot keep a build or a check busy."""
    began = time.process_time()
    with contextlib.suppress(BenchbookError):
        SLOW[name]()
    assert time.process_time() - began < SOON


@pytest.mark.parametrize("setting", [f"timeout = {10**400}", f"tolerance = {10**400}", "timeout = 1e300"])
def test_a_setting_is_a_number_that_can_be_calculated_with(setting: str) -> None:
    """More than any clock can wait is refused where it is written."""
    with pytest.raises(SnippetError, match="less than 1e"):
        snippet.parse(SNIPPET.replace("tolerance = 1e-5", setting), slug="a/b", path="p")


def test_an_error_is_a_line_that_no_terminal_obeys() -> None:
    """What it quotes may come from anybody: control characters and lone surrogates are pictures."""
    line = str(BenchbookError("a \x1b[2J \ud800 \u202e", path="p\x07", mend="\x9b1m"))
    assert line == "p\u2407: a \u241b[2J \ufffd \ufffd (\ufffd1m)"


def test_a_file_that_no_run_fits_in_is_not_read() -> None:
    """A run file has at most 128 KiB, so what is larger is refused before it is parsed."""
    from benchbook.run import LARGEST, parse

    with pytest.raises(BenchbookError, match="more than a run takes"):
        parse(spell({"a": "x" * LARGEST}), path="p")


def test_an_empty_link_over_two_lines_is_told_in_one() -> None:
    """Its target may hold anything up to the next bracket."""
    with pytest.raises(PageError) as caught:
        page.scan("[](#figure-a\nb)\n", path="p")
    assert str(caught.value).startswith("p:1: the empty link [](#figure-a b) leads")


@pytest.mark.parametrize("first", ["``", "**", "[^1]"])
def test_a_definition_says_something(first: str) -> None:
    """A first line of which nothing is left as text is none."""
    with pytest.raises(PageError, match="has no definition"):
        glossary.parse(f"### a {{: #a }}\n\n{first}\n")
