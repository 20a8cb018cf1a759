"""A run of another backend arrives: the next build shows it wherever the first is shown, each as its own."""

import csv
import re
from importlib import metadata
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from benchbook import check
from benchbook.archive import Stored
from benchbook.building import builder
from benchbook.project import Project
from tests.built import file, having, text, tree
from tests.factory import run_tree, store_run
from tests.test_blocks import mkdocs, on_cuda
from tests.test_cited import with_tpu

MKDOCS = """\
site_name: T
theme: {name: material, font: false}
plugins: []
markdown_extensions: [attr_list, footnotes, md_in_html, tables, pymdownx.blocks.html, pymdownx.superfences,
  benchbook.blocks]
not_in_nav: /runs/
nav: [index.md, bench.md, chapter/index.md, chapter/lesson.md]
validation:
  links: {not_found: warn, anchors: warn, absolute_links: relative_to_docs, unrecognized_links: warn}
"""
HEAD = "---\ntitle: {0}\ndescription: {0} of this site.\n"
PAGE = (
    HEAD.format("Lesson")
    + """\
chapter: chapter
order: 1
minutes: 5
---

# Lesson

/// output | chapter/lesson
///

/// figure | chapter/lesson total
    alt: Two bars.
The total.
///

/// measurements | chapter/lesson
///

/// claim | chapter/lesson
    holds: eager > compiled
Eager takes longer.
///

/// claim | chapter/lesson
    holds: total == 3
It is three.
///

It took :value[chapter/lesson compiled.median].

/// cited | chapter/lesson
    backends: cuda, tpu
It is so [there](https://docs.jax.dev/).
///
"""
)
INDEX = "/// cited\n    backends: cuda, tpu\nIt is so [there](https://docs.jax.dev/).\n///\n"


def made(total: float, *, eager: float, **changes: Any) -> dict[str, Any]:
    """A run whose figure, text and times say which run it is."""
    tree = run_tree()
    panels = tree["figures"]["total"]
    panels[0]["series"][0]["y"] = [total, total]
    samples = tree["measurements"]["compiled"]["samples"]
    tree["measurements"]["eager"]["samples"] = [[round(n * eager) for n in row] for row in samples]
    for cell in tree["cells"]:
        cell["stdout"] = cell["stdout"] and f"bars {total:g}\n"
    jax = {"environment": tree["environment"] | {"jax": metadata.version("jax")}}
    return {name: tree[name] for name in ("figures", "measurements", "cells")} | jax | changes


def cuda() -> dict[str, Any]:
    """A run on the GPU: other bars, and compiled calls that take longer than eager ones."""
    return made(7.0, eager=0.25, **on_cuda())


@pytest.fixture
def three(project: Project) -> Project:
    """A site of one lesson that shows cpu, cuda and tpu, with its run on cpu."""
    (project.root / "mkdocs.yml").write_text(MKDOCS)
    (project.docs / "chapter").mkdir()
    (project.docs / "index.md").write_text(f"{HEAD.format('Home')}---\n# Home\n\n{INDEX}")
    (project.docs / "chapter/index.md").write_text(f"{HEAD.format('Chapter')}---\n# Chapter\n")
    (project.docs / "chapter/lesson.md").write_text(PAGE)
    store_run(project, **made(3.0, eager=3))
    return with_tpu(project)


def build(project: Project) -> Path:
    """The site, built and checked as `make site` does, but for pages of notebooks, which no plugin makes."""
    builder.build(project)
    done = mkdocs(project)
    assert done.returncode == 0, done.stderr
    site = project.root / "site"
    problems = check.check(project, built=site)
    assert [problem for problem in problems if problem.path != "site/notebooks/chapter"] == []
    return site


def article(site: Path, address: str) -> Element:
    """What a page shows."""
    return next(tree(file(site, address).read_text()).iter("article"))


def one(root: Element, kind: str) -> Element:
    """The only element of a class."""
    (found,) = having(root, kind)
    return found


def tabs(root: Element, kind: str) -> dict[str, Element]:
    """What a block shows for each backend, by the words on its tabs."""
    block = one(root, kind)
    labels = [text(label) for label in block.iter("label")]
    return dict(zip(labels, having(block, "tabbed-block"), strict=True))


def bench(site: Path) -> list[dict[str, str]]:
    """The rows of the bench."""
    with (site / "bench.csv").open(newline="") as opened:
        return list(csv.DictReader(opened))


def images(tab: Element) -> list[str]:
    """The drawings of a tab."""
    return [image.get("src", "") for image in tab.iter("img")]


def test_before_it_arrives_nothing_stands_in(three: Project) -> None:
    """There is no tab, no verdict and no row of another backend, and each place says what is missing."""
    page = article(build(three), "/chapter/lesson/")
    assert list(having(page, "tabbed-set")) == []
    assert text(page).count("no run on cuda or tpu yet") == 3
    assert text(page).count("no run of this lesson on cuda or tpu yet") == 1
    assert {row["backend"] for row in bench(three.root / "site")} == {"cpu"}


def test_a_page_shows_it_beside_the_first_and_each_as_its_own(three: Project) -> None:
    """Output, figure, measurements and verdicts are by backend, and only what is still missing is said."""
    first = next(path.stem[-12:] for path in three.runs.glob("chapter/lesson/*.json"))
    page = article(build(three), "/chapter/lesson/")
    took = text(one(page, "bb-value"))
    stored = store_run(three, **cuda())
    site = build(three)
    page = article(site, "/chapter/lesson/")
    _assert_own_output_and_measurements(page)
    _assert_own_figure(three, site, page, {"cpu": first, "cuda": stored.id})
    verdicts = [text(item) for claim in having(page, "bb-claim") for item in claim.iter("li")]
    assert [re.findall(r"^[a-z ]+\b|\b(?:cpu|cuda)\b", line) for line in verdicts] == [
        ["holds", "cpu"],
        ["does not hold", "cuda"],
        ["holds", "cpu"],
        ["holds", "cuda"],
    ]
    assert (text(one(page, "bb-value")), "on cuda or tpu" in text(page)) == (took, False)
    assert text(page).count("no run on tpu yet") == 6
    said = f"is recorded here: NVIDIA X, JAX {stored.run.environment.jax}, 2026-01-02 , run {stored.id}"
    assert f"A run on cuda {said} ; none on tpu yet." in text(one(page, "bb-cited"))
    (three.docs / "chapter/lesson.md").write_text(PAGE + "\nThere :value[chapter/lesson@cuda eager].\n")
    values = [text(value) for value in having(article(build(three), "/chapter/lesson/"), "bb-value")]
    assert values == [took, "1.26 µs"]


def _assert_own_output_and_measurements(page: Element) -> None:
    printed, measured = tabs(page, "bb-output"), tabs(page, "bb-measurements")
    assert [*printed] == [*measured] == ["cpu", "cuda"]
    assert "bars 3" in text(printed["cpu"])
    assert "bars 7" in text(printed["cuda"])
    for shown in (printed, measured):
        assert text(one(shown["cpu"], "bb-provenance")).startswith("cpu · A CPU · JAX")
        assert text(one(shown["cuda"], "bb-provenance")).startswith("cuda · NVIDIA X · JAX")
    assert "15.0" in text(measured["cpu"])
    assert "15.0" not in text(measured["cuda"])


def _assert_own_figure(project: Project, site: Path, page: Element, runs: dict[str, str]) -> None:
    drawn = tabs(page, "bb-figure")
    for backend, total in (("cpu", "3.0"), ("cuda", "7.0")):
        name = f"figures/chapter/lesson/{backend}-{runs[backend]}-total"
        assert [source.partition("#")[0] for source in images(drawn[backend])] == [
            f"../../{name}.{scheme}.svg" for scheme in ("light", "dark")
        ]
        with (site / f"{name}.csv").open(newline="") as opened:
            assert {float(row["value"]) for row in csv.DictReader(opened)} == {float(total)}
    light = [
        (project.docs / f"figures/chapter/lesson/{b}-{runs[b]}-total.light.svg").read_text() for b in runs
    ]
    assert light[0] != light[1]


def test_the_bench_the_run_page_and_the_site_have_it(three: Project) -> None:
    """Its measurements are rows, its run is listed with an anchor, and a page on all lessons links to it."""
    stored = store_run(three, **cuda())
    site = build(three)
    page = text(article(site, "/bench/"))
    assert page.count(stored.id) >= len(stored.run.measurements)
    assert "NVIDIA X" in page
    rows = [row for row in bench(site) if row["backend"] == "cuda"]
    assert {row["measurement"] for row in rows} == {"compiled", "eager"}
    assert f"run-{stored.id}" in [node.get("id") for node in article(site, "/runs/chapter/lesson/").iter()]
    served = site / stored.path.relative_to(three.docs)
    assert served.read_bytes() == stored.path.read_bytes()
    home = one(article(site, "/"), "bb-cited")
    assert "A run on cuda is recorded here for 1 lesson: NVIDIA X" in text(home)
    assert f"runs/chapter/lesson/#run-{stored.id}" in [link.get("href") for link in home.iter("a")]


def test_a_claim_over_results_is_held_to_it_too(three: Project) -> None:
    """One that it denies fails the check and names it, though the run on cpu keeps it."""
    stored: Stored = store_run(three, **cuda(), results={"total": 7.0})
    builder.build(three)
    (problem,) = check.check(three)
    assert (problem.path, problem.gates) == ("docs/chapter/lesson.md", True)
    assert stored.id in problem.message
