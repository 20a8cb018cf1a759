"""The head of each page: what search engines, reference managers and links elsewhere read."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
import yaml

from benchbook import archive, cite
from benchbook.lesson import snippet
from benchbook.rules.description import LONGEST
from tests import built
from tests.address import ADDRESS
from tests.browser import Visitor
from tests.built import PROJECT
from tests.survey import SCHEMES

MISSING = "/404.html"
GRAPH = {"og:site_name", "og:type", "og:title", "og:description"}
CITATION = {"citation_title", "citation_author", "citation_publication_date"}
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def head(site: Path, address: str) -> Element:
    """The head of a page."""
    found = built.tree(built.file(site, address).read_text(encoding="utf-8")).find("head")
    assert found is not None
    return found


def metas(site: Path, address: str) -> dict[str, list[str]]:
    """The contents of a page's meta elements, by name or property."""
    found: dict[str, list[str]] = {}
    for node in head(site, address).iter("meta"):
        name = node.get("name") or node.get("property")
        if name:
            found.setdefault(name, []).append(node.get("content", ""))
    return found


def canonical(site: Path, address: str) -> list[str]:
    """The addresses that a page calls its own."""
    links = head(site, address).iter("link")
    return [node.get("href", "") for node in links if node.get("rel") == "canonical"]


def pages(site: Path) -> Iterator[str]:
    """The addresses of all pages but the one for wrong addresses."""
    yield from (address for address in built.addresses(site) if address != MISSING)


def is_lesson(address: str) -> bool:
    """Whether an address is that of a lesson's page."""
    return address.strip("/") in PROJECT.slugs()


def locations(site: Path) -> list[str]:
    """What the sitemap lists."""
    root = ElementTree.parse(site / "sitemap.xml").getroot()  # noqa: S314 - our own file
    return [node.text or "" for node in root.iter(f"{NAMESPACE}loc")]


def test_each_page_describes_itself(site: Path):
    """Each has one description, of a length that is shown, and no two have the same."""
    found = {address: metas(site, address)["description"] for address in pages(site)}
    assert all(len(texts) == 1 and 0 < len(texts[0]) <= LONGEST for texts in found.values()), found
    counts = Counter(text for texts in found.values() for text in texts)
    assert [text for text, count in counts.items() if count > 1] == []


def test_each_page_names_itself_for_links(site: Path):
    """Title and description of the graph are the page's own, and a lesson is an article."""
    for address in pages(site):
        found = metas(site, address)
        assert set(found) >= GRAPH
        assert all(len(found[name]) == 1 for name in GRAPH)
        title = (head(site, address).findtext("title") or "").removesuffix(f" - {cite.NAME}")
        assert found["og:title"] == [title.strip()]
        assert found["og:description"] == found["description"]
        assert found["og:site_name"] == [cite.NAME]
        assert found["og:type"] == ["article" if is_lesson(address) else "website"]


def test_every_page_says_its_language_and_has_the_icon(site: Path):
    """A screen reader knows what to read, and the icon is a file of the site."""
    for address in built.addresses(site):
        file = built.file(site, address)
        assert built.tree(file.read_text(encoding="utf-8")).get("lang") == "en"
        icons = [
            node.get("href", "") for node in head(site, address).iter("link") if node.get("rel") == "icon"
        ]
        assert len(icons) == 1
        icon = site / icons[0].lstrip("/") if icons[0].startswith("/") else file.parent / icons[0]
        assert icon.read_text().startswith("<svg")


def test_a_page_has_one_address(published: Path):
    """With an address set, below a host's root too, canonical link, graph and sitemap give the same one."""
    for address in pages(published):
        own = f"{ADDRESS}{address.lstrip('/')}"
        assert canonical(published, address) == metas(published, address)["og:url"] == [own]
    assert sorted(locations(published)) == sorted(f"{ADDRESS}{a.lstrip('/')}" for a in pages(published))
    robots = (published / "robots.txt").read_text()
    assert robots == f"User-agent: *\nAllow: /\nSitemap: {ADDRESS}sitemap.xml\n"


def test_without_an_address_none_is_made_up(site: Path):
    """A site that does not know where it is served claims no address anywhere."""
    for address in pages(site):
        assert canonical(site, address) == []
        assert {"og:url", "citation_public_url"}.isdisjoint(metas(site, address))
    assert locations(site) == []
    assert (site / "robots.txt").read_text() == "User-agent: *\nAllow: /\n"


def test_a_lesson_can_be_cited_and_nothing_else(site: Path, published: Path):
    """Reference managers find title, author, day, language and address on lessons, and nothing elsewhere."""
    for folder, names in ((site, CITATION), (published, CITATION | {"citation_public_url"})):
        for address in built.addresses(folder):
            found = {name for name in metas(folder, address) if name.startswith("citation_")}
            assert found == (names if is_lesson(address) else set()), address


def test_a_lesson_is_cited_as_what_it_is(published: Path):
    """Its title is its own, its day that of the newest run that it shows, its address the canonical one."""
    for slug in PROJECT.slugs():
        found = metas(published, f"/{slug}/")
        assert found["citation_title"] == found["og:title"]
        assert found["citation_public_url"] == found["og:url"]
        assert found["citation_publication_date"] == [newest(slug).replace("-", "/")]


def newest(slug: str) -> str:
    """The day of the newest current run of a lesson."""
    path = PROJECT.snippet_path(slug)
    cells = snippet.load(path, slug=slug, shown=PROJECT.relative(path)).cells
    runs = archive.load_all(PROJECT, PROJECT.runs, slug)
    current = archive.current(runs, cells, without=archive.retracted(PROJECT))
    return max(stored.run.started[:10] for stored in current.values())


def test_authors_have_one_source(site: Path):
    """Lessons and mkdocs.yml name the authors of CITATION.cff; a comma in a name parts it nowhere."""
    stated = yaml.safe_load((PROJECT.root / "CITATION.cff").read_text())["authors"]
    names = [who.get("name") or f"{who['given-names']} {who['family-names']}" for who in stated]
    settings = yaml.load((PROJECT.root / "mkdocs.yml").read_text(), cite._Loader)  # noqa: S506 - a SafeLoader
    assert settings["extra"]["authors"] == names
    for slug in PROJECT.slugs():
        found = metas(site, f"/{slug}/")["citation_author"]
        assert found == [re.sub(",", "", name) for name in names]


def test_the_page_for_wrong_addresses_is_not_indexed(site: Path):
    """It says so, and every other page may be indexed."""
    assert metas(site, MISSING)["robots"] == ["noindex"]
    assert all("robots" not in metas(site, address) for address in pages(site))


@pytest.mark.browser
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_browsers_frame_has_the_colour_of_the_page(visit: Visitor, scheme: str):
    """In each scheme the theme's colour is that of the page's header."""
    page = visit("/", scheme=scheme).page
    stated = page.locator("meta[name=theme-color]")
    header = page.locator(".md-header").evaluate("node => getComputedStyle(node).backgroundColor")
    numbers = [f"{int(number):02x}" for number in re.findall(r"\d+", header)]
    assert [node.get_attribute("content") for node in stated.all()] == [f"#{''.join(numbers)}"]
