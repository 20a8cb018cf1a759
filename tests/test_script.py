"""Without script every page has its words, numbers, figures and answers; script adds ways to use them."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import Visitor
from tests.built import file, having, text, tree
from tests.survey import UNFOLD

pytestmark = pytest.mark.browser
UNREAD = {"script", "style", "template", "annotation"}  # elements whose text no reader sees
TOKEN = re.compile(r"\w+|[^\w\s]")
BLANK = "() => [...document.images].filter(i => i.checkVisibility() && !i.naturalWidth).map(i => i.src)"


def _squeezed(written: str) -> str:
    """Characters without spaces or style: browsers show formulas slanted, and some words in capitals."""
    return "".join(unicodedata.normalize("NFKC", written).casefold().split())


def _unescaped(script: str) -> str:
    """A script with the characters that it spells as numbers."""
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), script)


def _written(article: Element) -> str:
    """What the file of a page says, but for the name of a tab that has no other beside it."""
    for node in article.iter():
        if node.tag in UNREAD:
            node.clear()
    for labels in having(article, "tabbed-labels"):
        if len(labels) == 1:
            labels.clear()
    return "".join(article.itertext())


def _read(page: Page) -> str:
    """What can be read of the article, with everything unfolded."""
    page.evaluate(UNFOLD)
    return page.locator("article").inner_text()


@dataclass(frozen=True)
class Reading:
    """What can be read of a page.

    Attributes:
        plain: All text, as it is read without script.
        without: Its words, but for what script exchanges whole.
        having: The same with script.
        blank: Images in view that have no picture without script.
    """

    plain: str
    without: Counter[str]
    having: Counter[str]
    blank: list[str]


@pytest.fixture(scope="module")
def readings(browser: Browser, url: str, addresses: list[str]) -> dict[str, Reading]:
    """Each page without script and with it."""
    visitor = Visitor(browser, url)
    return {address: _reading(visitor, address) for address in addresses}


def _reading(visit: Visitor, address: str) -> Reading:
    page = visit(address, java_script_enabled=False).page
    blank = page.evaluate(BLANK)
    plain = _read(page)
    without = _words(page)
    page = visit(address).page
    found = Reading(plain, without, _words(page), blank)
    visit.leave()
    return found


def _words(page: Page) -> Counter[str]:
    """The words that can be read, but for what script exchanges whole.

    That is the evidence page's sentence on what it would show, and the address in a command to copy.
    """
    page.evaluate("document.querySelectorAll('.bb-evidence, .bb-run').forEach(node => node.remove())")
    return Counter(TOKEN.findall(_read(page)))


def test_every_word_is_read_without_script(
    readings: dict[str, Reading], site: Path, subtests: pytest.Subtests
):
    """What stands in the file of a page is in view with script off, once its folds are open."""
    for address, found in readings.items():
        with subtests.test(page=address):
            article = next(tree(file(site, address).read_text()).iter("article"))
            assert _squeezed(found.plain) == _squeezed(_written(article))


def test_script_takes_no_word_away(readings: dict[str, Reading], subtests: pytest.Subtests):
    """A page with script has every word that it has without."""
    for address, found in readings.items():
        with subtests.test(page=address):
            assert found.without - found.having == Counter()


def test_script_adds_only_its_own_words(readings: dict[str, Reading], site: Path, subtests: pytest.Subtests):
    """Beyond the words of the page there are only those that our scripts hold: names of buttons."""
    own = {
        word
        for path in (site / "assets").glob("*.js")
        for word in TOKEN.findall(_unescaped(path.read_text()))
    }
    for address, found in readings.items():
        with subtests.test(page=address):
            assert set(found.having - found.without) - own == set()


def test_figures_load_without_script(readings: dict[str, Reading], subtests: pytest.Subtests):
    """Every image that is in view has its picture."""
    for address, found in readings.items():
        with subtests.test(page=address):
            assert found.blank == []


def test_answers_are_among_the_words(readings: dict[str, Reading], site: Path):
    """A lesson has thousands of words for the tests above to compare, and its answers are among them."""
    found = readings["/jit/compile/"]
    assert found.without.total() > 5_000
    article = next(tree(file(site, "/jit/compile/").read_text()).iter("article"))
    answers = [node for kind in ("bb-judgement", "bb-answer", "bb-fold") for node in having(article, kind)]
    assert len(answers) > 10
    assert [text(node) for node in answers if _squeezed(text(node)) not in _squeezed(found.plain)] == []
