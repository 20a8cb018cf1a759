"""What the scan of a page finds and what Markdown makes are the same, or the page is refused."""

import pytest

from benchbook.errors import PageError
from benchbook.project import Project
from tests.factory import store_run
from tests.rendering import render

VALUE = ":value[chapter/lesson total]"
CELL = "/// cell | chapter/lesson total\n///\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (f"Text.\n\n<div>{VALUE}</div>\n", 3, "is left over as text"),
        (f"/// hint\n<div>{VALUE}</div>\n///\n", 2, "is left over as text"),
        (f"//// solution\nText.\n\n<div>\n\n{CELL}\n</div>\n////\n", 6, "'/// cell | chapter/lesson total'"),
        (f"Text.\n\n    {VALUE}\n", 3, "is left over as text"),
        (f"| a | b |\n| --- | --- |\n| the ` sign | {VALUE} |\n| a ` again | b |\n", 3, "looks like code"),
        ("- /// cell | chapter/lesson total\n  text\n\n    More\n", 1, "in an item's first line"),
    ],
)
def test_what_differs_is_refused(
    project: Project, monkeypatch: pytest.MonkeyPatch, text: str, line: int, said: str
) -> None:
    """Raw HTML and code hide a value or a block from Markdown, and lone signs of code hide it from us."""
    store_run(project)
    with pytest.raises(PageError) as caught:
        render(project, text, monkeypatch)
    assert caught.value.line == line
    assert said in str(caught.value)


def test_each_page_begins_anew(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same block and value twice are made twice, in a list, a table and a sentence."""
    store_run(project)
    text = f"{CELL}\n{CELL}\nSo {VALUE} and {VALUE}.\n\n| {VALUE} | a |\n| --- | --- |\n| b | {VALUE} |\n"
    for _ in range(2):
        html = render(project, text, monkeypatch)
        assert (html.count("bb-value"), html.count("bb-listing")) == (4, 2)
