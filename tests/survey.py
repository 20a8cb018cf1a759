"""One look at one page in every light: what a rule of WCAG, a narrow screen or a printer would say of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser import Visitor
from tests.conftest import SOAK

SCHEMES = {"light": "default", "dark": "slate"}
WIDTHS = (1280, 320)
# Where axe looks: contrast depends on the scheme, the size of a target on the width, and nothing on both.
# `make soak` looks at each width in each scheme.
LOOKS = (
    {(scheme, width) for scheme in SCHEMES for width in WIDTHS} if SOAK else {("light", 1280), ("dark", 320)}
)
TALL = 4_000  # pixels, so that no list beside the text is cut through a link, which axe takes for a small one
AXE = Axe().axe_script
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": TAGS},
    "rules": {"target-size": {"enabled": True}},  # axe leaves it out unless it is asked for
    "resultTypes": ["violations"],
    "preload": False,  # the only other documents are figures
}
ASK = "async options => (await axe.run(document, options)).violations"
BLINK = 0.05  # seconds that something may take to change where a reader asked for less motion

# Everything that a reader can unfold is unfolded, since axe looks at what is in view only. And code has
# thousands of words in a dozen colours: one of each, on each ground, stays as it is, and the others become
# plain text. There is nothing in them that was not looked at, and axe needs a third of the time.
UNFOLD = """() => {
  document.querySelectorAll("details").forEach(node => node.open = true);
  const style = document.createElement("style");
  style.textContent = ".tabbed-block { display: block !important }";
  document.head.append(style);
  const ground = node => {
    const colour = getComputedStyle(node).backgroundColor;
    return colour == "rgba(0, 0, 0, 0)" && node.parentElement ? ground(node.parentElement) : colour;
  };
  const seen = new Set(), again = [];
  for (const word of document.querySelectorAll("pre span:not(:has(*))")) {
    const look = getComputedStyle(word);
    const key = [look.color, look.opacity, look.fontWeight, look.fontSize, ground(word)].join();
    seen.has(key) ? again.push(word) : seen.add(key);
  }
  again.forEach(word => word.replaceWith(word.textContent));
}"""
# A closed part whose content a printer would leave out, as the first words of its summary.
LEFT_OUT = """() => [...document.querySelectorAll("details")]
  .filter(node => [...node.children].some(part => part.localName != "summary" && !part.checkVisibility()))
  .map(node => node.querySelector("summary").textContent.trim().slice(0, 40))"""
MOVING = """limit => {
  const seconds = text => Math.max(...text.split(",").map(parseFloat));
  const found = new Set();
  for (const node of document.querySelectorAll("*"))
    for (const part of ["", "::before", "::after"]) {
      const style = getComputedStyle(node, part);
      const moves = (style.animationName != "none" && seconds(style.animationDuration) > limit)
        || seconds(style.transitionDuration) > limit || style.scrollBehavior == "smooth";
      if (moves) found.add(node.localName + "." + [...node.classList].join(".") + part);
    }
  return [...found];
}"""


@dataclass
class Findings:
    """What was found on one page.

    Attributes:
        broken: Rules of WCAG that are broken: where it was looked, the rule, the element, what axe says.
        wide: Where the page itself is wider than the screen.
        schemes: The colour scheme that the page took, by the one that was asked for.
        faults: Console errors, exceptions, requests that failed.
        elsewhere: Requests to other hosts.
        unprinted: Folded parts that are not printed.
        moving: Elements that move for a reader who asked for less motion.
    """

    broken: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    schemes: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    unprinted: list[str] = field(default_factory=list)
    moving: list[str] = field(default_factory=list)


def violations(page: Page) -> Iterator[str]:
    """What axe has to say of the page as it is now: the rule, the element, and why."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    for rule in page.evaluate(ASK, OPTIONS):
        for node in rule["nodes"]:
            place = " ".join(str(part) for part in node["target"])
            yield f"{rule['id']}: {place}: {' '.join(node['failureSummary'].split())}"


def survey(visit: Visitor, address: str) -> Findings:
    """Opens a page in light and in dark, and looks at it wide, narrow, printed and unfolded."""
    found = Findings()
    for scheme in SCHEMES:
        opened = visit(address, scheme=scheme, reduced_motion="reduce")
        page = opened.page
        found.schemes[scheme] = page.evaluate("document.body.dataset.mdColorScheme")
        if scheme == "light":
            found.moving = page.evaluate(MOVING, BLINK)
            page.emulate_media(media="print")
            found.unprinted = page.evaluate(LEFT_OUT)
            page.emulate_media(media="screen")
        page.evaluate(UNFOLD)
        for width in WIDTHS:
            _look(page, found, scheme=scheme, width=width)
        page.wait_for_load_state("networkidle")
        found.faults += opened.faults
        found.elsewhere += opened.elsewhere
        visit.leave()
    return found


def _look(page: Page, found: Findings, *, scheme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": TALL})
    if (scheme, width) in LOOKS:
        found.broken += [f"{scheme} {width}: {text}" for text in violations(page)]
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.wide.append(f"{scheme} {width}: {wide} pixels")
