"""Predictions ask before they answer, with and without a script."""

import pytest

from benchbook.project import Project
from tests.factory import store_run
from tests.rendering import Text, render

PAGE = """\
///// predict | total
**Predict.**
What is :value[chapter/lesson traces] times `x`?

- One
- Two

//// answer | What *is* expected
It prints:

/// output | chapter/lesson total
///
////
/////

//// predict | other
And then?

/// answer
Nothing.
///
////
"""


def test_a_question_stands_before_its_closed_answer(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are plain HTML: a labelled section with an id of its own, and a box in it."""
    store_run(project)
    html = render(project, PAGE, monkeypatch)
    page = Text(html)
    assert page.all("section") == [
        {"class": "bb-predict", "id": "predict-total", "aria-label": "Prediction 1"},
        {"class": "bb-predict", "id": "predict-other", "aria-label": "Prediction 2"},
    ]
    assert page.all("details") == [{"class": "bb-answer", "data-search-exclude": ""}] * 2
    assert "<summary>What <em>is</em> expected</summary>" in html
    assert "<summary>Answer</summary>\n<p>Nothing.</p>" in html
    first = html[: html.index("<summary>")]
    assert "<strong>Predict.</strong>" in first
    assert "<li>Two</li>" in first
    assert 'class="bb-value"' in first


def test_what_was_recorded_is_inside_the_answer(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prediction comes before the output that would give it away."""
    store_run(project)
    html = render(project, PAGE, monkeypatch)
    assert html.index("<details") < html.index("total 3.0") < html.index("</details>")
