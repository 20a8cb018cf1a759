"""The notebook as a page: in the site's own dress, small, out of search; and the lesson's links to it."""

import gzip
import html
import json
import re
from pathlib import Path

import markdown
import nbformat
import pytest
from mkdocs_jupyter.convert import nb2html

from benchbook.building import builder, shelf
from benchbook.lesson import nav
from benchbook.project import Project, find
from benchbook.rules.built import leftovers
from tests.browser import Visitor, squeeze
from tests.built import PROJECT, having, text, tree
from tests.factory import run_tree, store_run

LESSON = "jit/compile"
ADDRESS = f"/notebooks/{LESSON}/"
BUDGET = 150 * 1024  # bytes of a page's HTML, gzipped
TEMPLATE = PROJECT.root / "scripts/theme/notebook.html"
EVIL = "</code></pre><script>alert(1)</script><img src=x onerror=alert(2)> {{ 1 + 1 }} [a](b) $x$\n"


def _chapters() -> set[str]:
    return {slug.partition("/")[0] for slug in PROJECT.slugs()}


def _page(site: Path) -> str:
    return (site / "notebooks" / LESSON / "index.html").read_text()


def test_each_chapter_has_one_notebook_as_a_page(site: Path):
    """A chapter that has lessons has one such page, and every lesson has its notebook as a file."""
    pages = [path.relative_to(site / "notebooks").parts for path in (site / "notebooks").rglob("*.html")]
    assert sorted(chapter for chapter, _, _ in pages) == sorted(_chapters())
    for slug in PROJECT.slugs():
        file = site / shelf.path(slug)
        assert file.read_bytes() == (PROJECT.docs / shelf.path(slug)).read_bytes()
        nbformat.validate(nbformat.read(file, as_version=4))


def test_a_page_is_small(site: Path):
    """No notebook's page comes near its budget: it brings no sheet and no script of its own."""
    for path in (site / "notebooks").rglob("*.html"):
        page = path.read_text()
        assert len(gzip.compress(page.encode())) <= BUDGET
        assert re.findall(r"mathjax|require\.?js|jp-|clipboard-copy", page, re.IGNORECASE) == []
        assert [style.strip() for style in re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL)] == [""]


def test_no_other_page_pays_for_it(site: Path):
    """A page that is no notebook holds nothing of the plugin."""
    for path in site.rglob("*.html"):
        if "notebooks" not in path.parts:
            assert "jupyter-mathjax" not in path.read_text(), path


def test_a_page_shows_the_notebook(site: Path):
    """Each cell's code and each output is on it, under the names that the notebook gives."""
    notebook = nbformat.read(PROJECT.docs / shelf.path(LESSON), as_version=4)
    cells = {node.get("data-cell"): node for node in having(tree(_page(site)), "bb-cell")}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert list(cells) == [cell.metadata.name for cell in code]
    for cell in code:
        shown = squeeze("".join(cells[cell.metadata.name].itertext()))
        printed = [output.text for output in cell.outputs if output.output_type == "stream"]
        assert [part for part in (cell.source, *printed) if squeeze(part) not in shown] == []


def test_recorded_text_stays_text(project: Project, tmp_path: Path):
    """What a run printed is shown letter by letter, and is neither markup nor Markdown nor a template."""
    cells = run_tree()["cells"]
    cells[1] |= {"stdout": EVIL, "stderr": EVIL}
    store_run(project, cells=cells)
    builder.build(project)
    page = nb2html(str(project.docs / shelf.path("chapter/lesson")), custom_template=str(TEMPLATE))
    assert "<script" not in page
    assert "<img src=x" not in page
    assert html.unescape(page).count(EVIL) == 2
    figure = next(having(tree(f"<div>{page}</div>"), "bb-figure"))
    assert [node.get("src", "").partition("#")[2] for node in figure] == ["only-light", "only-dark"]


def test_a_device_may_have_any_name(project: Project):
    """One that looks like a block or a value is shown, and is no leftover of the page's author."""
    found = run_tree()["hardware"]
    store_run(project, hardware=found | {"cpu": found["cpu"] | {"model": "A :value[a/b c]"}})
    builder.build(project)
    page = nb2html(str(project.docs / shelf.path("chapter/lesson")), custom_template=str(TEMPLATE))
    assert "A :value[a/b c]" in html.unescape(page)
    assert leftovers(page) == []
    assert leftovers(f"{page}<p>:value[a/b c]</p>") != []


def test_search_does_not_find_it(site: Path):
    """Neither its title nor a line of it is in the index: the lesson is, and holds the same code."""
    found = json.loads((site / "search/search_index.json").read_text())["docs"]
    assert [entry for entry in found if entry["location"].startswith("notebooks")] == []
    assert [entry for entry in found if entry["location"].startswith(f"{LESSON}/")]


def test_the_lesson_leads_to_its_notebook(site: Path):
    """Below the whole example: the file, and the page where there is one; Colab only with a known branch."""
    page = (site / LESSON / "index.html").read_text()
    links = {text(node): node.get("href") for node in tree(page).iter("a")}
    assert links["compile.ipynb"] == f"../../{shelf.path(LESSON)}"
    assert links["read it here"] == f"../../notebooks/{LESSON}/"
    assert "colab.research" not in page


def test_colab_is_offered_where_the_branch_is_known(project: Project, monkeypatch: pytest.MonkeyPatch):
    """The link is to the notebook on the published branch, on the lesson's page."""
    monkeypatch.setenv("PUBLISHED", "owner/repository@gh-pages")
    builder.build(find(project.root))
    monkeypatch.chdir(project.root)
    page = markdown.markdown("/// cell | chapter/lesson\n///", extensions=["benchbook.blocks"])
    links = {text(node): node.get("href") for node in tree(f"<div>{page}</div>").iter("a")}
    colab = "https://colab.research.google.com/github/owner/repository/blob/gh-pages/"
    assert links["open in Colab"] == f"{colab}notebooks/chapter/lesson.ipynb"
    assert "read it here" not in links  # the lesson has no page, so its notebook has none


def test_a_page_is_no_part_of_the_navigation():
    """It is reached from its lesson; nothing has to be listed when a lesson is added."""
    listed = nav.entries((PROJECT.root / nav.FILE).read_text())
    assert [entry.path for entry in listed if entry.path.endswith(".ipynb")] == []


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_a_figure_is_read_in_either_scheme(visit: Visitor, scheme: str, width: int):
    """Of each figure the drawing for the page's scheme is seen, and it fits the screen."""
    opened = visit(ADDRESS, scheme=scheme, width=width)
    images = opened.article.locator("figure img").locator("visible=true")
    assert images.count() == opened.article.locator("figure").count() > 0
    for image in images.all():
        image.scroll_into_view_if_needed()
        image.evaluate("node => node.decode()")
        assert f".{scheme}." in image.get_attribute("src")
        assert len(image.get_attribute("alt")) > 10
        box = image.bounding_box()
        assert box["width"] > 200
        assert box["x"] + box["width"] <= width
    assert (opened.faults, opened.elsewhere) == ([], [])


@pytest.mark.browser
def test_a_listing_is_copied_as_it_stands(visit: Visitor):
    """The copy button of a cell gives its code, and that of an output what was printed."""
    opened = visit(ADDRESS, permissions=["clipboard-read", "clipboard-write"])
    notebook = nbformat.read(PROJECT.docs / shelf.path(LESSON), as_version=4)
    cell = next(cell for cell in notebook.cells if cell.id == "expected")
    buttons = opened.article.locator("[data-cell=expected] button[data-md-type=copy]")
    copied = []
    for button in buttons.all():
        button.click()
        opened.page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")
        copied.append(opened.page.evaluate("navigator.clipboard.readText()"))
        opened.page.evaluate("navigator.clipboard.writeText('')")
    assert [part.rstrip("\n") for part in copied] == [cell.source, cell.outputs[0].text.rstrip("\n")]


@pytest.mark.browser
def test_there_is_a_way_back_and_to_the_file(visit: Visitor):
    """One link leads to the lesson, one to its run, one gives the notebook."""
    opened = visit(ADDRESS)
    file = opened.article.get_by_role("link", name="Download this notebook")
    assert file.get_attribute("download") is not None
    answer = opened.page.request.get(file.evaluate("node => node.href"))
    assert answer.body() == (PROJECT.docs / shelf.path(LESSON)).read_bytes()
    run = opened.article.locator("a[href*='#run-']").first
    target = run.get_attribute("href").partition("#")[2]
    run.click()
    opened.page.wait_for_url(f"**/runs/{LESSON}/#{target}")
    assert opened.page.locator(f"#{target}").is_visible()
    opened.page.go_back()
    opened.article.get_by_role("link", name="the lesson").first.click()
    opened.page.wait_for_url(f"**/{LESSON}/")
