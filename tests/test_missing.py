"""The page for wrong addresses: it works at any depth, and leads on."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests import built
from tests.address import FOLDER
from tests.browser import Quiet, Visitor, served

pytestmark = pytest.mark.browser
WRONG = f"{FOLDER}no/such/page/at/all/"


class Host(Quiet):
    """A host of static sites: any wrong address is answered with the site's own page for it."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answers with the page in place of the server's own words."""
        body = Path(self.directory, FOLDER.strip("/"), "404.html").read_bytes()
        self.send_response(code, message)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def stray(browser: Browser, published: Path) -> Iterator[Visitor]:
    """Somebody who opens addresses of the site below its folder on a host."""
    with served(published.parent, host=Host) as url:
        visitor = Visitor(browser, url)
        yield visitor
        visitor.leave()


def test_it_is_whole_at_any_depth(stray: Visitor):
    """Deep below the site's root it has its styles, scripts and icon: only the address itself is missing."""
    visit = stray(WRONG)
    visit.page.wait_for_load_state("networkidle")
    assert visit.page.locator("h1").inner_text() == "Page not found"
    assert visit.page.title() == "Page not found - JAX, measured"
    assert [fault for fault in visit.faults if fault.startswith(("404: ", "failed: "))] == [
        f"404: {stray.url}{WRONG}"
    ]
    assert visit.elsewhere == []
    faces = "node => getComputedStyle(node).fontFamily"
    assert visit.page.locator("article").evaluate(faces) == stray(FOLDER).page.locator("article").evaluate(
        faces
    )


def test_every_link_leads_to_a_page(stray: Visitor, published: Path):
    """Home, each chapter and the bench are in the text, and whatever it links is there."""
    page = stray(WRONG).page
    links = page.locator("a[href]").evaluate_all("nodes => nodes.map(node => node.href)")
    own = {urlsplit(link).path for link in links if link.startswith(stray.url)}
    assert all(built.file(published, f"/{path.removeprefix(FOLDER)}").is_file() for path in own - {WRONG})
    inside = page.locator("article a[href]").evaluate_all("nodes => nodes.map(node => node.pathname)")
    folders = ("", "bench/", "jit/", "performance/", "precision/", "profiling/")
    assert {f"{FOLDER}{folder}" for folder in folders} == set(inside)


def test_what_is_typed_there_is_searched_for(stray: Visitor):
    """The field takes a reader to the site's search, with results."""
    page = stray(WRONG).page
    page.get_by_label("Search this site").fill("compile")
    page.get_by_role("button", name="Search", exact=True).click()
    page.wait_for_url(f"**{FOLDER}?q=compile")
    result = page.locator(".md-search-result__link").first
    result.wait_for()
    assert FOLDER in (result.get_attribute("href") or "")


def test_a_reader_without_script_is_led_on_too(stray: Visitor):
    """Links and the way to a run by its id need no script."""
    page = stray(WRONG, java_script_enabled=False).page
    assert page.get_by_role("link", name="Home").first.is_visible()
    assert "benchbook cite ID" in page.locator("article").inner_text()
    page.locator("article").get_by_role("link", name="bench page").click()
    assert urlsplit(page.url).path == f"{FOLDER}bench/"
