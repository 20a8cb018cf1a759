"""The built site, whole: MkDocs in strict mode, then a real browser over what it wrote."""

import hashlib
import html
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page

from benchbook import archive
from benchbook.archive import Stored
from benchbook.lesson import snippet
from benchbook.project import find
from tests.browser import chromium, served

PROJECT = find(Path(__file__))
BIN = Path(sys.executable).parent
LESSON = "jit/compile"
PATHS = ("/", "/performance/", "/jit/", "/profiling/", "/precision/", "/how-this-site-measures/", "/cite/")
# The article is ours and the frame around it the theme's, as are the copy buttons, each in a landmark.
AXE = {"rules": {"landmark-unique": {"enabled": False}}}
LESSON_PATHS = (f"/{LESSON}/", f"/runs/{LESSON}/")


def _tool(name: str, *words: str) -> None:
    """Runs a command of this environment over the checkout; what it printed is the failure's text."""
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}  # the theme's own notice about another project
    done = subprocess.run(
        [BIN / name, *words], cwd=PROJECT.root, env=quiet, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.fail(f"{name} {' '.join(words)}\n{done.stdout}{done.stderr}", pytrace=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once from the committed runs."""
    folder = tmp_path_factory.mktemp("site")
    _tool("benchbook", "build")
    _tool("mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder))
    return folder


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


@dataclass
class Visit:
    """An open page, with what went wrong on it.

    Attributes:
        page: Playwright's page.
        faults: Console errors, uncaught exceptions, failed requests.
        elsewhere: Requests to any host but the site's.
    """

    page: Page
    faults: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    @property
    def article(self) -> Locator:
        """The page's own text, without the frame around it."""
        return self.page.locator("article")

    def text(self) -> str:
        """All text of the article, folded parts too, with runs of white space made one space."""
        return _squeeze(self.article.evaluate("node => node.textContent"))


def _squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for this module."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def url(site: Path) -> Iterator[str]:
    """Where the site is served."""
    with served(site) as url:
        yield url


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Callable[..., Visit]]:
    """Opens a path of the site in a fresh context: ``visit(path, scheme="dark", width=360)``."""
    contexts = []

    def open_page(path: str, *, scheme: str = "light", width: int = 1280) -> Visit:
        context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800})
        contexts.append(context)
        visit = Visit(context.new_page())
        visit.page.on("console", lambda m: visit.faults.append(m.text) if m.type == "error" else None)
        visit.page.on("pageerror", lambda error: visit.faults.append(str(error)))
        visit.page.on("requestfailed", lambda request: visit.faults.append(request.url))
        visit.page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((f"{url}/", "data:", "blob:"))
                else visit.elsewhere.append(request.url)
            ),
        )
        visit.page.goto(url + path, wait_until="load")
        return visit

    yield open_page
    for context in contexts:
        context.close()


def test_checks_hold_for_the_built_site(site: Path):
    """Every reference, claim, run file and built page is as `benchbook check` wants it."""
    _tool("benchbook", "check", "--built", str(site))


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
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [*PATHS, *LESSON_PATHS])
def test_a_page_opens_without_a_fault(visit: Callable[..., Visit], path: str, scheme: str):
    """No page logs an error, asks another host for anything, or keeps a reader out."""
    opened = visit(path, scheme=scheme)
    expected = {"light": "default", "dark": "slate"}[scheme]
    assert opened.page.evaluate("document.body.dataset.mdColorScheme") == expected
    violations = Axe().run(opened.page, context="article", options=AXE).response["violations"]
    found = [(v["id"], node["target"], node["failureSummary"]) for v in violations for node in v["nodes"][:1]]
    assert found == [], found
    opened.page.wait_for_load_state("networkidle")
    assert (opened.faults, opened.elsewhere) == ([], [])


@pytest.mark.browser
@pytest.mark.parametrize("path", [*PATHS, *LESSON_PATHS])
def test_a_narrow_screen_scrolls_one_way(visit: Callable[..., Visit], path: str):
    """At 360 pixels nothing makes the page itself wider than the screen."""
    opened = visit(path, width=360)
    opened.page.evaluate("document.querySelectorAll('details').forEach(node => node.open = true)")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.browser
def test_the_lesson_shows_its_code(visit: Callable[..., Visit], lesson: snippet.Snippet):
    """The whole example stands in one block; each solution is there, and folded."""
    opened = visit(f"/{LESSON}/")
    blocks = [_squeeze(text) for text in opened.article.locator("pre code").all_text_contents()]
    assert any(_squeeze(lesson.example) in block for block in blocks)
    for cell in lesson.cells:
        if cell.solution:
            code = opened.article.locator("details pre code")
            assert _squeeze(cell.source) in [_squeeze(text) for text in code.all_text_contents()]


@pytest.mark.browser
def test_the_lesson_shows_what_the_run_printed(visit: Callable[..., Visit], stored: Stored):
    """Every line that the example printed in the recorded run is on the page."""
    text = visit(f"/{LESSON}/").text()
    cells = [cell for cell in stored.run.cells if "solution" not in cell.tags]
    lines = [line for cell in cells for line in cell.stdout.splitlines() if line.strip()]
    assert lines
    assert [line for line in lines if _squeeze(line) not in text] == []


@pytest.mark.browser
def test_the_lesson_says_where_its_numbers_come_from(visit: Callable[..., Visit], stored: Stored):
    """Backend, device, version of JAX, date and run stand in view, and the run's name leads to the run."""
    page = visit(f"/{LESSON}/").page
    link = (
        page.locator(f"article a[href$='#run-{stored.id}']", has_text=stored.id).locator("visible=true").first
    )
    line = _squeeze(link.locator("xpath=ancestor::*[contains(normalize-space(), 'JAX')][1]").inner_text())
    run = stored.run
    for word in (run.backend, run.hardware.device.kind, f"JAX {run.environment.jax}", run.started[:10]):
        assert word in line
    link.click()
    page.wait_for_url(f"**/runs/{LESSON}/#run-{stored.id}")
    assert page.locator(f"#run-{stored.id}").is_visible()


@pytest.mark.browser
def test_the_lesson_tabulates_its_measurements(visit: Callable[..., Visit], stored: Stored):
    """Each measurement of the run is a row of a table, with its samples and its inputs."""
    tables = visit(f"/{LESSON}/").article.locator("table").locator("visible=true").all_inner_texts()
    rows = [_squeeze(row) for table in tables for row in table.splitlines()]
    for name in stored.run.measurements:
        assert any(name in row.split() for row in rows), name


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_figure_is_seen_in_one_scheme(visit: Callable[..., Visit], stored: Stored, scheme: str, width: int):
    """Of each figure exactly the image that fits the colour scheme is drawn, in view, with words for it."""
    opened = visit(f"/{LESSON}/", scheme=scheme, width=width)
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
def test_a_figure_has_its_data_as_a_table(visit: Callable[..., Visit], stored: Stored):
    """Each label of each figure is in a table near it, so that no value is only in a picture."""
    opened = visit(f"/{LESSON}/")
    cells = {_squeeze(text) for text in opened.article.locator("td, th").all_text_contents()}
    for panels in stored.run.figures.values():
        assert {label for panel in panels for label in panel.labels or []} <= cells


@pytest.mark.browser
def test_answers_are_folded_and_open(visit: Callable[..., Visit]):
    """Hints, answers and solutions are closed at first, and one click shows one of them."""
    folded = visit(f"/{LESSON}/").article.locator("details")
    assert folded.count() >= 10
    assert folded.evaluate_all("nodes => nodes.filter(node => node.open).length") == 0
    first = folded.first
    first.locator("summary").click()
    assert first.evaluate("node => node.open")
    assert first.locator("> :not(summary)").first.is_visible()


@pytest.mark.browser
def test_a_run_page_gives_the_file_and_its_digest(visit: Callable[..., Visit], url: str, stored: Stored):
    """The raw file behind the link has the digest that the run page states and a citation names."""
    opened = visit(f"/runs/{LESSON}/#run-{stored.id}")
    raw = opened.article.locator(f"a[href$='{stored.path.name}']").first.evaluate("node => node.href")
    body = opened.page.request.get(raw).body()
    assert hashlib.sha256(body).hexdigest() == stored.digest
    text = opened.text()
    assert stored.digest in text
    assert "@misc{" in text or "@software{" in text or "@dataset{" in text
    assert f"#run-{stored.id}" in text


@pytest.mark.browser
def test_search_finds_the_lesson_and_no_answer(visit: Callable[..., Visit], lesson: snippet.Snippet):
    """The lesson can be searched for; a solution's code cannot be found that way."""
    opened = visit("/")
    opened.page.locator("[data-md-component=search-query]").first.press_sequentially("compile")
    results = opened.page.locator(".md-search-result__link")
    results.first.wait_for()
    assert any(f"/{LESSON}/" in (result.get_attribute("href") or "") for result in results.all())
    body = opened.page.request.get(opened.page.url.split("?")[0] + "search/search_index.json").json()
    index = " ".join(html.unescape(re.sub(r"<[^>]+>", "", entry["text"])) for entry in body["docs"])
    answers = [
        line.split("# TODO:")[0].strip()
        for cell in lesson.cells
        if cell.solution
        for line in cell.source.splitlines()
        if "# TODO:" in line
    ]
    assert answers
    assert lesson.example.splitlines()[-1] in index
    assert [line for line in answers if line in index] == []
