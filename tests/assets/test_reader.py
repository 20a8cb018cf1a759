"""What the scripts do together: they speak to nobody, and may be started twice."""

import re

import pytest

from tests.assets.keeping import LESSON, PROJECT
from tests.browser import Visitor

SCRIPTS = sorted((PROJECT.docs / "assets").glob("*.js"))
WAYS = r"""(?x) XMLHttpRequest | sendBeacon | WebSocket | EventSource
  | innerHTML | outerHTML | insertAdjacentHTML | document\.write | eval\( | new\ Function"""
AGAIN = """async () => {
  const names = ["lesson", "term", "content"];
  const modules = await Promise.all(names.map(name => import(`../../assets/${name}.js`)));
  modules.flatMap(Object.values).forEach(start => start());
}"""


def test_the_scripts_speak_to_nobody():
    """No script can send what was written, or make markup or code of it; one asks for the glossary."""
    asks = [path.name for path in SCRIPTS if "fetch(" in path.read_text()]
    assert asks == ["term.js"]
    assert "localStorage" not in (SCRIPTS[0].parent / "term.js").read_text()
    for path in SCRIPTS:
        assert re.search(WAYS, path.read_text()) is None, path.name


@pytest.mark.browser
def test_a_second_start_changes_nothing(visit: Visitor):
    """A theme that tells twice of one page gets one field, one button and one box for each."""
    page = visit(LESSON).page
    count = "document.querySelectorAll('article textarea, article input, article button').length"
    page.get_by_label("I have worked through this lesson").wait_for()
    before = page.evaluate(count)
    page.evaluate(AGAIN)
    assert page.evaluate(count) == before > 0


@pytest.mark.browser
def test_printing_opens_what_is_folded(visit: Visitor):
    """Every answer is open on paper, and afterwards what was closed is closed again."""
    page = visit(LESSON).page
    opened = "[...document.querySelectorAll('article details')].map(node => node.open)"
    page.locator("details summary").first.click()
    before = page.evaluate(opened)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert all(page.evaluate(opened))
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(opened) == before
    assert before.count(True) == 1
