"""Storage may hold anything, be full, be forbidden, or belong to a site below a path."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.assets.keeping import (
    LESSON,
    SLUG,
    STORED,
    export,
    go,
    is_at_peace,
    kept,
    plant,
    prediction,
)
from tests.browser import Visitor, served

pytestmark = pytest.mark.browser
BROKEN = [
    "{",
    "null",
    "[]",
    '"x"',
    "7",
    '{"predictions": 3, "done": "x", "answers": [1], "provenance": null, "title": {}}',
    '{"predictions": {"predict-counter": null}, "answers": {"question-agreement": {"letter": {}}}}',
    '{"predictions": {"__proto__": {"text": {"toString": 1}}}, "done": {"lesson-done": 1}}',
]
HALF = [
    '{"predictions": "abc", "answers": "abc", "done": "abc", "provenance": "abc"}',
    '{"predictions": [1, null, {}], "done": [true], "provenance": [[]]}',
    '{"answers": {"question-agreement": null}, "done": {"lesson-done": null}}',
    '{"answers": {"question-agreement": {"letter": "A"}}, "predictions": {"predict-counter": {"text": 1}}}',
]
FORBIDDEN = """for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name,
  { get() { throw new DOMException("denied", "SecurityError"); } })"""
# A key in one tab, and before it is kept a word from another.
TYPING = """node => {
  node.value = "two";
  node.dispatchEvent(new Event("input"));
  dispatchEvent(new Event("storage"));
}"""
FULL = 'Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }'


def test_two_tabs_agree(visit: Visitor):
    """What is kept in one tab shows in another, and a field that is being written in is left alone."""
    page = visit(LESSON).page
    other = page.context.new_page()
    other.goto(page.url)
    evidence = page.context.new_page()
    evidence.goto(page.url.replace(LESSON, "/evidence/"))
    prediction(page).fill("one")
    expect(prediction(other)).to_have_value("one")
    expect(evidence.locator(".bb-evidence pre")).to_have_text("one")
    prediction(other).evaluate(TYPING)
    expect(prediction(other)).to_have_value("two")


def test_broken_storage_breaks_no_page(visit: Visitor, subtests: pytest.Subtests):
    """Whatever lies in storage, the lesson opens and keeps, and the evidence page shows what it can."""
    visited = visit(LESSON)
    page = visited.page
    for text in BROKEN:
        with subtests.test(text=text):
            plant(page, text)
            page.reload()
            page.locator("#question-trace-list summary").first.click()
            expect(page.locator("#question-trace-list [role=status]")).to_have_text("Your first answer: A")
            assert list(kept(page)["answers"])[-1] == "question-trace-list"
    for number, text in enumerate(BROKEN):
        plant(page, text, key=f"{STORED}{number}/")
    go(page, "/evidence/")
    expect(page.locator(".bb-evidence h2")).to_have_count(len(BROKEN) + 1)
    assert "A: Because compiled functions" in export(page)
    is_at_peace(visited)


@pytest.mark.parametrize("trouble", [FORBIDDEN, FULL], ids=["forbidden", "full"])
def test_a_browser_that_keeps_nothing_says_so_once(visit: Visitor, trouble: str):
    """Without storage a lesson works until it is left, and says in plain words what is lost."""
    page = visit(LESSON).page
    page.context.add_init_script(trouble)
    page.reload()
    prediction(page).fill("one")
    prediction(page, "bars").fill("two")
    page.locator("#question-agreement summary").nth(1).click()
    page.get_by_label("I have worked through this lesson").check()
    expect(page.get_by_text("This browser keeps nothing")).to_have_count(1)
    expect(page.locator("#question-agreement [role=status]")).to_have_text("Your first answer: B")
    expect(prediction(page)).to_have_value("one")
    assert page.get_by_text("It stays in this browser").locator("visible=true").count() == 0
    go(page, "/evidence/")
    expect(page.get_by_text("Nothing is kept in this browser yet.")).to_be_visible()
    expect(page.get_by_text("This browser keeps nothing")).to_have_count(int(trouble == FORBIDDEN))


def test_a_site_below_a_path_keeps_by_its_own_paths(browser: Browser, site: Path, tmp_path: Path):
    """Below a host's root, the same page has the same name in storage, with or without its file's name."""
    (tmp_path / "project").symlink_to(site, target_is_directory=True)
    with served(tmp_path) as url:
        visitor = Visitor(browser, url)
        page = visitor(f"/project{LESSON}index.html").page
        prediction(page).fill("one")
        expect(page.locator("#predict-counter [role=status]")).to_have_text("Kept.")
        assert page.locator(".bb-run").text_content() == f"uv run {url}/project/snippets/jit/compile.py"
        page.goto(f"{url}/project{LESSON}")
        expect(prediction(page)).to_have_value("one")
        page.get_by_text("All that this browser keeps").click()
        page.wait_for_url("**/project/evidence/")
        links = page.locator(".bb-evidence a[href*='#predict-counter']")
        expect(links).to_have_attribute("href", f"{url}/project{LESSON}#predict-counter")
        assert kept(page, f"jax-measured:/project/:{SLUG}/")["predictions"] != {}
        visitor.leave()


def test_the_theme_works_where_storage_is_forbidden(visit: Visitor):
    """Code has its copy buttons, search finds, and colours change: what the notice says of the rest is so."""
    visited = visit(LESSON)
    page = visited.page
    page.context.add_init_script(FORBIDDEN)
    page.reload()
    prediction(page).fill("one")
    expect(page.get_by_text("The rest works")).to_be_visible()
    expect(page.locator("#listing-inputs [data-md-type=copy]")).to_have_count(1)
    page.get_by_title("Use light colours").click()
    page.get_by_title("Use dark colours").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("tracing")
    expect(page.locator(".md-search-result__item").first).to_be_visible()
    is_at_peace(visited)


def test_two_sites_of_one_host_keep_apart(browser: Browser, site: Path, tmp_path: Path):
    """What is kept on one site is neither shown nor removed on another below the same host."""
    for name in "ab":
        (tmp_path / name).symlink_to(site, target_is_directory=True)
    with served(tmp_path) as url:
        visitor = Visitor(browser, url)
        page = visitor(f"/a{LESSON}").page
        prediction(page).fill("one")
        expect(page.locator("#predict-counter [role=status]")).to_have_text("Kept.")
        go(page, f"/b{LESSON}")
        expect(prediction(page)).to_have_value("")
        go(page, "/b/evidence/")
        expect(page.get_by_text("Nothing is kept in this browser yet.")).to_be_visible()
        page.get_by_text("Remove everything kept here").click()
        page.get_by_role("button", name="Remove it").click()
        go(page, f"/a{LESSON}")
        expect(prediction(page)).to_have_value("one")
        visitor.leave()


@pytest.mark.parametrize("text", HALF)
def test_half_an_entry_is_none(visit: Visitor, text: str):
    """An entry that lacks a field, or has a thing of another type there, is shown nowhere."""
    page = visit(LESSON).page
    plant(page, text)
    page.reload()
    expect(page.get_by_text("All that this browser keeps")).to_be_visible()
    expect(page.get_by_text("Your first answer")).to_have_count(0)
    assert prediction(page).input_value() == ""
    assert page.locator("article :checked[aria-describedby]").count() == 0
    go(page, "/evidence/")
    expect(page.locator(".bb-evidence h2")).to_have_count(1)
    expect(page.locator(".bb-evidence h3")).to_have_count(0)
