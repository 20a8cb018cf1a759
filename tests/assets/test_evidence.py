"""The evidence page shows, exports and removes what is kept, by any means, and takes no text for markup."""

import json
import re

import markdown
import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import expect

from tests.assets.keeping import (
    LESSON,
    STORED,
    TYPED,
    export,
    go,
    is_at_peace,
    kept,
    plant,
    prediction,
    tab_to,
)
from tests.browser import HEIGHT, Visitor
from tests.survey import SCHEMES, WIDTHS, violations

pytestmark = pytest.mark.browser
CLOSE = "document.querySelector('dialog').close()"
HOSTILE = "<img src=x onerror=\"document.title='broken'\"> `x` **b** [l](javascript:1) | $x$ ~~s~~ &lt; _i_"


def test_a_reader_needs_no_mouse(visit: Visitor):
    """Predict, open the answer, answer a question, tick off, export and remove: all by keyboard."""
    visited = visit(f"{LESSON}#predict-counter")
    page, press = visited.page, visited.page.keyboard.press
    prediction(page).wait_for()
    tab_to(page, prediction(page), presses=5)
    page.keyboard.type("One entry.")
    press("Tab")
    press("Enter")
    assert page.locator("#predict-counter details").evaluate("node => node.open")

    go(page, f"{LESSON}#question-agreement")
    options = page.locator("#question-agreement summary")
    page.get_by_label("I have worked through this lesson").wait_for()
    tab_to(page, options.nth(1), presses=4)
    press("Enter")
    expect(page.locator("#question-agreement [role=status]")).to_have_text("Your first answer: B")

    done = page.get_by_label("I have done this exercise").first
    go(page, f"{LESSON}#{done.get_attribute('aria-describedby')}")
    tab_to(page, done)
    press("Space")
    go(page, f"{LESSON}#lesson-done")
    tab_to(page, page.get_by_label("I have worked through this lesson"), presses=3)
    press("Space")
    press("Tab")
    press("Enter")
    page.wait_for_url("**/evidence/")

    expect(page.locator(".bb-evidence pre")).to_have_text("One entry.")
    tab_to(page, page.get_by_text("Download as Markdown"), presses=60)
    with page.expect_download() as event:
        press("Enter")
    text = event.value.path().read_text(encoding="utf-8")
    for part in ("One entry.", "B: Because both run the same", "Exercise 1", "The lesson"):
        assert part in text

    remove = page.get_by_text("Remove everything kept here")
    tab_to(page, remove, presses=3)
    press("Enter")
    expect(page.get_by_role("button", name="Keep it")).to_be_focused()
    press("Escape")
    expect(remove).to_be_focused()
    expect(page.locator(".bb-evidence pre")).to_have_count(1)
    press("Enter")
    press("Tab")
    press("Enter")
    expect(page.locator(".bb-evidence pre")).to_have_count(0)
    expect(page.locator(".bb-evidence [role=status]")).to_have_text("Nothing is kept in this browser yet.")
    expect(remove).to_be_focused()
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('jax-measured:'))") == []
    is_at_peace(visited)


def test_escape_still_means_no_after_a_yes(visit: Visitor):
    """A second question is not answered by what was said to the first."""
    page = visit("/evidence/").page
    found = page.locator(".bb-evidence h2")
    for answer in ("Remove it", None):
        plant(page, json.dumps({"done": {"lesson-done": {"what": "The lesson", "at": "2026"}}}))
        page.evaluate("dispatchEvent(new Event('storage'))")
        expect(found).to_have_count(1)
        page.get_by_text("Remove everything kept here").click()
        # On Escape not every browser takes back what was said before, as close() does not.
        page.get_by_role("button", name=answer).click() if answer else page.evaluate(CLOSE)
        expect(page.locator("dialog")).to_be_hidden()
        expect(found).to_have_count(0 if answer else 1)
    assert kept(page)["done"]


def test_hostile_text_stays_text(visit: Visitor):
    """Markup in storage is shown and exported as it was typed; no stored link leads out of the site."""
    visited = visit("/evidence/")
    page = visited.page
    fields = ("question", "text", "at", "letter", "option", "right", "what", "link")
    entry = dict.fromkeys(fields, HOSTILE) | {"link": "javascript:document.title='broken'"}
    parts = ("predictions", "answers", "done", "provenance")
    plant(page, json.dumps({"title": HOSTILE} | {part: {HOSTILE: entry} for part in parts}))
    for place in ("//elsewhere.example/", "javascript:alert(1)//", HOSTILE, "../../x/"):
        plant(page, json.dumps({"predictions": {"p": entry}}), key=f"{STORED}{place}")
    page.reload()
    shown = page.locator(".bb-evidence")
    shown.locator("pre").first.wait_for()
    assert shown.locator("img, s, b, em").count() == 0
    assert shown.locator("pre").all_inner_texts() == [HOSTILE] * 5
    root = page.evaluate("new URL('../', location).href")
    links = shown.locator("a:not([download])").evaluate_all("nodes => nodes.map(node => node.href)")
    assert links
    assert [link for link in links if not link.startswith(root)] == []
    _is_plain(export(page), root)
    assert page.title() != "broken"
    is_at_peace(visited)


def _is_plain(text: str, root: str) -> None:
    """Renders an export as two dialects do, with all that they could make of hostile text."""
    common = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    wide = ["fenced_code", "tables", "smarty"]
    for rendered in (common.render(text), markdown.markdown(text, extensions=wide)):
        assert (
            re.search(r"<(img|table|del|s|em|strong|hr|blockquote|h[14-6])\b(?!>Evidence)", rendered) is None
        )
        assert rendered.count("onerror=") >= rendered.count("<pre>") == 5
        assert [link for link in re.findall(r'href="([^"]+)"', rendered) if not link.startswith(root)] == []


def test_the_evidence_page_says_what_it_needs_script_for(visit: Visitor):
    """Without script the page tells what it would show, and why it cannot."""
    text = visit("/evidence/", java_script_enabled=False).text()
    assert "needs script" in text
    assert "on no server" in text
    assert "Nothing is kept" not in text


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_question_before_removing_is_accessible(visit: Visitor, scheme: str):
    """With something on the page and its question open, no rule of access is broken, wide and narrow."""
    page = visit(LESSON, scheme=scheme, reduced_motion="reduce").page
    prediction(page).fill(TYPED)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        go(page, "/evidence/")
        expect(page.locator(".bb-evidence pre")).to_be_visible()
        page.get_by_text("Copy as Markdown").hover()
        assert list(violations(page)) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.get_by_text("Remove everything kept here").click()
        assert list(violations(page)) == []


def test_evidence_is_copied_as_it_is_downloaded(visit: Visitor):
    """The copy button and the download give the same Markdown."""
    page = visit(LESSON, permissions=["clipboard-read", "clipboard-write"]).page
    prediction(page).fill(TYPED)
    go(page, "/evidence/")
    text = export(page)
    page.get_by_text("Copy as Markdown").click()
    expect(page.locator(".md-dialog--active")).to_have_text("Copied to clipboard")
    assert page.evaluate("navigator.clipboard.readText()").strip() == text.strip()
