"""Predictions, first answers and marks are kept; the command is right, and code is copied as it is."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from benchbook import archive
from benchbook.lesson import snippet
from tests.assets.keeping import (
    LESSON,
    PROJECT,
    SLUG,
    TYPED,
    alter,
    export,
    go,
    is_at_peace,
    kept,
    prediction,
)
from tests.browser import Visitor
from tests.built import file
from tests.survey import UNFOLD

pytestmark = pytest.mark.browser
FORMULA = (
    "<p>What is <math><semantics><mfrac><msup><mi>x</mi><mn>2</mn></msup><mi>y</mi></mfrac>"
    r'<annotation encoding="application/x-tex">\frac{x^2}{y}</annotation></semantics></math> here</p>'
)
SOLUTION = '<details class="bb-fold bb-solution"><summary>Reference solution</summary><p>So.</p></details>'


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
    boxes.first.wait_for()
    assert boxes.count() == page.locator(".bb-solution").count() > 0
    boxes.nth(1).check()
    page.get_by_label("I have worked through this lesson").check()
    page.reload()
    page.get_by_label("I have worked through this lesson").wait_for()
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
    page.evaluate(UNFOLD)
    for place, expected in places.items():
        page.locator(place).hover()
        page.locator(place).locator("[data-md-type=copy]").click()
        expect(page.locator(".md-dialog--active")).to_have_text("Copied to clipboard")
        assert page.evaluate("navigator.clipboard.readText()").strip() == expected.strip()


def test_what_a_question_shows_is_not_the_question(visit: Visitor, site: Path):
    """A figure, an output and their folds in a question are neither its answers nor its words."""
    html = file(site, LESSON).read_text()
    shown = "".join(
        re.search(rf"<{tag} class=\"{kind}\".*?</{tag}>", html, re.DOTALL)[0]
        for tag, kind in (("figure", "bb-figure"), ("div", "highlight bb-stdout"))
    )
    assert "<details" in shown
    assert "data-run" in shown
    shown += "<p>And then?</p>"
    kinds = {"question": "agreement", "predict": "counter"}
    places = [rf'<section [^>]*id="{kind}-{name}".*?(?=<details)' for kind, name in kinds.items()]
    page = alter(visit(LESSON), *((place, shown) for place in places))
    page.locator("#question-agreement figure summary").first.click()
    expect(page.locator("#question-agreement [role=status]")).to_have_text("")
    page.locator("#question-agreement .bb-option summary").nth(1).click()
    expect(page.locator("#question-agreement [role=status]")).to_have_text("Your first answer: B")
    assert page.locator("#predict-counter :is(figure, .bb-stdout) textarea").count() == 0
    assert prediction(page).evaluate("node => node.closest('.bb-field').nextElementSibling.className") == (
        "bb-answer"
    )
    prediction(page).fill("one")
    page.reload()
    for entry in (
        kept(page)["answers"]["question-agreement"],
        kept(page)["predictions"]["predict-counter"],
    ):
        assert entry["question"].endswith("And then?")
        assert re.search("SVG|CSV|Figure|run |cpu", entry["question"]) is None
    page.locator("#question-agreement figure summary").first.click()
    page.locator("#question-agreement").get_by_role("button", name="Clear").click()
    expect(page.locator("#question-agreement .bb-option summary").first).to_be_focused()
    assert page.locator("#question-agreement figure details").first.evaluate("node => node.open")


def test_a_formula_is_kept_as_its_source(visit: Visitor):
    """The evidence has each formula of a question once, with no sign lost."""
    page = alter(visit(LESSON), (r'<section [^>]*id="predict-counter".*?(?=<details)', FORMULA))
    prediction(page).fill("one")
    page.reload()
    question = kept(page)["predictions"]["predict-counter"]["question"]
    assert question.endswith(r"What is \frac{x^2}{y} here")


def test_any_heading_has_one_box_of_its_own(visit: Visitor):
    """A box is empty at first whatever the heading's name, stands below the last solution, and in lists."""
    exercises = "".join(
        f'<h3 id="{name}">{name.title()}</h3><ul><li><p>Do.</p>{SOLUTION * count}</li></ul>'
        for name, count in (("constructor", 1), ("__proto__", 1), ("twice", 2))
    )
    page = alter(visit(LESSON), (r'(?=<h2 [^>]*id="exercises")', f"<h2 id=more>More</h2>{exercises}"))
    for name, title in (("constructor", "Constructor"), ("__proto__", "__Proto__"), ("twice", "Twice")):
        box = page.locator(f"input[aria-describedby='{name}']")
        expect(box).to_have_count(1)
        expect(box).not_to_be_checked()
        assert box.evaluate("node => node.closest('.bb-done').nextElementSibling") is None
        box.check()
        page.reload()
        expect(box).to_be_checked()
        assert kept(page)["done"][name]["what"] == title
        box.uncheck()
        assert kept(page)["done"] == {}


def test_a_long_value_is_within_the_window(visit: Visitor):
    """A recorded text in a sentence wraps; a measured number stays on one line with its unit."""
    value = f'<a class="bb-value" href="#x" title="text; cpu">{"long" * 99}</a>'
    page = alter(visit(LESSON, width=360), (r"(?<=</h1>)", f"<p>It printed {value}.</p>"))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    measured = page.locator(".bb-value[title*='calls']")
    assert measured.count() > 0
    wraps = measured.evaluate_all("nodes => nodes.filter(node => node.getClientRects().length > 1).length")
    assert wraps == 0
