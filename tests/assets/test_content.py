"""What is on a page already can be linked to, opened together, and sorted."""

import re

import pytest
from playwright.sync_api import expect

from tests.assets.keeping import LESSON, is_at_peace
from tests.browser import Visitor

pytestmark = pytest.mark.browser
# Two blocks with a run on two backends each, as the Markdown blocks write them.
TABS = """async () => {
  for (const set of "ab") {
    const names = ["cpu", "cuda"];
    const inputs = names.map(name => `<input id="${set}-${name}" name="${set}" type="radio">`);
    const labels = names.map(name => `<label for="${set}-${name}" data-backend="${name}">${name}</label>`);
    document.querySelector("article").insertAdjacentHTML("beforeend",
      `<div class="tabbed-set">${inputs.join("")}<div class="tabbed-labels">${labels.join("")}</div></div>`);
  }
  document.getElementById("a-cpu").checked = document.getElementById("b-cpu").checked = true;
  (await import("../assets/content.js")).tabs();
}"""
CHOSEN = "[...document.querySelectorAll('.tabbed-set > :checked')].map(node => node.id)"


def test_a_heading_gives_its_address(visit: Visitor):
    """Every heading of a lesson that has a name has a link to itself, and the link is no word of its name."""
    page = visit(LESSON).page
    headings = page.locator(".md-content :is(h2, h3)[id]")
    assert headings.count() > 10
    for heading in headings.all()[::5]:
        link = heading.locator("a.headerlink")
        assert link.get_attribute("href") == f"#{heading.get_attribute('id')}"
        assert link.get_attribute("title") == "Permanent link"


def test_tabs_of_one_backend_open_together(visit: Visitor):
    """A backend that is chosen once is open in every block, and after a reload."""
    page = visit("/cite/").page
    page.evaluate(TABS)
    assert page.evaluate(CHOSEN) == ["a-cpu", "b-cpu"]
    page.locator("label[for=a-cuda]").click()
    assert page.evaluate(CHOSEN) == ["a-cuda", "b-cuda"]
    page.reload()
    page.evaluate(TABS)
    assert page.evaluate(CHOSEN) == ["a-cuda", "b-cuda"]


def test_a_table_is_sorted_with_its_notes(visit: Visitor):
    """A heading sorts by number, up and down; a row's note stays below it; what has no value comes last."""
    visited = visit("/bench/")
    page = visited.page
    table = page.locator("table[data-sortable]").first
    heading = table.locator("th[scope=col]", has_text="Median")
    pairs = """(node, column) => [...node.tBodies[0].rows].map((row, index, rows) =>
      row.matches(".bb-noted") && [Number(row.cells[column].dataset.value), rows[index + 1].textContent])
      .filter(Boolean)"""
    before = table.evaluate(pairs, 1)
    assert len(before) > 4
    button = heading.get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert table.evaluate(pairs, 1) == sorted(before, key=lambda pair: pair[0])
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert table.evaluate(pairs, 1) == sorted(before, key=lambda pair: pair[0], reverse=True)
    table.locator("th", has_text="Date").get_by_role("button").click()
    expect(heading).not_to_have_attribute("aria-sort", re.compile("."))
    table.locator(".bb-noted td").nth(0).evaluate("node => node.dataset.value = ''")
    for _ in range(2):
        button.click()
        assert table.locator(".bb-noted").last.locator("td").first.get_attribute("data-value") == ""
    is_at_peace(visited)
