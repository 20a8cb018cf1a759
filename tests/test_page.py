"""Pages are scanned for what they ask of runs, and mistakes are found before anything is parsed."""

from pathlib import Path

import pytest

from benchbook.errors import PageError
from benchbook.pages.page import load, pages, scan
from benchbook.project import Project

FIGURE = "/// figure | a/b losses\n    alt: Three bars\nEqual *bars*.\n///\n"


def test_every_kind_of_use_is_found_with_its_line() -> None:
    """A page's uses come in the order of its lines, with slug, name, options and text."""
    text = (
        "---\ntitle: T\nchapter: jit\n---\n# H\n\n/// cell | a/b\n///\n\n"
        + FIGURE
        + "\nTook :value[a/b@cuda x.median] and :value[a/b r['k'][0]].\n"
    )
    page = scan(text, path="docs/p.md")
    assert page.front == {"title": "T", "chapter": "jit"}
    assert [(use.kind, use.slug, use.name, use.line) for use in page.uses] == [
        ("cell", "a/b", "", 7),
        ("figure", "a/b", "losses", 10),
        ("value", "a/b", "x.median", 15),
        ("value", "a/b", "r['k'][0]", 15),
    ]
    assert page.uses[1].options == {"alt": "Three bars"}
    assert page.uses[1].body == "Equal *bars*."
    assert [use.run for use in page.uses] == [None, None, "cuda", "cpu"]


@pytest.mark.parametrize(
    "hidden",
    [
        "```\n/// cel | a/b\n:value[\n```\n",
        "````md\n```\n/// cel\n```\n````\n",
        "    ~~~\n    /// nothing\n    ~~~\n",
        "`:value[` and ``a ` :value[x]``\n",
        "<!-- /// cell\n:value[ -->\n",
        "<pre>\n/// cel\n:value[\n</pre>\n",
    ],
)
def test_code_comments_and_raw_html_are_left_out(hidden: str) -> None:
    """What Markdown shows as it stands asks for nothing and is no mistake."""
    assert scan(f"before\n\n{hidden}\n/// cell | a/b\n///\n", path="p.md").uses[0].kind == "cell"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a\n\n/// cel | a/b\n///\n", 3, "is no block"),
        ("/// cell a/b\n///\n", 1, "is no block"),
        ("/// note | x\n///\n", 1, "type: note"),
        ("/// cell | a/b\n", 1, "not closed"),
        ("a\n///\n", 2, "closes nothing"),
        ("/// details | x\n/// cell | a/b\n///\n///\n", 2, "as many slashes"),
        ("//// details | x\n/// cell | a/b\n////\n///\n", 3, "closes no open block"),
        ("/// cell | A/b\n///\n", 1, "has the argument"),
        ("/// cell | a/b c d\n///\n", 1, "has the argument"),
        ("/// starter | a/b\n///\n", 1, "has the argument"),
        ("/// cell | a/b\n    run: cpu\n///\n", 1, "has the option run"),
        ("/// cell | a/b\ntext\n///\n", 1, "has a text"),
        ("/// figure | a/b c\ncaption\n///\n", 1, "lacks alt"),
        ("/// figure | a/b c\n    alt: x\n///\n", 1, "has no text"),
        ("/// figure | a/b c\n\n    alt: x\ncaption\n///\n", 1, "lacks alt"),
        ("/// figure | a/b c\n    alt: Bars: three\ncaption\n///\n", 2, "not YAML"),
        ("/// figure | a/b c\n    alt: 46\ncaption\n///\n", 1, "quoted"),
        ("/// figure | a/b c\n    alt: x :value[a/b y]\ncaption\n///\n", 1, "in an option"),
        ("/// output | a/b\n    run: CPU 1\n///\n", 1, "run: CPU 1"),
        ("/// claim | a/b\n    hold: x\nS.\n///\n", 1, "has the option hold"),
        ("/// details | x\n    opened: true\ntext\n///\n", 1, "has the option 'opened'"),
        ("/// tab\ntext\n///\n", 1, "has no argument"),
        ("x :value[a/b c\n\nd]\n", 1, "does not close it"),
        ("x :value[a/b]\n", 1, "needs a slug and an expression"),
        ("x :value[a/b@ c]\n", 1, "needs a slug and an expression"),
        ("x\n\n```\nnever closed\n", 3, "fence"),
        ("---\na: [\n---\nx\n", 1, "front matter"),
    ],
)
def test_a_mistake_is_an_error_with_its_line_and_mend(text: str, line: int, said: str) -> None:
    """Whatever pymdownx would leave as text in silence names the file, the line and what to do."""
    with pytest.raises(PageError) as caught:
        scan(text, path="docs/p.md")
    assert (caught.value.path, caught.value.line) == ("docs/p.md", line)
    assert said in str(caught.value)
    assert caught.value.mend


@pytest.mark.parametrize(
    "ordinary", ["details", "admonition", "html | div", "tab | One", "caption", "define"]
)
def test_pymdownx_blocks_pass_and_may_hold_ours(ordinary: str) -> None:
    """Ordinary blocks are no use, and ours are found inside them and inside lists."""
    page = scan(f"- item\n\n    //// {ordinary}\n    /// cell | a/b\n    ///\n    ////\n", path="p.md")
    assert [(use.kind, use.line) for use in page.uses] == [("cell", 4)]


def test_pages_are_the_hand_written_ones(project: Project, tmp_path: Path) -> None:
    """Run pages are derived, and no page of theirs is scanned."""
    (project.docs / "jit").mkdir()
    (project.docs / "jit" / "a.md").write_text("A\r\n\r\n/// cell | a/b\r\n///\r\n")
    (project.runs / "jit").mkdir(parents=True)
    (project.runs / "jit" / "index.md").write_text("/// wrong\n")
    assert [(page.path, len(page.uses)) for page in pages(project)] == [("docs/jit/a.md", 1)]


def test_a_page_that_is_not_utf8_is_named(project: Project) -> None:
    """Bytes that are no UTF-8 are an error of that page."""
    (project.docs / "a.md").write_bytes(b"\xff")
    with pytest.raises(PageError, match=r"docs/a\.md: not UTF-8"):
        load(project, project.docs / "a.md")
