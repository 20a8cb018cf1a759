"""Listings on a page have a number, an address, and say which file they are from."""

import json

import markdown
import pytest

from benchbook.building import fragment
from benchbook.project import Project
from tests.rendering import EXTENSIONS, Text, render

PAGE = """\
First [](#listing-total-2), then [](#figure-total) and [](#listing-whole).

/// cell | chapter/lesson total
///

/// cell | chapter/lesson
///

/// cell | chapter/lesson total
///

/// figure | chapter/lesson total
    alt: Two bars
- A list is no paragraph.
///

/// figure | chapter/lesson total
    alt: Two bars
*Equal* bars.
///
"""


@pytest.fixture
def html(project: Project, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page of a project that has no address."""
    return render(project, PAGE, monkeypatch)


def test_listings_and_figures_have_numbers_and_anchors(html: str) -> None:
    """Each number leads to its own thing, and no id is there twice."""
    page = Text(html)
    ids = ["listing-total", "listing-whole", "listing-total-2", "figure-total", "figure-total-2"]
    assert [item["id"] for name, item in page.tags if "id" in item and name in ("div", "figure")] == ids
    numbers = [link["href"] for link in page.all("a") if link.get("class") == "bb-number"]
    assert numbers == [f"#{name}" for name in ids]
    caption = '<p class="bb-caption"><a class="bb-number" href="#listing-total">Listing 1</a>: '
    assert f"{caption}<code>total</code> in snippets/chapter/lesson.py</p>" in html


def test_a_number_begins_its_caption(html: str) -> None:
    """In the first paragraph where there is one, and in one of its own where there is none."""
    number = '<a class="bb-number" href="#figure-total-2">Figure 2</a> <em>Equal</em> bars.'
    assert f"<figcaption>\n<p>{number}</p>\n</figcaption>" in html
    assert '<p><a class="bb-number" href="#figure-total">Figure 1</a> </p>\n<ul>' in html


def test_an_empty_link_says_the_number_of_what_it_leads_to(html: str) -> None:
    """Also where that stands further down."""
    links = [("listing-total-2", "Listing 3"), ("figure-total", "Figure 1"), ("listing-whole", "Listing 2")]
    shown = [f'<a href="#{name}">{label}</a>' for name, label in links]
    assert f"<p>First {shown[0]}, then {shown[1]} and {shown[2]}.</p>" in html


def test_numbers_start_anew_on_each_page(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """One Markdown instance may make many pages."""
    first = render(project, PAGE, monkeypatch)
    made = markdown.Markdown(extensions=EXTENSIONS)
    made.convert(PAGE)
    assert made.reset().convert(PAGE) == first


def test_the_whole_example_can_be_downloaded_and_run(project: Project, html: str) -> None:
    """By the address of the site where it has one; else by the file's name, and a script knows the path."""
    links = [link["href"] for link in Text(html).all("a") if "download" in link]
    assert links[0] == "/snippets/chapter/lesson.py"
    command = '<code class="bb-run" data-path="snippets/chapter/lesson.py">uv run'
    assert f"{command} lesson.py</code>" in html
    tree = fragment.derive(project, "chapter/lesson", uses=[], local=False, url="https://a.example/b/")
    (project.fragments / "chapter/lesson.json").write_text(json.dumps(tree))
    addressed = markdown.markdown("/// cell | chapter/lesson\n///\n", extensions=EXTENSIONS)
    assert f"{command} https://a.example/b/snippets/chapter/lesson.py</code>" in addressed


def test_code_that_an_author_wrote_is_as_light_as_a_listing(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fence has the same elements, and inline code and text stay as they are."""
    page = '```python\nx = f(1)  # "one"\n```\n\nA `<span class="n">x</span>` stays.\n'
    html = render(project, page, monkeypatch)
    assert Text(html).code == ['x = f(1)  # "one"\n', '<span class="n">x</span>']
    assert '<i># "one"</i>' in html.replace("&quot;", '"')
    assert "<span class" not in html
