"""Folds are closed boxes without a script, and what they hide cannot be found by search."""

import pytest
from material.plugins.search.plugin import Parser

from benchbook.project import Project
from tests.factory import store_run
from tests.rendering import Text, render

EXERCISE = """\
/// hint
Think of *twice*.
///

/// functions

```python
numpy.multiply(a, b)
```
///

/// plan
1. Multiply.
2. Look.
///

/// starter | chapter/lesson exercise
///

//// solution
/// cell | chapter/lesson exercise
///

It is `2 * x`.
////

Seen.
"""
NESTED = """\
///// predict | total
What is the total?

//// answer
Secret one.

/// figure | chapter/lesson total
    alt: Two bars
Secret two.
///

/// details | More
Secret three.
///

Secret four.
////
/////

//// question | why
Why?

/// option | Because.
    right: true
Secret five.
///

/// option | Perhaps.
Secret six.
///
////

Seen.
"""


def searched(html: str) -> str:
    """What the theme's search knows of a page."""
    parser = Parser()
    parser.feed(f"<h1 id='t'>T</h1>{html}")
    parser.close()
    return "".join(text for section in parser.data for text in section.text)


def test_an_exercise_has_its_five_closed_boxes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each says what it holds while it is closed, in the words of the site."""
    html = render(project, EXERCISE, monkeypatch)
    boxes = Text(html).all("details")
    kinds = ["hint", "functions", "plan", "starter", "solution"]
    assert [box["class"] for box in boxes] == [f"bb-fold bb-{kind}" for kind in kinds]
    assert [set(box) for box in boxes] == [{"class", "data-search-exclude"}] * 5
    words = ["Hint", "Key functions", "Plan", "Starter", "Reference solution"]
    assert [html.count(f"<summary>{word}</summary>") for word in words] == [1] * 5
    assert "<p>Think of <em>twice</em>.</p>" in html
    assert "<li>Multiply.</li>" in html
    assert [code for code in Text(html).code if "doubled = ..." in code]


def test_search_finds_nothing_that_is_folded(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even behind a box inside the box, whose end the theme takes for the end of what it leaves out."""
    store_run(project)
    for text in (EXERCISE, NESTED):
        index = searched(render(project, text, monkeypatch))
        assert "Seen." in index
        assert [word for word in ("twice", "multiply", "2 * x", "Secret", "Look") if word in index] == []


def test_a_box_holds_its_whole_text(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows a box inside it stays inside it, in its order."""
    store_run(project)
    html = render(project, NESTED, monkeypatch)
    answer = html[html.index('<details class="bb-answer"') : html.index("</section>\n</details>")]
    found = [answer.index(f"Secret {number}") for number in ("one", "two", "three", "four")]
    assert found == sorted(found)
