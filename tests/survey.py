"""One look at one page in every light: what a rule of WCAG, a narrow screen or a printer would say of it."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from zlib import crc32

import playwright.sync_api
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser import Visitor
from tests.conftest import SOAK

SCHEMES = {"light": "default", "dark": "slate"}
WIDTHS = (1280, 320)
# Where axe looks: contrast depends on the scheme, the size of a target on the width, and nothing on both. A
# page has one of these looks, which its bytes draw: the same today and tomorrow, and drawn anew when it
# changes. `make soak` looks at each page at each width in each scheme.
LOOKS = (("light", 1280), ("dark", 320))
ALL_LOOKS = tuple((scheme, width) for scheme in SCHEMES for width in WIDTHS)
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

# Everything that a reader can unfold is unfolded, since axe looks at what is in view only.
UNFOLD = """() => {
  document.querySelectorAll("details").forEach(node => node.open = true);
  const style = document.createElement("style");
  style.textContent = ".tabbed-block { display: block !important }";
  document.head.append(style);
}"""
# Nine tenths of axe's time go to the contrast of thousands of cells and words in a dozen looks. Of elements
# with the same look on the same ground, at places of the same kind, axe takes the contrast of the first few
# that are words: there is nothing in the others that was not looked at. `make soak` has it take each one's.
ALIKE = """() => {
  const few = 3, seen = new Map(), looks = new Map();
  const says = part => part.nodeType == Node.TEXT_NODE && /\\w\\w/.test(part.data);
  const look = node => {
    if (!looks.has(node)) {
      const above = node.parentElement ? look(node.parentElement) : { place: "", ground: "", dim: 1 };
      const style = getComputedStyle(node);
      const own = style.backgroundImage != "none" || style.backgroundColor != "rgba(0, 0, 0, 0)";
      const ground = own ? `${style.backgroundColor} ${style.backgroundImage}` : above.ground;
      const place = `${above.place}>${node.localName}.${node.className}`;
      const words = [style.color, style.fontWeight, style.fontSize, style.textShadow, style.position];
      looks.set(node, { place, ground, dim: above.dim * style.opacity, words });
    }
    return looks.get(node);
  };
  for (const node of document.querySelectorAll("body *")) {
    node.removeAttribute("data-alike");
    if (!node.checkVisibility()) continue;
    const { place, ground, dim, words } = look(node), key = [place, ground, dim, ...words].join("|");
    const count = seen.get(key) ?? 0;
    if (count == few) node.setAttribute("data-alike", "");
    else if ([...node.childNodes].some(says)) seen.set(key, count + 1);
  }
  const other = ":not([data-alike])";
  axe.configure({ rules: [
    { id: "color-contrast", selector: `*${other}` },
    { id: "link-in-text-block", selector: `a[href]${other}, [role=link]${other}` },
  ] });
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
    if not SOAK:
        page.evaluate(ALIKE)
    for rule in page.evaluate(ASK, OPTIONS):
        for node in rule["nodes"]:
            place = " ".join(str(part) for part in node["target"])
            yield f"{rule['id']}: {place}: {' '.join(node['failureSummary'].split())}"


def looks(sent: bytes) -> Collection[tuple[str, int]]:
    """Where axe looks at a page with these bytes."""
    return ALL_LOOKS if SOAK else {LOOKS[crc32(sent) % len(LOOKS)]}


def survey(visit: Visitor, address: str, *, first: str = "light") -> Findings:
    """Opens a page in one scheme and looks at it wide, narrow, printed and unfolded, then in the other.

    The system changes its scheme while the page is open. `make soak` opens the page in each scheme anew.
    """
    found = Findings()
    opened = None
    for scheme in sorted(SCHEMES, key=first.__ne__):
        if opened is None or SOAK:
            opened = visit(address, scheme=scheme, reduced_motion="reduce")
            if scheme == first:
                _read(opened.page, found)
            opened.page.evaluate(UNFOLD)
            chosen = looks(opened.answers[0].body())
        else:
            turn(opened.page, scheme)
        page = opened.page
        found.schemes[scheme] = page.evaluate("document.body.dataset.mdColorScheme")
        for width in WIDTHS:
            _look(page, found, scheme=scheme, width=width, axe=(scheme, width) in chosen)
        if SOAK or scheme != first:
            page.wait_for_load_state("networkidle")
            found.faults += opened.faults
            found.elsewhere += opened.elsewhere
            visit.leave()
    return found


def turn(page: Page, scheme: str) -> None:
    """Has the system change its colour scheme, and waits until the page has followed it."""
    page.emulate_media(color_scheme=scheme)
    with suppress(playwright.sync_api.TimeoutError):
        page.wait_for_function("name => document.body.dataset.mdColorScheme == name", arg=SCHEMES[scheme])


def _read(page: Page, found: Findings) -> None:
    """What moves, and what a printer leaves out, as the page is before it is unfolded."""
    found.moving = page.evaluate(MOVING, BLINK)
    page.emulate_media(media="print")
    found.unprinted = page.evaluate(LEFT_OUT)
    page.emulate_media(media="screen")


def _look(page: Page, found: Findings, *, scheme: str, width: int, axe: bool) -> None:
    page.set_viewport_size({"width": width, "height": TALL})
    if axe:
        found.broken += [f"{scheme} {width}: {text}" for text in violations(page)]
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.wide.append(f"{scheme} {width}: {wide} pixels")
