"""Run pages: everything in a run is there, and nothing in it is taken for anything but text."""

import copy
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from benchbook import archive, cite, terminal
from benchbook.archive import Stored
from benchbook.building import runpage
from benchbook.drawing import figure
from benchbook.lesson.cell import split
from benchbook.project import Project
from benchbook.run import Run
from tests.browser import served
from tests.drawn import CALLS, GROWTH, RATIOS, ROOF
from tests.factory import SNIPPET, make_project, make_run, run_tree, store_run

URL = "https://example.org/"
ASSETS = Path(__file__).parents[1] / "docs" / "assets"
MKDOCS = """\
site_name: T
site_url: https://example.org/
theme:
  name: material
  font: false
  features: [content.code.copy]
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default}
    - {media: "(prefers-color-scheme: dark)", scheme: slate}
extra_css: [assets/palette.css, assets/type.css, assets/recorded.css, assets/exercise.css, assets/page.css]
plugins: [search]
markdown_extensions:
  - abbr
  - admonition
  - attr_list
  - def_list
  - footnotes
  - md_in_html
  - tables
  - toc: {permalink: true}
  - pymdownx.arithmatex
  - pymdownx.blocks.admonition: {types: []}
  - pymdownx.blocks.html
  - pymdownx.details
  - pymdownx.highlight
  - pymdownx.inlinehilite
  - pymdownx.magiclink
  - pymdownx.smartsymbols
  - pymdownx.snippets
  - pymdownx.superfences
  - pymdownx.tasklist
  - benchbook.blocks
not_in_nav: /runs/
validation:
  links: {not_found: warn, anchors: warn, absolute_links: relative_to_docs, unrecognized_links: warn}
"""
HOSTILE = """\
</code></pre></div></details><script>alert(1)</script><h1 id="evil">
```python
~~~
/// html | h1#evil
:value[chapter/lesson total]
--8<-- "pyproject.toml"
[TOC]

# heading { #evil }

*[total]: an abbreviation
![i](x.png) [l](missing.md) [^1] <a@b.example> https://example.org/x (c) --> :smile: $x$ `c`
&lt;b&gt; &amp; &#60; {{ 7*7 }} {% raw %}
\x00\x01\x02klzzwxh:0\x03 \x02wzxhzdk:0\x03 \x1b[31mred\x1b[0m \x7f \x85 \u202e 50%\r100%
    indented | a | b |
\ttab
"""
DOCSTRING = HOSTILE.translate({0: None, 13: None})  # Python refuses NUL, and a lone CR ends its line
SOURCE = SNIPPET.replace('"""A small lesson."""', f'r"""{DOCSTRING}"""')


def hostile_tree() -> dict:
    """A run in which every free text is hostile."""
    tree = copy.deepcopy(run_tree(source_text=SOURCE))
    tree["environment"] |= {"implementation": HOSTILE, "os": HOSTILE}
    for group in ("plugins", "distributions", "config", "flags"):
        tree["environment"][group] = {HOSTILE: HOSTILE}
    tree["hardware"]["cpu"] |= {"model": HOSTILE, "architecture": HOSTILE, "caches": {HOSTILE: HOSTILE}}
    tree["hardware"]["device"] |= {"kind": HOSTILE, "driver": HOSTILE, "memory_bytes": 8_000_000_000}
    tree["hardware"]["before"]["governor"] = HOSTILE
    tree["method"] |= {"engine": HOSTILE}
    tree["method"]["clock"]["implementation"] = HOSTILE
    for cell in tree["cells"]:
        cell.update(stdout=HOSTILE, stderr=HOSTILE, stdout_dropped=7)
    tree["results"] = {"total": {HOSTILE: [HOSTILE, "nan"]}}
    tree["cells"][-1]["results"] = ["total"]
    tree["measurements"]["eager"] |= {"inputs": [HOSTILE], "wait": HOSTILE, "excludes": HOSTILE}
    panel = tree["figures"]["total"][0]
    panel |= {"title": HOSTILE, "labels": [HOSTILE, "b"], "series": [{"label": HOSTILE, "y": [1, "nan"]}]}
    tree["programs"] = [{"name": HOSTILE, "stablehlo": "1" * 64, "hlo": None}]
    tree["artefacts"] = {"trace": {"path": "t.gz", "type": "application/gzip", "sha256": "2" * 64, "size": 3}}
    return tree


@dataclass
class Reader(HTMLParser):
    """What a reader, and a browser, would find in a page."""

    blocks: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    open: list[list[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Starts the parser, which keeps its own state."""
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes ids, links, and the start of a block or a table's cell."""
        if not (self.open and tag in ("b", "i")):  # in a block these are the colours of code
            self.tags.append(tag)
        given = dict(attrs)
        self.ids += [given["id"]] if given.get("id") else []
        self.links += [value for key in ("href", "src") if (value := given.get(key))]
        if tag in ("pre", "td", "th"):
            self.open.append([])

    def handle_endtag(self, tag: str) -> None:
        """Ends a block or a cell."""
        if tag in ("pre", "td", "th"):
            (self.blocks if tag == "pre" else self.cells).append("".join(self.open.pop()))

    def handle_data(self, data: str) -> None:
        """Adds text to the block or cell that is open."""
        if self.open:
            self.open[-1].append(data)


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """A project whose site has a lesson and no runs yet."""
    made = make_project(tmp_path_factory.mktemp("site"))
    (made.root / "mkdocs.yml").write_text(MKDOCS)
    (made.docs / "index.md").write_text("# Home\n")
    (made.docs / "chapter").mkdir()
    (made.docs / "chapter" / "lesson.md").write_text("# Lesson\n")
    shutil.copytree(ASSETS, made.docs / "assets")
    return made


@pytest.fixture(scope="module")
def runs(project) -> list[Stored]:
    """A hostile run, one that will be retracted, and the newest."""
    hostile = archive.save(Run.model_validate(hostile_tree()), project.runs, {"t.gz": b"abc"})
    return [hostile, *(store_run(project, started=f"{year}-01-01T00:00:00Z") for year in (2025, 2027))]


@pytest.fixture(scope="module")
def text(project, runs) -> str:
    """The page's Markdown."""
    return page(runs, retracted={runs[1].id: "it <b>waited</b> for *nothing* (2026-01-05)"}, lesson=True)


@pytest.fixture(scope="module")
def built(project, runs, text) -> Path:
    """The page as MkDocs builds it, with every extension that could mistake its text for something."""
    (project.docs / runpage.path("chapter/lesson")).write_text(text)
    for stored in runs:
        for dark in (False, True):
            name = figure.path("chapter/lesson", stored.id, "cpu", "total", dark=dark)
            drawn = figure.draw(make_run().figures["total"], {}, dark=dark, seed=stored.digest)
            archive.write_whole(project.docs / name, drawn)
    words = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    done = subprocess.run(words, cwd=project.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return project.root / "site" / "runs" / "chapter" / "lesson" / "index.html"


@pytest.fixture(scope="module")
def reader(built) -> Reader:
    """The built page, read."""
    html = built.read_text()
    found = Reader()
    found.feed(html[html.index("<article") : html.index("</article>")])
    return found


def page(runs: list[Stored], **changes: Any) -> str:
    """The Markdown of a page, with the factory's snippet and an address by default."""
    options = {"cells": split(SNIPPET, path="x"), "retracted": {}, "url": URL}
    return runpage.markdown("chapter/lesson", runs, **(options | changes))


def test_hostile_text_is_shown_as_it_stands(reader):
    """Output and source come out letter for letter, control characters as pictures."""
    shown = [block.removesuffix("\n") for block in reader.blocks]
    assert shown.count(terminal.pictured(HOSTILE).removesuffix("\n")) == 6
    assert terminal.pictured(SOURCE).removesuffix("\n") in shown
    assert terminal.pictured(HOSTILE) in reader.cells


def test_a_figure_is_named_with_the_axes_that_have_numbers(tmp_path):
    """A reader of the page knows each panel's kind and scales without its picture."""
    stored = store_run(make_project(tmp_path / "project"), figures={"total": [GROWTH, CALLS, RATIOS, ROOF]})
    line = "line, log x axis, log y axis; timeline, linear x axis; interval, log y axis"
    assert f"{line}; roofline, log x axis, log y axis" in unescape(page([stored]))


def test_nothing_recorded_becomes_markup(reader, built):
    """No recorded text makes a script, a heading, a link, an image, a list, an abbreviation or a formula."""
    assert not {"script", "h4", "ul", "ol", "li", "em", "abbr", "input", "b", "sup"} & set(reader.tags)
    assert reader.tags.count("h1") == 1
    assert "evil" not in reader.ids
    assert "an abbreviation" not in re.findall(r'title="([^"]*)"', built.read_text())
    assert not [
        link for link in reader.links if "missing" in link or "example.org/x" in link or "x.png" in link
    ]
    assert "arithmatex" not in built.read_text().split("<article")[1]


def test_markdown_holds_no_line_of_recorded_text(text):
    """Every line is ours: front matter, a heading, prose, or one line of inert HTML."""
    for line in text.splitlines():
        assert re.fullmatch(
            r"|---|(title|description|search|  exclude): ?.*|#{1,2} .*"
            r"|\d runs.*|\[The lesson\].*|<div .*</div>",
            line,
        )
        if line.startswith("<div"):
            assert re.fullmatch(r"[\x20-\x7e]*", line)
            assert not re.search(r">[^<]*[`*_\[\]\\$~|^{}!:][^<]*<", line)


def test_every_run_and_measurement_has_its_anchor(reader, runs):
    """Permalinks, values and files find their run, measurement and artefact, once each."""
    expected = [f"run-{stored.id}{part}" for stored in runs for part in ("", "-eager", "-compiled")]
    expected += [f"run-{stored.id}-file-{name}" for stored in runs for name in stored.run.artefacts]
    assert any("-file-" in name for name in expected)
    assert sorted(found for found in reader.ids if found.startswith("run-")) == sorted(expected)


def test_newest_run_comes_first(text, runs):
    """Runs stand in the order of their start, the newest on top."""
    ids = re.findall(r"^## .*#run-(\w+)", text, re.MULTILINE)
    assert ids == [runs[2].id, runs[0].id, runs[1].id]


def test_links_lead_somewhere(reader, built):
    """Raw JSON, artefacts, figures that can be drawn and the lesson are where the page says."""
    relative = [link for link in reader.links if not re.match(r"[a-z]+:|#|mailto", link)]
    targets = [(built.parent / link.split("#")[0]).resolve() for link in relative]
    assert len([target for target in targets if target.suffix == ".json"]) == 3
    assert any(target.name == "t.gz" for target in targets)
    assert sum(target.suffix == ".svg" for target in targets) == 4
    assert all(target.exists() for target in targets), targets


def test_citations_are_blocks_of_their_own(reader, runs):
    """Text line, BibTeX, permalink, digest and the sha256sum line can each be copied."""
    for stored in runs:
        for entry in (
            cite.text(stored, URL),
            cite.bibtex(stored, URL),
            cite.permalink(stored, URL),
            stored.digest,
        ):
            assert entry in reader.blocks
        assert f"{stored.digest}  {stored.path.name}" in reader.blocks


def test_sha256sum_prints_what_the_page_says(runs):
    """The line on the page is the one that sha256sum prints for the file."""
    name = runs[0].path.name
    printed = subprocess.run(
        ["sha256sum", name], cwd=runs[0].path.parent, capture_output=True, text=True, check=True
    )
    assert printed.stdout == f"{runs[0].digest}  {name}\n"


def leaves(tree: Any) -> Iterator[str]:
    """Every text and number of a run, apart from what the page words itself."""
    if isinstance(tree, dict):
        for value in tree.values():
            yield from leaves(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from leaves(value)
    elif isinstance(tree, str | int) and not isinstance(tree, bool):
        yield str(tree)


def test_everything_in_a_run_is_on_its_page(project):
    """Each name, version, flag, digest and sample of a run file can be read on the page."""
    tree = run_tree(started="2026-05-05T00:00:00Z")
    tree["environment"] |= {"config": {"jax_enable_x64": True}, "flags": {"XLA_FLAGS": "--xla_one"}}
    tree["environment"]["plugins"] = {"a-plugin": "0.3.1"}
    tree["programs"] = [{"name": "loss", "stablehlo": "1" * 64, "hlo": "2" * 64}]
    tree["artefacts"] = {
        "trace": {"path": "t.gz", "type": "application/gzip", "sha256": "3" * 64, "size": 11}
    }
    tree["cells"][1] |= {"stderr": "a warning", "stderr_dropped": 9}
    stored = Stored(Run.model_validate(tree), "ab" * 32, project.runs / "chapter/lesson/cpu.json")
    words = read(page([stored]))
    reworded = {"500000000", "1000", "cold"}  # 500 ms, 1 µs and "each started fresh"
    for leaf in {*leaves(tree)} - reworded:
        assert leaf in words, leaf
    for name in (
        "jax_enable_x64",
        "XLA_FLAGS",
        "a-plugin",
        "traces",
        "trace",
        "L2",
        "500 ms",
        "1 µs",
        "each started fresh",
    ):
        assert name in words


def read(markup: str) -> str:
    """The text of a page's Markdown, without its tags."""
    return unescape(re.sub(r"<[^>]*>", "", markup))


def test_a_source_that_two_runs_executed_is_shown_once(text, runs):
    """The newest run shows it, the other says so and links to it; another source is shown as well."""
    assert text.count("<details><summary>snippets&#47;chapter&#47;lesson&#46;py") == 2
    older = text[text.index(f"#run-{runs[1].id}") :]
    assert f'the same as that of <a href="#run-{runs[2].id}">' in unescape(older)


def test_a_retracted_run_says_why(text, runs):
    """A retracted run stays, marked with its reason."""
    section = text[text.index(f"#run-{runs[1].id}") :]
    assert "Retracted: it <b>waited</b> for *nothing* (2026-01-05)" in read(section.split("##")[0])
    assert "Retracted" not in page(runs[:1])


def test_a_run_with_a_cell_that_is_gone_is_stale(runs):
    """What a deleted last cell left is no longer the lesson's."""
    fewer = split(SNIPPET, path="x")[:1]
    assert "Stale: the lesson no longer has a cell that this run executed." in read(
        page(runs[:1], cells=fewer)
    )


def test_the_run_that_pages_show_is_marked(runs):
    """Of several runs, the reader sees which one is current."""
    shown = page(runs, current={runs[1].id})
    assert read(shown).count("Current: pages show this run.") == 1
    assert "Current: pages show this run." not in read(page(runs))


def test_a_stale_run_names_the_cells_that_changed(runs):
    """A run of an older source names what changed; a fresh one says nothing."""
    changed = split(SNIPPET.replace("jnp.sum(x)", "jnp.sum(2 * x)"), path="x")
    assert "Stale:" not in read(page(runs[2:]))
    assert "Stale: the lesson changed after this run: total, exercise." in read(page(runs[2:], cells=changed))
    assert "the lesson's snippet is no longer there" in read(page(runs[2:], cells=None))


def test_a_local_run_is_no_link(runs):
    """A run that was not accepted says so, and links no file that the site lacks."""
    text = page(runs[:1], local={runs[0].id})
    assert "Not accepted:" in read(text)
    assert "<a " not in text


def test_without_an_address_the_page_says_so(runs):
    """A site without an address shows paths, and that they are paths."""
    assert "no address set" in read(page(runs[2:], url=""))
    assert "no address set" not in read(page(runs[2:]))


def test_pages_are_out_of_search(built, project):
    """Recorded text is not found by the site's search."""
    index = json.loads((project.root / "site" / "search" / "search_index.json").read_text())
    assert not [entry for entry in index["docs"] if entry["location"].startswith("runs/")]


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_tables_and_not_the_page(built, project, browser, scheme):
    """At 360 px the page has no sideways scroll, wide tables take focus, and one figure of two is shown."""
    with served(project.root / "site") as address:
        tab = browser.new_page(viewport={"width": 360, "height": 800}, color_scheme=scheme)
        tab.goto(f"{address}/runs/chapter/lesson/")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360
        wide = tab.locator(".run-scroll").evaluate_all(
            "all => all.filter(e => e.scrollWidth > e.clientWidth).length"
        )
        assert wide > 0
        assert tab.locator(".run-scroll:not([tabindex='0'])").count() == 0
        shown = "all => all.filter(one => getComputedStyle(one).display != 'none').map(one => one.src)"
        images = tab.locator("article img").evaluate_all(shown)
        assert len(images) == 2  # the hostile one cannot be drawn
        assert all(f"#only-{scheme}" in image for image in images)
        assert tab.locator(".run-line .md-clipboard, .run-line button").count() >= 5
