"""Blocks over hostile runs: what a run says reaches a page as text, whatever it says."""

from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown

from benchbook.archive import Stored
from benchbook.blocks import assertion, datasheet, specimen, transcript
from benchbook.blocks.artefact import _draw as artefact
from benchbook.blocks.showing import Showing
from benchbook.building import exhibit
from benchbook.building.markup import block, code, element, image, pairs, python, text
from benchbook.pages.use import Use
from benchbook.run import Run
from tests.fuzzing import material, shown
from tests.fuzzing.edit import TEXTS
from tests.fuzzing.reader import Reader
from tests.rendering import EXTENSIONS

CLAIM = "eager > compiled"
SHORT = 40  # characters of Python: colours are slow
PLAIN = "words"
WORDS = "hostile"
ORDER = ("inline", "prettify", "attr_list", "unescape")  # what could make more of a text
DRAWN = (
    ("output", "", transcript.draw),
    ("output", "total", transcript.draw),
    ("measurements", "", datasheet.measurements),
    ("figure", "total", datasheet.figure),
    ("specimen", "eager", specimen._number),
    ("specimen", "eager", specimen._parts),
    ("artefact", "trace", artefact),
    ("claim", "", lambda showing, parent, _: assertion.claim(showing, parent)),
    ("value", "total", lambda showing, parent, _: _value(showing, parent)),
)


def blocks(data: bytes) -> None:
    """One block over a run whose every text was written by a stranger."""
    reader = Reader(data)
    number = reader.below(len(DRAWN))
    shown.check(_drawn(number, _text(reader)), known=_known_blocks())


def markup(data: bytes) -> None:
    """The markup of run pages around a stranger's text."""
    shown.check(_marked(_text(Reader(data))), known=_known_markup())


def _text(reader: Reader) -> str:
    """Some of the texts that others stumbled over, and any bytes."""
    parts = [reader.one((*TEXTS, "", "", "")) for _ in range(reader.below(3))]
    rest = reader.data[reader.at :].decode("utf-8", "replace")
    return "".join(parts).encode("utf-8", "replace").decode() + rest or " "


def _drawn(number: int, words: str) -> str:
    kind, name, draw = DRAWN[number]
    fragment = _fragment(words)
    (described,) = fragment["runs"].values()
    md = _markdown()
    md.reset()
    options = {"holds": CLAIM, "alt": words}
    showing = Showing(
        Use(kind, f"chapter/lesson {name}".strip(), options, "", 1), fragment, md, count(1).__next__
    )
    root = Element("div")
    draw(showing, root, described)
    if name:
        showing.provenance(root, described)
    for processor in (key for key in ORDER if key in md.treeprocessors):
        md.treeprocessors[processor].run(root)
    html = md.serializer(root)
    for after in md.postprocessors:
        html = after.run(html)
    return html


def _value(showing: Showing, parent: Element) -> None:
    from benchbook import reading
    from benchbook.blocks import catalogue
    from benchbook.blocks.elements import add

    link, title, _ = assertion.value(showing)
    found = catalogue.quantity(showing.use.name, catalogue.shown(showing.fragment, None)[0])
    add(parent, "a", "bb-value", reading.text(found.value, found.unit), href=link, title=title)


def _fragment(words: str) -> dict[str, Any]:
    """What a build derives for a lesson whose one run says these words everywhere."""
    described = _put(_described(), words)
    for cell in described["cells"]:
        cell |= {name: exhibit._listed(words, f"bb-{name}") for name in ("stdout", "stderr")}
    decided = {"verdict": "holds", "ratio": [1.0, None, None]}
    return {
        "slug": "chapter/lesson", "shown": ["cpu", "cuda"], "runs": {described["id"]: described},
        "current": {"cpu": described["id"]}, "selected": {}, "claims": {CLAIM: {described["id"]: decided}},
    }  # fmt: skip


@cache
def _described() -> dict[str, Any]:
    """The run as a build describes it, with `WORDS` in the places of all that a stranger may say."""
    return exhibit.describe(_run(), fresh=frozenset(), stale=True, accepted=True)


def _put(tree: Any, words: str) -> Any:
    if isinstance(tree, dict):
        return {name: _put(inner, words) for name, inner in tree.items()}
    if isinstance(tree, list | tuple):
        return [_put(inner, words) for inner in tree]
    return tree.replace(WORDS, words) if isinstance(tree, str) else tree


def _run() -> Stored:
    tree = material.run()
    measured = {"inputs": [WORDS], "wait": WORDS, "excludes": WORDS}
    hardware = tree["hardware"] | {"cpu": tree["hardware"]["cpu"] | {"model": WORDS}}
    panel = material.PANEL | {"ylabel": WORDS, "title": WORDS, "labels": [WORDS, "b"]}
    panel |= {"series": [{"label": WORDS, "y": [3.0, 3.0]}]}
    tree = tree | {
        "hardware": hardware,
        "results": {"total": WORDS, "traces": {WORDS: [WORDS]}},
        "figures": {"total": [panel]},
        "measurements": {
            "eager": material.MEASUREMENT | measured | {"unit": WORDS},
            "compiled": material.MEASUREMENT | measured,
        },
    }
    return Stored(Run.model_validate(tree, strict=True), "0" * 64, Path("cpu-jax-0.12.0-000000000000.json"))


def _marked(words: str) -> str:
    return "".join(
        (
            pairs(words, {words: words}),  # a table
            block(words, wraps=True) + code(words),
            python(words[:SHORT]),
            element("a", text(words), title=words, href=f"/runs/{words}".replace("x-planted", "")),
            image("/figures/x.svg", words),
        )
    )


@cache
def _markdown() -> Markdown:
    return Markdown(extensions=EXTENSIONS)


@cache
def _known_blocks() -> frozenset[tuple[str, tuple[str, ...], str]]:
    """The elements of the blocks over plain words, and with the holders that a brace asks for."""
    html = [_drawn(number, words) for number in range(len(DRAWN)) for words in (PLAIN, "a {", " ")]
    return frozenset().union(*(shown.Shape(page).elements for page in html))


@cache
def _known_markup() -> frozenset[tuple[str, tuple[str, ...], str]]:
    return frozenset().union(
        *(shown.Shape(_marked(words)).elements for words in (PLAIN, "def f(): # x", " "))
    )


def seeds() -> list[bytes]:
    """Every block over every text that others stumbled over."""
    return [bytes([number, 1, index]) for number in range(len(DRAWN)) for index in range(len(TEXTS))]


def words() -> list[bytes]:
    """Every text that others stumbled over, and a line of Python."""
    return [*(bytes([1, index]) for index in range(len(TEXTS))), b'\0def f(x): return f"{x}" # <b>\n']
