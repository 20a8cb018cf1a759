"""With a keyboard alone: where one is can be seen, nothing covers it, and everything opens."""

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import playwright.sync_api
import pytest
from matplotlib.image import imread
from playwright.sync_api import Page

from tests.browser import HEIGHT, Visitor
from tests.conftest import SOAK
from tests.survey import SCHEMES, UNFOLD

pytestmark = pytest.mark.browser
LESSON = "/jit/compile/"
WIDTH = 1280
# Presses of a key on a page: through all of one lesson, some on every page, and fewer on one whose like was
# walked through before. `make soak` walks through every page.
ALL = 600
STEPS = ALL if SOAK else 40
AGAIN = ALL if SOAK else 12
AROUND = 8  # pixels beside an element that belong to its ring
VISIBLE = 24 / 255  # of a pixel's range: less is the noise of drawing
# What has the focus, and the box that stands for it: a radio button that is not drawn has its label. It is
# seen if nothing else lies over its middle, or over one of its corners.
FOCUSED = """() => {
  const node = document.activeElement;
  if (!node || node == document.body) return null;
  const drawn = node.offsetWidth && node.offsetHeight ? node : node.labels?.[0] ?? node;
  const { x, y, width, height } = drawn.getBoundingClientRect();
  const seen = [[.5, .5], [.05, .1], [.95, .1], [.05, .9], [.95, .9]].some(([right, down]) => {
    const there = document.elementFromPoint(x + right * width, y + down * height);
    return there && (drawn.contains(there) || there.contains(drawn));
  });
  return { kind: [node.localName, node.type, ...node.classList].join(" "), text: drawn.textContent.trim(),
    seen, x, y, width, height };
}"""
SOON = 1_000  # milliseconds that a popover may take to go
TABS = """<div class="tabbed-set tabbed-alternate" data-tabs="9:2">
<input checked id="one" name="tabs" type="radio"><input id="two" name="tabs" type="radio">
<div class="tabbed-labels"><label for="one">cpu</label><label for="two">cuda</label></div>
<div class="tabbed-content"><div class="tabbed-block">one</div>
<div class="tabbed-block">two</div></div></div>"""


@dataclass
class Walk:
    """What a walk with the Tab key met.

    Attributes:
        kinds: One element of each kind that took the focus, as words, with whether its focus was seen.
        covered: What had the focus and could not be seen.
    """

    kinds: dict[str, bool]
    covered: list[str]


@pytest.fixture(scope="module")
def walks(browser: Any, url: str, addresses: list[str]) -> dict[str, Walk]:
    """A walk through each page, unfolded; of each kind of element the first one of the site is looked at."""
    visitor = Visitor(browser, url)
    known: set[str] = set()
    walked = {_kind(LESSON)}
    found = {}
    for address in addresses:
        page = visitor(address, width=WIDTH, reduced_motion="reduce").page
        page.evaluate(UNFOLD)
        if known:  # the frame around it was walked through
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
        steps = ALL if address == LESSON else AGAIN if _kind(address) in walked else STEPS
        walked.add(_kind(address))
        found[address] = walk(page, "Tab", known, steps=steps)
        if address == LESSON:
            back = walk(page, "Shift+Tab", known, steps=STEPS)
            found[address].covered += [f"backwards: {text}" for text in back.covered]
        visitor.leave()
    return found


def _kind(address: str) -> str:
    """What pages of one kind share: lessons, their runs, their notebooks; any other page is its own kind."""
    top, _, rest = address.strip("/").partition("/")
    return top if top in {"runs", "notebooks"} else "lesson" if rest else address


def walk(page: Page, key: str, known: set[str], *, steps: int) -> Walk:
    """Presses a key until the focus leaves the page."""
    found = Walk({}, [])
    for _ in range(steps):
        page.keyboard.press(key)
        focused = page.evaluate(FOCUSED)
        if focused is None:
            break
        name = f"{focused['kind']} {focused['text'][:30]!r}"
        if not focused["seen"] and not _is_uncovered(page):
            found.covered.append(name)
            continue
        if focused["kind"] not in known:
            known.add(focused["kind"])
            found.kinds[name] = _is_shown(page, focused)
    return found


def _is_uncovered(page: Page) -> bool:
    try:
        page.wait_for_function(f"({FOCUSED})()?.seen", timeout=SOON)
    except playwright.sync_api.TimeoutError:
        return False
    return True


def _is_shown(page: Page, box: dict[str, float]) -> bool:
    """Whether focus changes as much of the picture as a line along the element would, in each scheme."""
    x, y = max(0, box["x"] - AROUND), max(0, box["y"] - AROUND)
    wide = min(box["width"] + 2 * AROUND, WIDTH - x)
    high = min(box["height"] + 2 * AROUND, HEIGHT - y)
    clip = {"x": x, "y": y, "width": wide, "height": high}
    with_focus = _pictures(page, clip)
    page.evaluate("document.activeElement.blur()")
    changed = [
        np.count_nonzero(np.abs(one - other).max(axis=2) > VISIBLE)
        for one, other in zip(with_focus, _pictures(page, clip), strict=True)
    ]
    return min(changed) >= min(wide + high - 4 * AROUND, WIDTH / 4)


def _pictures(page: Page, clip: Any) -> list[Any]:
    found = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found.append(imread(io.BytesIO(page.screenshot(clip=clip, animations="disabled")))[..., :3])
    return found


def test_focus_is_seen_wherever_it_goes(walks: dict[str, Walk], subtests: pytest.Subtests):
    """Tabs, folds, options, fields, links, tables: each kind of element shows that it has the focus."""
    assert sum(len(walk.kinds) for walk in walks.values()) > 15
    for address, found in walks.items():
        with subtests.test(page=address):
            unseen = [kind for kind, shown in found.kinds.items() if not shown]
            assert unseen == [], "\n".join(unseen)


def test_nothing_covers_what_has_the_focus(walks: dict[str, Walk], subtests: pytest.Subtests):
    """No header, bar or popover hides an element that took the focus."""
    for address, found in walks.items():
        with subtests.test(page=address):
            assert found.covered == [], "\n".join(found.covered)


def test_tabs_turn_with_the_arrow_keys(visit: Visitor):
    """Of two backends in a set of tabs one is seen, and an arrow key shows the other, without script too."""
    page = visit(LESSON, java_script_enabled=False).page
    page.locator("article").evaluate(
        "(article, html) => article.insertAdjacentHTML('afterbegin', html)", TABS
    )
    page.locator("#one").focus()
    panels = page.locator(".tabbed-block").all()[:2]
    assert [panel.is_visible() for panel in panels] == [True, False]
    page.keyboard.press("ArrowRight")
    assert [panel.is_visible() for panel in panels] == [False, True]


@pytest.mark.parametrize(
    ("box", "opened"), [("Menu", ".md-nav--primary a"), ("Search", ".md-search__output")]
)
def test_what_a_phone_hides_behind_a_button_opens(visit: Visitor, box: str, opened: str):
    """Tab reaches the menu and the search, the space bar opens each, and its button shows the focus."""
    page = visit(LESSON, width=320).page
    box_focused = f"document.activeElement?.ariaLabel === {box!r}"
    for _ in range(3):
        page.keyboard.press("Tab")
        if page.evaluate(box_focused):
            break
    assert page.evaluate(box_focused)
    button = page.locator(f".md-header label[for={page.evaluate('document.activeElement.id')}]").first
    assert button.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    page.keyboard.press("Space")
    page.wait_for_function(
        "query => { const box = document.querySelector(query).getBoundingClientRect();"
        " return box.left >= 0 && box.right <= innerWidth && box.width > 0; }",
        arg=opened,
    )


@pytest.mark.parametrize("script", [True, False])
def test_an_option_of_a_question_opens(visit: Visitor, script: bool):
    """Enter shows what an option's feedback says, and Enter hides it, with script and without."""
    page = visit(LESSON, java_script_enabled=script).page
    option = page.locator(".bb-question .bb-option").first
    option.locator("summary").focus()
    judgement = option.locator(".bb-judgement")
    assert not judgement.is_visible()
    page.keyboard.press("Enter")
    assert judgement.is_visible()
    page.keyboard.press("Enter")
    assert not judgement.is_visible()


def test_every_fold_of_a_lesson_opens(visit: Visitor):
    """Answers, hints and solutions are closed at first, and Enter shows what is in each."""
    page = visit(LESSON).page
    folds = page.locator("article details")
    assert folds.count() > 10
    assert folds.evaluate_all("nodes => nodes.filter(node => node.open).length") == 0
    for fold in folds.all():
        fold.locator("summary").first.press("Enter")
        assert fold.locator("> :not(summary)").first.is_visible()
