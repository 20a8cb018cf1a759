"""Pages: Markdown that anyone may write into a pull request, with its blocks, values and formulas."""

import re
from functools import cache
from typing import Any

from benchbook.blocks import shortfall
from benchbook.blocks.formula import FormulaError, formula
from benchbook.lesson import nav
from benchbook.pages import glossary, page, prose
from benchbook.rules import typed
from tests.fuzzing import drawing, seeds
from tests.fuzzing.target import refusing


def take(data: bytes) -> None:
    """Scans a page, looks up what it asks for, and judges its prose."""
    text = data.decode("utf-8", "replace")
    with refusing():
        found = page.scan(text, path="docs/p.md")
        lines = found.text.count("\n") + 1
        assert all(1 <= use.line <= lines for use in found.uses)
        assert len(prose.mask(found.text)) == len(found.text)
        for use in found.uses:
            assert use.body == use.body.strip()
            for error in shortfall.problems(use, _fragment(), path=found.path):
                assert str(error).startswith("docs/p.md:")
        assert all(1 <= number.line <= lines for number in typed.find(found.text))


def terms(data: bytes) -> None:
    """Reads a glossary."""
    with refusing():
        found = glossary.parse(data.decode("utf-8", "replace"))
        assert len({term.id for term in found}) == len(found)
        assert all(term.forms is not None and term.summary for term in found)


def maths(data: bytes) -> None:
    """Makes a formula: MathML alone, whatever stands in it."""
    from xml.etree.ElementTree import tostring

    latex = data.decode("utf-8", "replace")
    try:
        made = formula(latex)
    except FormulaError:
        return
    for element in made.iter():
        assert re.fullmatch(r"m[a-z]+|semantics|annotation", str(element.tag)), element.tag
        assert not any(name.startswith("on") or "href" in name for name in element.attrib)
    assert tostring(made)


def navigation(data: bytes) -> None:
    """Reads mkdocs.yml, and adds a lesson to it."""
    text = data.decode("utf-8", "replace")
    with refusing():
        entries = nav.entries(text)
        assert all(entry.line >= 1 for entry in entries)
        assert nav.add(text, "chapter/lesson").count("\n") >= text.count("\n")


@cache
def _fragment() -> dict[str, Any]:
    """What is derived for the one lesson that there is."""
    names = dict.fromkeys(("inputs", "total", "exercise"), "")
    more = {"cells": names, "starters": {"exercise": ""}, "backends": ["cpu", "cuda"]}
    return drawing._fragment(drawing.PLAIN) | more


def own() -> list[bytes]:
    """The site's own pages in pieces, with one lesson's name for all, and pages of every block."""
    found = set[str]()
    for text in seeds.pages():
        same = re.sub(r"\b(?:jit|performance|precision|profiling)/[a-z0-9-]+", "chapter/lesson", text)
        found |= set(seeds.pieces(same, "\n\n"))
    found |= {
        "---\ntitle: T\ntags: [a, &b c]\n---\n# H\n",
        "/// figure | chapter/lesson total\n    alt: A\n    run: cpu\nC.\n///\n",
        "/// claim | chapter/lesson\n    holds: eager > compiled\nS.\n///\n",
        "/// html | div.a[b=c]\n    attrs: {class: x}\n    markdown: block\ntext\n///\n",
        "//// question | q\nQ?\n\n/// option | A\n    right: true\nYes.\n///\n"
        "/// option | B\nNo.\n///\n////\n",
        "/// cited | chapter/lesson\n    backends: cuda\n[s](https://a.b).\n///\n",
        "- item\n\n    /// cell | chapter/lesson total\n    ///\n\n| a | b |\n|---|---|\n| $x$ | 5 ms |\n",
    }
    return [text.encode() for text in sorted(found)]


def entries() -> list[bytes]:
    """The glossary, entry by entry."""
    text = (seeds.ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    return [f"### {entry}".encode() for entry in text.split("\n### ")[1:]]


def formulas() -> list[bytes]:
    """The formulas of the site's pages, and some of each environment."""
    own = re.compile(r"\$\$\n?(.+?)\$\$|\$([^\s$][^$\n]*?)\$", re.DOTALL)
    found = {match[1] or match[2] for text in seeds.pages() for match in own.finditer(text)}
    found |= {
        r"\begin{cases} a & b \\ c & d \end{cases}", r"\sqrt[3]{x}_1^{2}", r"\left( \frac{a}{b} \right)",
        r"\text{a $b$ <i>} \operatorname{x}", r"\begin{array}{c|c} 1 & 2 \end{array}",
        r"\overset{a}{b} \lt &amp;",
    }  # fmt: skip
    return [text.encode() for text in sorted(found)]


def settings() -> list[bytes]:
    """The repository's own mkdocs.yml in pieces, and small ones."""
    text = (seeds.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    small = "nav:\n  - Home: index.md\n  - Chapter:\n      - chapter/index.md\n      - x: [a.md, !ENV c]\n"
    return [part.encode() for part in {small, *seeds.pieces(text, "\n\n")}]
