"""Chromium as the browser tests use it: one that is installed, without a word to any host but the site's."""

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Response, sync_playwright

from audit import browser as installed

# What Chromium leaves out. A new window draws the list of its address bar as two pages of its own, and starts
# a process for a page that may come: half of what it costs to open a page, and nothing that a page can tell.
# Of two such lists Chromium takes the last, so the others are those of Playwright's.
WITHOUT = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding", "OptimizationHints",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin",
    "NetworkTimeServiceQuerying", "PreconnectToSearch", "AimEnabled",
)  # fmt: skip
FLAGS = [
    "--headless",
    "--no-sandbox",  # CI runs as root, where Chromium's sandbox refuses to start
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(WITHOUT)}",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no other host can be reached at all
]
SCROLL = """async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
    scrollTo(0, y);
    await new Promise(requestAnimationFrame);
  }
}"""
# Our script comes after the page, part by part; the last of them is there, or the page has none.
LISTENS = """() => !document.querySelector("script[src$='reader.js']")
  || performance.getEntriesByType("resource").some(entry => entry.name.endsWith("/term.js"))"""
PATIENCE = 15_000  # milliseconds that anything on a page may take, on a machine with other work
HEIGHT = 800  # pixels of the window


def executable() -> str:
    """The path of a Chromium that starts.

    Without one the test is skipped; where ``CI`` is set it fails, so that no check is lost unseen.
    """
    if path := installed.find():
        return path
    reason = f"no browser that starts was found; {installed.HINT}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A started browser."""
    path = executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's own name
        """Says nothing: a request is no news to a test."""


@contextmanager
def served(folder: Path, *, host: type[Quiet] = Quiet) -> Iterator[str]:
    """Serves a folder on a free port of the loopback address, and gives its URL without a last slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(host, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def squeeze(text: str) -> str:
    """The text with every run of white space made one space."""
    return re.sub(r"\s+", " ", text).strip()


@dataclass
class Visit:
    """An open page, with what went wrong on it.

    Attributes:
        page: Playwright's page.
        faults: Console errors, uncaught exceptions, failed requests, answers that are errors.
        elsewhere: Requests to any host but the site's.
        answers: Everything that was sent for it.
    """

    page: Page
    answers: list[Response] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    @property
    def article(self) -> Locator:
        """The page's own text, without the frame around it."""
        return self.page.locator("article")

    def see_all(self) -> None:
        """Scrolls through the page, so that what loads late is loaded."""
        self.page.evaluate(SCROLL)
        self.page.wait_for_load_state("networkidle")

    def text(self) -> str:
        """All text of the article, folded parts too."""
        return squeeze(self.article.evaluate("node => node.textContent"))


@dataclass
class Visitor:
    """Somebody with a browser who opens pages of the site, each with nothing kept from the last.

    Attributes:
        browser: The browser.
        url: Where the site is served, without a last slash.
        contexts: What was opened, to be closed.
    """

    browser: Browser
    url: str
    contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(self, path: str, *, scheme: str = "light", width: int = 1280, **settings: Any) -> Visit:
        """Opens a path of the site; ``settings`` are Playwright's for a new context."""
        size = {"width": width, "height": HEIGHT}
        context = self.browser.new_context(color_scheme=scheme, viewport=size, **settings)
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        visit = Visit(context.new_page())
        self._watch(visit)
        visit.page.goto(self.url + path, wait_until="load")
        if settings.get("java_script_enabled", True):
            visit.page.wait_for_function(LISTENS)
        return visit

    def leave(self) -> None:
        """Closes every page that was opened."""
        while self.contexts:
            self.contexts.pop().close()

    def _watch(self, visit: Visit) -> None:
        page, own = visit.page, (f"{self.url}/", "data:", "blob:")
        page.on("console", lambda m: visit.faults.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: visit.faults.append(str(error)))
        page.on("requestfailed", lambda request: visit.faults.append(f"failed: {request.url}"))
        page.on("response", lambda response: visit.answers.append(response))  # noqa: PLW0108 - Playwright marks it
        page.on("response", lambda r: None if r.ok else visit.faults.append(f"{r.status}: {r.url}"))
        page.on("request", lambda r: None if r.url.startswith(own) else visit.elsewhere.append(r.url))
