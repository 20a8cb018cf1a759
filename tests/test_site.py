"""The built site, whole: MkDocs in strict mode, then a real browser over what it wrote."""

import hashlib
import re
from pathlib import Path

import pytest

from benchbook import archive
from benchbook.archive import Stored
from benchbook.lesson import snippet
from tests.browser import Visitor, squeeze
from tests.built import PROJECT, run_tool

LESSON = "jit/compile"


@pytest.fixture(scope="module")
def lesson() -> snippet.Snippet:
    """The lesson's code as it is now."""
    path = PROJECT.snippet_path(LESSON)
    return snippet.load(path, slug=LESSON, shown=PROJECT.relative(path))


@pytest.fixture(scope="module")
def stored(lesson: snippet.Snippet) -> Stored:
    """The lesson's current run on cpu."""
    runs = archive.load_all(PROJECT, PROJECT.runs, LESSON)
    return archive.current(runs, lesson.cells, without=archive.retracted(PROJECT))["cpu"]


def test_checks_hold_for_the_built_site(site: Path):
    """Every reference, claim, run file and built page is as `benchbook check` wants it."""
    run_tool("benchbook", "check", "--built", str(site))


def test_no_block_is_left_as_text(site: Path):
    """No built page shows a block or a value that was not rendered."""
    for path in site.rglob("*.html"):
        text = re.sub(r"<(code|pre|script)\b.*?</\1>", "", path.read_text(), flags=re.DOTALL)
        assert re.search(r"^\s*(<p>)?///|:value\[", text, re.MULTILINE) is None, path.relative_to(site)


def test_every_page_of_a_lesson_is_built(site: Path):
    """A lesson has its page and its run page, and its runs are served as they are stored."""
    for path in PROJECT.runs.rglob("*.json"):
        assert (site / path.relative_to(PROJECT.docs)).read_bytes() == path.read_bytes()
    for slug in PROJECT.slugs():
        assert (site / slug / "index.html").exists()
        assert (site / "runs" / slug / "index.html").exists()


@pytest.mark.browser
def test_the_lesson_shows_its_code(visit: Visitor, lesson: snippet.Snippet):
    """The whole example stands in one block; each solution is there, and folded."""
    opened = visit(f"/{LESSON}/")
    blocks = [squeeze(text) for text in opened.article.locator("pre code").all_text_contents()]
    assert any(squeeze(lesson.example) in block for block in blocks)
    for cell in lesson.cells:
        if cell.solution:
            code = opened.article.locator("details pre code")
            assert squeeze(cell.source) in [squeeze(text) for text in code.all_text_contents()]


@pytest.mark.browser
def test_the_lesson_shows_what_the_run_printed(visit: Visitor, stored: Stored):
    """Every line that the example printed in the recorded run is on the page."""
    text = visit(f"/{LESSON}/").text()
    cells = [cell for cell in stored.run.cells if "solution" not in cell.tags]
    lines = [line for cell in cells for line in cell.stdout.splitlines() if line.strip()]
    assert lines
    assert [line for line in lines if squeeze(line) not in text] == []


@pytest.mark.browser
def test_the_lesson_says_where_its_numbers_come_from(visit: Visitor, stored: Stored):
    """Backend, device, version of JAX, date and run stand in view, and the run's name leads to the run."""
    page = visit(f"/{LESSON}/").page
    link = (
        page.locator(f"article a[href$='#run-{stored.id}']", has_text=stored.id).locator("visible=true").first
    )
    line = squeeze(link.locator("xpath=ancestor::*[contains(normalize-space(), 'JAX')][1]").inner_text())
    run = stored.run
    for word in (run.backend, run.hardware.device.kind, f"JAX {run.environment.jax}", run.started[:10]):
        assert word in line
    link.click()
    page.wait_for_url(f"**/runs/{LESSON}/#run-{stored.id}")
    assert page.locator(f"#run-{stored.id}").is_visible()


@pytest.mark.browser
def test_the_lesson_tabulates_its_measurements(visit: Visitor, stored: Stored):
    """Each measurement of the run is a row of a table, with its samples and its inputs."""
    tables = visit(f"/{LESSON}/").article.locator("table").locator("visible=true").all_inner_texts()
    rows = [squeeze(row) for table in tables for row in table.splitlines()]
    for name in stored.run.measurements:
        assert any(name in row.split() for row in rows), name


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_figure_is_seen_in_one_scheme(visit: Visitor, stored: Stored, scheme: str, width: int):
    """Of each figure exactly the image that fits the colour scheme is drawn, in view, with words for it."""
    opened = visit(f"/{LESSON}/", scheme=scheme, width=width)
    opened.see_all()
    images = opened.article.locator("img[src*='/figures/']").locator("visible=true")
    assert images.count() == len(stored.run.figures)
    for image in images.all():
        image.scroll_into_view_if_needed()
        image.evaluate("node => node.decode()")
        box = image.bounding_box()
        assert image.evaluate("node => node.naturalWidth") > 0
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["height"] > 80
        assert box["y"] < 800
        assert box["y"] + box["height"] > 0
        assert len(image.get_attribute("alt")) > 10
        assert (".dark." in image.get_attribute("src")) == (scheme == "dark")


@pytest.mark.browser
def test_a_figure_has_its_data_as_a_table(visit: Visitor, stored: Stored):
    """Each label of each figure is in a table near it, so that no value is only in a picture."""
    opened = visit(f"/{LESSON}/")
    cells = {squeeze(text) for text in opened.article.locator("td, th").all_text_contents()}
    for panels in stored.run.figures.values():
        assert {label for panel in panels for label in panel.labels or []} <= cells


@pytest.mark.browser
def test_answers_are_folded_and_open(visit: Visitor):
    """Hints, answers and solutions are closed at first, and one click shows one of them."""
    folded = visit(f"/{LESSON}/").article.locator("details")
    assert folded.count() >= 10
    assert folded.evaluate_all("nodes => nodes.filter(node => node.open).length") == 0
    first = folded.first
    first.locator("summary").click()
    assert first.evaluate("node => node.open")
    assert first.locator("> :not(summary)").first.is_visible()


@pytest.mark.browser
def test_a_run_page_gives_the_file_and_its_digest(visit: Visitor, url: str, stored: Stored):
    """The raw file behind the link has the digest that the run page states and a citation names."""
    opened = visit(f"/runs/{LESSON}/#run-{stored.id}")
    raw = opened.article.locator(f"a[href$='{stored.path.name}']").first.evaluate("node => node.href")
    body = opened.page.request.get(raw).body()
    assert hashlib.sha256(body).hexdigest() == stored.digest
    text = opened.text()
    assert stored.digest in text
    assert "@misc{" in text or "@software{" in text or "@dataset{" in text
    assert f"#run-{stored.id}" in text
