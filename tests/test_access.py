"""Every page of the site as readers meet it: light, dark, wide, narrow, printed, and after their own work."""

import pytest
from playwright.sync_api import Browser

from tests.browser import Visitor
from tests.conftest import SOAK
from tests.survey import ALL_LOOKS, LOOKS, SCHEMES, TALL, Findings, looks, survey, violations

pytestmark = pytest.mark.browser
LESSON = "/jit/compile/"
PARTS = 4  # of the pages, so that several processes look at them
FIRST = tuple(SCHEMES)
PLANTED = """<!doctype html><html><title>T</title><body style="background:#fff;color:#aaa">
<p>pale</p><img src="data:,"><button style="width:9px;height:9px;padding:0">x</button
><button style="width:9px;height:9px;padding:0">y</button></body></html>"""
ALIKE = """<!doctype html><html lang="en"><title>T</title><style>
p { color: #666 } .dim { opacity: .3 } .grey { background: #bbb }</style>
<main><h1>T</h1><p>one</p><p>two</p><p>three</p><p>four</p><p id="dim" class="dim">five</p>
<div class="grey"><p id="ground">six</p></div><div class="dim"><p id="above">seven</p></div>
<table><tr><td>eight</td><td>nine</td><td style="color: #ccc" id="cell">ten</td></tr></table></main></html>"""


@pytest.fixture(scope="module", params=range(PARTS), ids=lambda part: f"part {part}")
def found(
    request: pytest.FixtureRequest, browser: Browser, url: str, addresses: list[str]
) -> dict[str, Findings]:
    """What one look at each page found, by address: the pages of one part, and each page is in one.

    Every other page is opened in dark, and then turned to light.
    """
    visitor, numbered = Visitor(browser, url), list(enumerate(addresses))
    chosen = numbered[request.param :: PARTS]
    return {address: survey(visitor, address, first=FIRST[n // PARTS % 2]) for n, address in chosen}


def test_the_survey_sees_what_is_planted(visit: Visitor):
    """A page with a few mistakes on purpose is caught at each of them."""
    page = visit("/404.html").page
    page.set_content(PLANTED)
    expected = {"color-contrast", "image-alt", "html-has-lang", "target-size"}
    assert expected <= {text.partition(":")[0] for text in violations(page)}


def test_what_only_seems_alike_is_looked_at(visit: Visitor):
    """Where an element's own colour, its ground or anything around it differs, its contrast is taken too."""
    page = visit("/404.html").page
    page.set_content(ALIKE)
    pale = {text.split(": ")[1] for text in violations(page) if text.startswith("color-contrast")}
    assert pale == {"#dim", "#ground", "#above", "#cell"}
    assert SOAK or page.locator("[data-alike]").count() == 1


def test_every_look_is_drawn():
    """Of many pages some are looked at in each way, and a page that changes may be looked at in another."""
    drawn = [looks(b"page %d" % number) for number in range(40)]
    assert {look for look_at in drawn for look in look_at} == set(ALL_LOOKS if SOAK else LOOKS)
    assert all(len(look_at) == (len(ALL_LOOKS) if SOAK else 1) for look_at in drawn)


def _nowhere(what: str, found: dict[str, Findings], subtests: pytest.Subtests) -> None:
    """Fails for each page that has some of it, and lists it."""
    for address, findings in found.items():
        with subtests.test(page=address):
            listed = getattr(findings, what)
            assert listed == [], "\n".join(listed)


def test_no_rule_of_wcag_is_broken(found: dict[str, Findings], subtests: pytest.Subtests):
    """On no page does axe find a violation of WCAG 2.2 AA: unfolded, light and wide or dark and narrow."""
    _nowhere("broken", found, subtests)


def test_a_narrow_screen_scrolls_one_way(found: dict[str, Findings], subtests: pytest.Subtests):
    """At 320 pixels nothing makes a page wider than the screen, with everything unfolded."""
    _nowhere("wide", found, subtests)


def test_a_page_opens_without_a_fault(found: dict[str, Findings], subtests: pytest.Subtests):
    """No page logs an error, or asks for what is not there."""
    _nowhere("faults", found, subtests)


def test_a_page_asks_no_other_host(found: dict[str, Findings], subtests: pytest.Subtests):
    """Whatever a page needs comes from the site itself."""
    _nowhere("elsewhere", found, subtests)


def test_a_printer_prints_what_is_folded(found: dict[str, Findings], subtests: pytest.Subtests):
    """Every answer, hint and solution is on paper, since paper does not unfold."""
    _nowhere("unprinted", found, subtests)


def test_nothing_moves_for_who_asked_for_less_motion(found: dict[str, Findings], subtests: pytest.Subtests):
    """Where the system asks for reduced motion, every change is over in a blink."""
    _nowhere("moving", found, subtests)


def test_a_page_takes_the_scheme_of_the_reader(found: dict[str, Findings], subtests: pytest.Subtests):
    """A page is dark where the reader's system is, and light where it is not."""
    for address, findings in found.items():
        with subtests.test(page=address):
            assert findings.schemes == SCHEMES


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_a_reader_has_done_is_accessible(visit: Visitor, url: str, scheme: str):
    """A term's popover, a lesson that was worked through, and the page that gathers it all keep the rules."""
    page = visit(LESSON, scheme=scheme, reduced_motion="reduce").page
    page.set_viewport_size({"width": 1280, "height": TALL})
    page.locator("a.bb-term").first.hover()
    page.locator(".bb-popover").wait_for()
    assert [*violations(page)] == []
    page.locator(".bb-predict textarea").first.fill("All three are alike.")
    page.locator(".bb-option summary").first.press("Enter")
    page.locator("article input[type=checkbox]").first.check()
    assert [*violations(page)] == []
    page.goto(f"{url}/evidence/")
    page.get_by_text("All three are alike.").wait_for()
    assert [*violations(page)] == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("scheme", SCHEMES)
def test_search_and_menu_are_accessible(visit: Visitor, scheme: str):
    """Results of a search, and the menu of a narrow screen, keep the rules while they are open."""
    page = visit("/", scheme=scheme, width=320, reduced_motion="reduce").page
    page.locator("label.md-header__button[for=__drawer]").click()
    page.get_by_role("link", name="Glossary").first.wait_for()
    assert [*violations(page)] == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.locator("[data-md-component=search-query]").first.press_sequentially("compile")
    page.locator(".md-search-result__link").first.wait_for()
    assert [*violations(page)] == []
