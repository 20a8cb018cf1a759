"""A question's options open their own feedback, by keyboard and without a script."""

import re

import pytest

from benchbook.project import Project
from tests.rendering import Text, render

PAGE = """\
//// question | agreement
Why is **agreement** not enough?

/// option | Because of `x` & "y".
It has *nothing* to do with it.
///

/// option | Because both share the mistake.
    right: true
Both run one function.

- And more.
///
////

//// question | other
Why?

/// option | A.
    right: true
Yes.
///

/// option | B.
    right: false
No.
///
////
"""


@pytest.fixture
def html(project: Project, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page."""
    return render(project, PAGE, monkeypatch)


def test_a_question_is_named_by_its_number(html: str) -> None:
    """Questions are numbered in the order of the page, and each is a section that its number labels."""
    sections = Text(html).all("section")
    assert [section["id"] for section in sections] == ["question-agreement", "question-other"]
    for number, section in enumerate(sections, start=1):
        label = section["aria-labelledby"]
        assert f'<p class="bb-number" id="{label}">Question {number}</p>' in html


def test_each_option_is_a_box_with_its_letter(html: str) -> None:
    """Letters start anew in each question; the option's text is Markdown."""
    options = Text(html).all("details")
    assert [option["data-letter"] for option in options] == ["A", "B", "A", "B"]
    assert {(option["class"], option["data-search-exclude"]) for option in options} == {("bb-option", "")}
    letter = '<span class="bb-letter">A</span>'
    assert f'<summary>{letter} Because of <code>x</code> &amp; "y".</summary>' in html


def test_feedback_says_first_whether_the_option_is_right(html: str) -> None:
    """In words, not by colour alone, and only the right ones are marked for the script."""
    boxes = re.findall(r"<details.*?</details>", html, re.DOTALL)
    assert ["data-right" in box for box in boxes] == [False, True, True, False]
    said = [re.findall(r'<p class="bb-judgement"><strong>(.*?)</strong></p>', box) for box in boxes]
    assert said == [["Not this one."], ["Right."], ["Right."], ["Not this one."]]
    assert "</p>\n<p>It has <em>nothing</em> to do with it.</p>" in boxes[0]
    assert "<li>And more.</li>" in boxes[1]
