"""The story of the site, on the first chapter's page: a few sentences on one screen, each with its lesson."""

import pytest

from benchbook.project import find
from tests.browser import HEIGHT, Visitor

PAGE = "/performance/"
STORY = "article h2#the-story-of-this-site + ol > li"
PROJECT = find()


@pytest.mark.browser
def test_the_story_is_on_one_screen(visit: Visitor) -> None:
    """It is seen whole, without scrolling, where a page is first opened."""
    told = visit(PAGE).page.locator(STORY)
    ends = told.evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().bottom)")
    assert len(ends) >= 5
    assert max(ends) <= HEIGHT


@pytest.mark.browser
def test_each_sentence_of_the_story_links_to_its_lesson(visit: Visitor) -> None:
    """A sentence leads to a lesson; to its chapter's page where no lesson of that chapter is written."""
    told = visit(PAGE).page.locator(STORY)
    links = told.evaluate_all(
        "nodes => nodes.map(node => [...node.querySelectorAll('a:not(.bb-term)')].map(a => a.pathname))"
    )
    chapters = {slug.split("/")[0] for slug in PROJECT.slugs()}
    for paths in links:
        assert paths
        for path in paths:
            chapter, *lesson = path.strip("/").split("/")
            assert lesson or chapter not in chapters, path


@pytest.mark.browser
def test_the_story_leads_to_every_chapter(visit: Visitor) -> None:
    """No chapter is left out, and no lesson of the first one."""
    told = visit(PAGE).page.locator(f"{STORY} a:not(.bb-term)")
    paths = {path.strip("/") for path in told.evaluate_all("nodes => nodes.map(a => a.pathname)")}
    assert {path.split("/")[0] for path in paths} == {
        folder.parent.name for folder in PROJECT.docs.glob("*/index.md") if folder.parent.name != "runs"
    }
    assert {slug for slug in PROJECT.slugs() if slug.startswith("performance/")} <= paths
