"""A table is sorted by its headings, and its rows keep what belongs to them."""

import re

import pytest
from playwright.sync_api import expect

from tests.assets.keeping import is_at_peace
from tests.browser import Visitor

pytestmark = pytest.mark.browser


def test_a_table_is_sorted_with_its_notes(visit: Visitor):
    """A heading sorts by number, up and down; a row's note stays below it; what has no value comes last."""
    visited = visit("/bench/")
    page = visited.page
    table = page.locator("table[data-sortable]").first
    heading = table.locator("th", has_text="Median")
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
