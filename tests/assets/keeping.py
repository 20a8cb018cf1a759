"""What a reader does on the pages, and what the browser keeps of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route

from benchbook.project import find
from tests.browser import LISTENS, Visit

PROJECT = find(Path(__file__))
SLUG = "jit/compile"
LESSON = f"/{SLUG}/"
STORED = "jax-measured:/:"  # of a site at the root of its host
KEY = f"{STORED}{SLUG}/"
TYPED = "One entry.\nNot `two`:\n\n```\nlen(traces) == 1\n```\n\n# a | b\n- c"


def kept(page: Page, key: str = KEY) -> dict[str, Any]:
    """What is kept of a page."""
    return json.loads(page.evaluate("key => localStorage.getItem(key)", key) or "{}")


def plant(page: Page, text: str, key: str = KEY) -> None:
    """Puts any text where a page's state is kept."""
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, text])


def alter(visited: Visit, *changes: tuple[str, str], path: str = LESSON) -> Page:
    """Opens the page again; one that is asked for has its parts, by pattern, followed by something more."""

    def answer(route: Route) -> None:
        html = route.fetch().text()
        for pattern, more in changes:
            place = re.search(pattern, html, re.DOTALL)
            assert place, pattern
            html = html[: place.end()] + more + html[place.end() :]
        route.fulfill(body=html, content_type="text/html")

    visited.page.route(f"**{path}", answer)
    visited.page.reload()
    visited.page.wait_for_function(LISTENS)
    return visited.page


def prediction(page: Page, name: str = "counter") -> Locator:
    """The field of a prediction."""
    return page.locator(f"#predict-{name}").get_by_label("Your prediction")


def go(page: Page, path: str) -> None:
    """Another page of the same site, or another place of this one, in the same browser."""
    page.goto(re.sub(r"(://[^/]+).*", rf"\1{path}", page.url), wait_until="load")


def export(page: Page) -> str:
    """What the evidence page gives for download."""
    with page.expect_download() as event:
        page.get_by_text("Download as Markdown").click()
    assert event.value.suggested_filename == "evidence.md"
    return event.value.path().read_text(encoding="utf-8")


def tab_to(page: Page, place: Locator, *, presses: int = 25) -> None:
    """Goes on by keyboard until the place has the focus; scripts may have still to put it there."""
    place.wait_for()
    for _ in range(presses):
        page.keyboard.press("Tab")
        if place.evaluate("node => node === document.activeElement"):
            return
    pytest.fail(f"{place} is not reached by Tab")


def is_at_peace(visited: Visit) -> None:
    """Nothing went wrong, and nothing was asked of anybody else.

    A page that is left or seen again has requests that are broken off or answered with "as before".
    """
    faults = [fault for fault in visited.faults if not fault.startswith(("failed: ", "304: "))]
    assert (faults, visited.elsewhere) == ([], []), (faults, visited.elsewhere)
