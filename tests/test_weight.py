"""What a page weighs, as a plain static server sends it: budgets that fail before a phone does."""

import gzip
from pathlib import Path

import pytest

from tests.browser import Visitor
from tests.built import PROJECT, file

KIB = 1024
LESSON_HTML = 20 * KIB
FURTHER_BACKEND = 4 * KIB
NOTEBOOK_HTML = 150 * KIB
FIRST_VISIT = 400 * KIB
SCRIPTS = 8 * KIB
STYLES = 11 * KIB


def _packed(body: bytes) -> bytes:
    """A body after gzip, at the level that servers use."""
    return gzip.compress(body, compresslevel=6, mtime=0)


def _sent(path: Path) -> int:
    """Bytes that a server sends for a file."""
    return len(_packed(path.read_bytes()))


@pytest.mark.parametrize("slug", PROJECT.slugs())
def test_a_lesson_is_light(site: Path, slug: str):
    """The HTML of a lesson is at most 20 KiB as sent, and 4 KiB more for the tabs of a further backend."""
    backends = {path.name.partition("-jax-")[0] for path in (PROJECT.runs / slug).glob("*-jax-*.json")}
    further = len(backends - {"cpu"})
    assert _sent(file(site, f"/{slug}/")) <= LESSON_HTML + further * FURTHER_BACKEND


def test_a_notebook_is_light(site: Path, addresses: list[str], subtests: pytest.Subtests):
    """The HTML of a notebook's page is at most 150 KiB as sent."""
    pages = [address for address in addresses if address.startswith("/notebooks/")]
    assert pages
    for address in pages:
        with subtests.test(page=address):
            assert _sent(file(site, address)) <= NOTEBOOK_HTML


def test_our_scripts_are_light(site: Path):
    """All scripts that are ours are at most 8 KiB together, as sent."""
    scripts = sorted((site / "assets").glob("*.js"))
    assert scripts
    assert sum(map(_sent, scripts)) <= SCRIPTS


def test_our_styles_are_light(site: Path):
    """All style sheets that are ours are at most 11 KiB together, as sent."""
    sheets = sorted((site / "assets").glob("*.css"))
    assert sheets
    assert sum(map(_sent, sheets)) <= STYLES


@pytest.mark.browser
@pytest.mark.parametrize("slug", PROJECT.slugs())
def test_a_first_visit_is_light(visit: Visitor, slug: str):
    """All that a first visit to a lesson loads, figures below the fold too, is at most 400 KiB as sent.

    The hosts of such sites pack text: GitHub Pages does. Without that the theme's own files are 370 KiB.
    """
    opened = visit(f"/{slug}/")
    opened.see_all()
    assert len(opened.answers) > 10
    sent = {answer.url: answer.body() for answer in opened.answers}
    assert sum(min(len(body), len(_packed(body))) for body in sent.values()) <= FIRST_VISIT
