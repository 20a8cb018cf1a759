"""A term's definition is beside it, by mouse, by keyboard and by touch."""

import re

import pytest
from playwright.sync_api import expect

from tests.assets.keeping import LESSON, alter, is_at_peace
from tests.browser import HEIGHT, Visitor
from tests.survey import WIDTHS

pytestmark = pytest.mark.browser


def test_a_term_is_explained_beside_it(visit: Visitor):
    """Hover and keyboard focus show a definition that can be pointed at, stays, and goes with Escape."""
    visited = visit(LESSON)
    page = visited.page
    page.clock.install()
    page.reload(wait_until="networkidle")  # so that all of it goes by the same clock
    term, popover = page.locator(".bb-term[href$=first-call]").first, page.locator(".bb-popover")
    assert term.get_attribute("title") is None  # the browser's own tip would stand beside it
    term.hover()
    page.clock.run_for(1000)
    expect(popover).to_contain_text("A call that also traces, lowers and compiles")
    expect(popover).to_contain_text("Taught in Compile")
    expect(term).to_have_attribute("aria-description", re.compile("A call that also traces"))
    popover.hover()
    page.clock.run_for(60_000)
    expect(popover).to_be_visible()
    page.keyboard.press("Escape")
    expect(popover).to_be_hidden()
    page.mouse.move(0, 0)
    term.focus()  # after a key, the browser shows where the focus is
    expect(popover).to_be_visible()
    links = popover.get_by_role("link").all()
    assert [link.inner_text() for link in (links[0], links[-1])] == ["Compile", "Glossary"]
    for link in links:
        page.keyboard.press("Tab")
        expect(link).to_be_focused()
    page.keyboard.press("Escape")
    expect(popover).to_be_hidden()
    expect(term).to_be_focused()
    term.blur()
    term.focus()
    expect(popover).to_be_visible()
    page.mouse.click(5, 5)
    expect(popover).to_be_hidden()
    page.mouse.move(0, 0)
    page.clock.run_for(1000)
    term.hover()
    page.clock.run_for(1000)
    expect(popover).to_be_visible()
    page.mouse.move(0, 0)
    page.clock.run_for(1000)
    expect(popover).to_be_hidden()
    is_at_peace(visited)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_definition_is_within_the_window(visit: Visitor, width: int):
    """Wherever a term stands, what it shows is on the screen, and scrolls with the page."""
    page = visit(LESSON, width=width).page
    popover = page.locator(".bb-popover")
    for term in page.locator(".bb-term").all()[::5]:
        term.scroll_into_view_if_needed()
        page.mouse.move(0, 0)
        expect(popover).to_be_hidden()
        term.hover()
        expect(popover).to_be_visible()
        box = popover.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= HEIGHT


def test_a_term_of_two_paragraphs_is_taught_too(visit: Visitor):
    """However long an entry is, its first line and where it is taught are shown, and nothing of the next."""
    visited = visit(LESSON)
    more = '<p>A second paragraph.</p><div class="highlight">code</div>'
    changes = {"first-call": more, "xla": '<h3 id="other">other</h3>'}
    entries = [(rf'<h3 [^>]*id="{name}".*?</p>', text) for name, text in changes.items()]
    page = alter(visited, *entries, path="/glossary/")
    popover = page.locator(".bb-popover")
    page.locator(".bb-term[href$=first-call]").first.hover()
    expect(popover).to_contain_text("A call that also traces")
    expect(popover).to_contain_text("Taught in Compile")
    expect(popover).not_to_contain_text("second")
    expect(popover.get_by_role("link", name="Compile")).to_have_attribute("href", re.compile(LESSON))
    page.mouse.move(0, 0)
    expect(popover).to_be_hidden()
    page.locator(".bb-term[href$=xla]").first.hover()
    expect(popover).to_contain_text("The compiler that turns")
    expect(popover).not_to_contain_text("Taught")  # that is said of the next


def test_on_touch_a_term_is_a_link(visit: Visitor):
    """A finger shows no definition, however long it rests; a tap goes to the glossary."""
    page = visit(LESSON, has_touch=True, width=360).page
    term, popover = page.locator(".bb-term").first, page.locator(".bb-popover")
    page.clock.install()
    for kind, count in (("touch", 0), ("mouse", 1)):
        term.dispatch_event("pointerenter", {"pointerType": kind})
        page.clock.run_for(1000)
        expect(popover).to_have_count(count)
    target = term.evaluate("node => node.href")
    term.tap()
    page.wait_for_url(target)
