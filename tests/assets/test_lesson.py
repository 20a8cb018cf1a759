"""Predictions, first answers and marks are kept; the command is right, and code is copied as it is."""

import re

import pytest
from playwright.sync_api import expect

from benchbook import archive
from benchbook.lesson import snippet
from tests.assets.keeping import LESSON, PROJECT, SLUG, TYPED, export, go, is_at_peace, kept, prediction
from tests.browser import Visitor

pytestmark = pytest.mark.browser


def test_a_prediction_survives(visit: Visitor):
    """What is typed is there after a reload, on the evidence page and in the export."""
    visited = visit(LESSON)
    page = visited.page
    prediction(page).fill(TYPED)
    expect(page.locator("#predict-counter [role=status]")).to_have_text("Kept.")
    page.reload()
    expect(prediction(page)).to_have_value(TYPED)
    expect(prediction(page, "bars")).to_have_value("")
    entry = kept(page)["predictions"]["predict-counter"]
    assert "How long is the list after that" in entry["question"]
    go(page, "/evidence/")
    shown = page.locator(".bb-evidence")
    expect(shown.locator("pre")).to_have_text(TYPED)
    expect(shown.locator("time").first).to_have_text(entry["at"][:10])
    expect(shown.get_by_role("link", name="Compile a function")).to_have_attribute("href", re.compile(LESSON))
    run = shown.locator("a[href*='#run-']").first
    assert run.get_attribute("href").rpartition("#run-")[2] in run.inner_text()
    text = export(page)
    assert f"````text\n{TYPED}\n````" in text
    for part in (entry["at"][:10], LESSON, "JAX, measured", *kept(page)["runs"], "cpu", "AMD EPYC"):
        assert part in text
    is_at_peace(visited)


def test_what_was_just_typed_is_not_lost(visit: Visitor):
    """A reader who leaves right after a key finds the text again; an emptied field is forgotten."""
    page = visit(LESSON).page
    prediction(page).press_sequentially("one")
    page.reload()
    expect(prediction(page)).to_have_value("one")
    prediction(page).fill("  ")
    page.reload()
    expect(prediction(page)).to_have_value("")
    assert kept(page)["predictions"] == {}


def test_a_field_grows_with_its_text(visit: Visitor):
    """No line of a long prediction is out of view."""
    field = prediction(visit(LESSON).page)
    field.fill("\n".join(str(line) for line in range(20)))
    assert field.evaluate("node => node.scrollHeight <= node.clientHeight")


def test_the_first_answer_stays_the_first(visit: Visitor):
    """Later options change nothing, printing is no answer, and the answer can be cleared."""
    visited = visit(LESSON)
    page = visited.page
    question = page.locator("#question-agreement")
    said = question.locator("[role=status]")
    page.evaluate("dispatchEvent(new Event('beforeprint')), dispatchEvent(new Event('afterprint'))")
    for letter in "ABC":
        question.locator(f"[data-letter={letter}] summary").click()
    expect(said).to_have_text("Your first answer: A")
    page.reload()
    expect(said).to_have_text("Your first answer: A")
    answer = kept(page)["answers"]["question-agreement"]
    assert (answer["letter"], answer["right"]) == ("A", "not right")
    assert answer["option"].startswith("Because compiled code")
    assert answer["question"].startswith("Eager and compiled loss")
    question.get_by_role("button", name="Clear").click()
    expect(said).to_have_text("")
    expect(question.locator("summary").first).to_be_focused()
    question.locator("[data-right] summary").click()
    assert kept(page)["answers"]["question-agreement"]["right"] == "right"
    is_at_peace(visited)


def test_done_stays_done(visit: Visitor):
    """Each exercise and the lesson has a box, and a tick is there after a reload until it is taken away."""
    page = visit(LESSON).page
    boxes = page.get_by_label("I have done this exercise")
    assert boxes.count() == page.locator(".bb-solution").count() > 0
    boxes.nth(1).check()
    page.get_by_label("I have worked through this lesson").check()
    page.reload()
    assert [box.is_checked() for box in boxes.all()] == [False, True, False]
    assert {entry["what"][:10] for entry in kept(page)["done"].values()} == {"Exercise 2", "The lesson"}
    boxes.nth(1).uncheck()
    assert list(kept(page)["done"]) == ["lesson-done"]


def test_a_button_copies_the_code_and_nothing_else(visit: Visitor):
    """A listing, an output and the command are copied whole: no caption, no number, no prompt."""
    page = visit(LESSON, permissions=["clipboard-read", "clipboard-write"]).page
    lesson = snippet.load(PROJECT.snippet_path(SLUG), slug=SLUG, shown="snippet")
    run = archive.current(archive.load_all(PROJECT, PROJECT.runs, SLUG), lesson.cells)["cpu"].run
    source = next(cell.source for cell in lesson.cells if cell.name == "inputs")
    printed = next(cell.stdout for cell in run.cells if cell.name == "inputs")
    places = {
        "#listing-inputs": source,
        "#listing-whole .highlight": lesson.example,
        ".bb-stdout >> nth=0": printed,
        ".bb-command": f"uv run {page.url.removesuffix(LESSON)}/snippets/{SLUG}.py",
    }
    for place, expected in places.items():
        page.locator(place).hover()
        page.locator(place).locator("[data-md-type=copy]").click()
        expect(page.locator(".md-dialog--active")).to_have_text("Copied to clipboard")
        assert page.evaluate("navigator.clipboard.readText()").strip() == expected.strip()
