"""Search finds what a learner types, and never gives an answer away."""

import html
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchbook import archive
from benchbook.archive import Stored
from benchbook.lesson import snippet
from benchbook.lesson.snippet import Snippet
from tests.browser import PATIENCE, Visitor
from tests.built import PROJECT
from tests.folded import parts, phrases, words

LESSONS = PROJECT.slugs()


@pytest.fixture(scope="module")
def index(site: Path) -> str:
    """Everything that can be searched, as words."""
    entries = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    return words(" ".join(html.unescape(re.sub(r"<[^>]+>", " ", entry["text"])) for entry in entries))


def _lesson(slug: str) -> Snippet:
    path = PROJECT.snippet_path(slug)
    return snippet.load(path, slug=slug, shown=PROJECT.relative(path))


def _current(lesson: Snippet) -> Stored:
    runs = archive.load_all(PROJECT, PROJECT.runs, lesson.slug)
    return archive.current(runs, lesson.cells, without=archive.retracted(PROJECT))["cpu"]


def _prose(slug: str) -> list[str]:
    """Every phrase that the page folds away; a block in a fold has its words from elsewhere."""
    found = parts(PROJECT.page_path(slug).read_text())
    return [phrase for part in found for phrase in phrases(part.text) if part.kind not in ("cell", "output")]


def _solutions(slug: str) -> list[str]:
    """The lines of the solutions and of what they printed, without those that an example has too."""
    lesson = _lesson(slug)
    examples = "".join(_lesson(one).example for one in LESSONS)
    ran = [("solution" in cell.tags, cell.stdout) for cell in _current(lesson).run.cells]
    shown = words(examples + "".join(said for is_solution, said in ran if not is_solution))
    code = [
        line.split("# TODO:")[0]
        for cell in lesson.cells
        if cell.solution
        for line in cell.source.splitlines()
    ]
    printed = [line for is_solution, said in ran if is_solution for line in said.splitlines()]
    found = [phrase for line in code + printed for phrase in phrases(line)]
    return [phrase for phrase in found if phrase not in shown]


@pytest.mark.parametrize("slug", LESSONS)
def test_no_answer_can_be_searched_for(index: str, slug: str):
    """No phrase of an answer, hint, plan, option's feedback or solution's reasons is in the index."""
    folded = _prose(slug)
    assert len(folded) > 30
    assert [phrase for phrase in folded if phrase in index] == []


@pytest.mark.parametrize("slug", LESSONS)
def test_no_solution_can_be_searched_for(index: str, slug: str):
    """No line of a solution is in the index, and nothing that it printed."""
    folded = _solutions(slug)
    assert len(folded) > 5
    assert [phrase for phrase in folded if phrase in index] == []


def _cells(slug: str, *, folded: bool) -> list[str]:
    """The cells that a page lists by name, inside a fold or outside of every fold."""
    page = PROJECT.page_path(slug).read_text()
    listed = re.findall(rf"^/{{3,}} cell \| {slug} (\S+)$", page, re.MULTILINE)
    inside = {part.text.split()[-1] for part in parts(page) if part.kind == "cell"}
    return [name for name in listed if (name in inside) == folded]


@pytest.mark.parametrize("slug", LESSONS)
def test_the_rest_of_a_lesson_can_be_searched_for(index: str, slug: str):
    """Every line of code that is open is in the index, so a search for code leads to its lesson."""
    sources = {cell.name: cell.source for cell in _lesson(slug).cells}
    shown = _cells(slug, folded=False)
    assert len(shown) > 2
    for name in shown:
        for line in sources[name].splitlines():
            assert words(line) in index


@pytest.mark.parametrize("slug", LESSONS)
def test_what_an_experiment_gives_cannot_be_searched_for(index: str, slug: str):
    """Neither a listing nor the whole transcript tells what is to be predicted."""
    printed = {cell.name: cell.stdout for cell in _current(_lesson(slug)).run.cells}
    hidden = _cells(slug, folded=True)
    elsewhere = words("".join(said for name, said in printed.items() if name not in hidden))
    lines = [line for name in hidden for line in printed[name].splitlines()]
    told = [phrase for line in lines for phrase in phrases(line) if phrase not in elsewhere]
    assert told
    assert [phrase for phrase in told if phrase in index] == []


def test_notebooks_and_runs_are_not_searched(site: Path):
    """The page is what is found; not its notebook, which holds every output, and not each of its runs."""
    entries = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    found = {entry["location"].partition("/")[0] for entry in entries}
    assert "jit" in found
    assert {"notebooks", "runs"} & found == set()


def _search(page: Page, query: str) -> list[str]:
    """Types a query as a reader does, and gives where the results lead, if any page has its words."""
    field = page.locator("[data-md-component=search-query]").first
    results = page.locator(".md-search-result__link")
    said = page.locator(".md-search-result__meta")
    field.fill("")
    expect(results).to_have_count(0)  # those of an earlier query are gone
    expect(said).to_contain_text("Type to start", timeout=PATIENCE)
    field.fill(query[:-1])
    field.press_sequentially(query[-1])
    expect(said).to_contain_text("matching document", timeout=PATIENCE)
    if "No matching" not in said.inner_text():
        results.first.wait_for()
    return [result.get_attribute("href") or "" for result in results.all()]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("block_until_ready", "/jit/compile/"),
        ("retracing", "/glossary/#retracing"),
        ("TracerBoolConversionError", "/jit/compile/#diagnose-the-result"),
        ("Attempted boolean conversion of traced array", "/jit/compile/#diagnose-the-result"),
        ("compiled looks slower than eager", "/jit/compile/#diagnose-the-result"),
    ],
)
def test_search_finds(visit: Visitor, url: str, query: str, place: str):
    """A function, a term, an error's name, its message, and a symptom in a learner's words."""
    found = _search(visit("/").page, query)
    assert any(result.partition("?")[0].removeprefix(url) + _anchor(result) == place for result in found), (
        found
    )


def _anchor(address: str) -> str:
    return "#" + address.partition("#")[2] if "#" in address else ""


def _article(page: Page) -> str:
    """The words of a lesson's page, once its scripts have added theirs."""
    page.get_by_label("I have worked through this lesson").wait_for()
    page.locator("article .headerlink").last.wait_for(state="attached")
    return words(page.locator("article").inner_text())


@pytest.mark.browser
def test_a_page_that_search_opens_has_its_own_words(visit: Visitor):
    """What was searched for is marked in the page, and no word or line of code is another for it."""
    page = visit("/").page
    before = _article(visit("/jit/compile/").page)
    page.goto(next(place for place in _search(page, "block_until_ready") if "compile/?h=block" in place))
    marked = page.locator("article mark").first
    marked.wait_for(state="attached")
    assert words(marked.text_content() or "") in "block until ready"
    assert _article(page) == before


@pytest.mark.browser
@pytest.mark.parametrize("slug", LESSONS)
def test_search_shows_no_answer(visit: Visitor, slug: str):
    """The words of an answer, typed into the search field, bring up no text that holds the answer."""
    page = visit("/").page
    for phrase in _prose(slug)[:3]:
        _search(page, phrase)
        assert phrase not in words(page.locator(".md-search-result").inner_text())
