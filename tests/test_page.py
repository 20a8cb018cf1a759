"""Pages are scanned for what they ask of runs, and mistakes are found before anything is parsed."""

from pathlib import Path

import pytest

from benchbook.errors import PageError
from benchbook.pages.page import load, pages, scan
from benchbook.project import Project

FIGURE = "/// figure | a/b losses\n    alt: Three bars\nEqual *bars*.\n///\n"
PREDICT = "//// predict | x\nQ?\n/// answer\nA.\n///\n////\n\n"
QUESTION = "//// question | q\nQ?\n/// option | O\n    right: true\nF.\n///\n/// option | P\nF.\n///\n////\n"
FOLDS = (
    "/// hint\nH.\n///\n\n/// functions\nF.\n///\n\n/// plan\n1. P.\n///\n\n"
    "/// starter | a/b c\n///\n\n//// solution\n/// cell | a/b c\n///\nS.\n////\n"
)


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
        ("//// predict | Name\nQ?\n/// answer\nA.\n///\n////\n", 1, "has the argument 'Name'"),
        ("//// predict\nQ?\n/// answer\nA.\n///\n////\n", 1, "name-of-your-own"),
        ("/// predict | x\nQ?\n///\n", 1, "holds 0 '/// answer'"),
        (PREDICT.replace("////\n\n", "/// answer\nB.\n///\n////\n\n"), 1, "holds 2 '/// answer'"),
        (PREDICT.replace("Q?\n", ""), 1, "has no text before its answer"),
        (PREDICT.replace("////\n\n", "More.\n////\n\n"), 6, "goes on after its answer"),
        (PREDICT.replace("A.\n", ""), 3, "has no text"),
        (PREDICT.replace("answer", "answer\n    right: true"), 3, "has the option right: True"),
        (PREDICT + PREDICT, 8, "a second '/// predict' of the name 'x'"),
        ("/// answer\nA.\n///\n", 1, "outside a '/// predict'"),
        (PREDICT.replace("answer", "details | A"), 1, "holds 0 '/// answer'"),
        (f"////// details\n{PREDICT}//////\n{PREDICT}", 10, "the first is on line 2"),
        (f"///// hint\n{PREDICT}/////\n", 2, "'/// predict' inside '/// hint'"),
        (PREDICT.replace("A.", "A.\n///// hint\nH.\n/////"), 5, "'/// hint' inside '/// predict'"),
        ("//// solution\n/// hint\nH.\n///\n////\n", 2, "inside '/// solution'"),
        ("//// hint\n/// starter | a/b c\n///\n////\n", 2, "end '/// hint' of line 1 before it"),
        (
            "//// artefact | a/b c\nA.\n\n/// output | a/b\n///\n////\n",
            4,
            "end '/// artefact' of line 1 before it",
        ),
        (f"///// artefact | a/b c\n{PREDICT}/////\n", 2, "inside '/// artefact'"),
        (
            FIGURE.replace("///", "////").replace("Eq", "/// artefact | a/b c\n///\nEq"),
            3,
            "inside '/// figure'",
        ),
        ("/// hint | now\nH.\n///\n", 1, "has the argument 'now'"),
        ("/// plan\n///\n", 1, "write the steps before its end"),
        ("/// functions\n    open: true\nF.\n///\n", 1, "has the option open: True"),
        ("/// option | O\nF.\n///\n", 1, "outside a '/// question'"),
        (QUESTION.replace("/// option | P\nF.\n///\n", ""), 1, "holds 1 '/// option'"),
        (QUESTION.replace("    right: true\n", ""), 1, "has no right option"),
        (QUESTION.replace("right: true", "right: false"), 1, "has no right option"),
        (QUESTION.replace("right: true", "right: 1"), 3, "write true or false"),
        (QUESTION.replace("right: true", "right: yes please"), 3, "write true or false"),
        (QUESTION.replace("right: true", "write: true"), 3, "known: right"),
        (QUESTION.replace("option | P", "option"), 7, "has the argument ''"),
        (QUESTION.replace("Q?\n", ""), 1, "write the question above line 2"),
        (QUESTION.replace("\n/// option | P", "\nand\n/// option | P"), 7, "goes on after its option"),
        (QUESTION + QUESTION, 11, "a second '/// question' of the name 'q'"),
        ("x [](#figure-c)\n", 1, "leads to no figure and no listing (write its text)"),
        (f"{FIGURE}\nx\ny [](#figure-loses)\n", 7, "or one of: #figure-losses"),
        (f"{FIGURE}\n[ ](figure-losses)\n", 6, "leads to no figure"),
        (f"{FIGURE}\n[](other.md#figure-losses)\n", 6, "leads to no figure"),
        (f'{FIGURE}\n[](#figure-losses "title")\n', 6, "leads to no figure"),
        ("x :value[a/b c\n\nd]\n", 1, "does not close it"),
        ("x :value[a/b]\n", 1, "needs a slug and an expression"),
        ("x :value[a/b@ c]\n", 1, "needs a slug and an expression"),
        ("x\n\n```\nnever closed\n", 3, "fence"),
        ("1. Write this:\n    /// cell | a/b\n    ///\n2. Two\n", 2, "in the first paragraph of a list item"),
        ("- item\n    //// details | a\n    x\n    ////\n", 2, "below a blank line"),
        ("Text.\n\n    /// cell | a/b\n    ///\n", 3, "indented like code"),
        ('=== "Tab"\n\n    /// cell | a/b\n    ///\n', 3, "indented like code"),
        ("- item\n\n        /// cell | a/b\n        ///\n", 3, "indented like code"),
        ("//// details | x\n\n    /// cell | a/b\n    ///\n////\n", 3, "indented like code"),
        ("> /// figure | a/b c\n>     alt: Bars.\n> C.\n> ///\n", 1, "inside a block quote"),
        ("The sign ` opens code.\n/// cell | a/b c d\n///\nThe sign ` closes it.\n", 2, "the argument"),
        ("/// claim | a/b\n    holds: x\n<!-- S. -->\n///\n", 1, "has no text"),
        ("/// figure | a/b c\n    alt: x\n[a]: http://x\n///\n", 1, "write the caption"),
        ("/// figure | a/b c\n    alt: x\n[^a]: note\n    more\n///\n", 1, "write the caption"),
        (QUESTION.replace("Q?", "<!-- Q? -->"), 1, "write the question above line 3"),
        (QUESTION.replace("F.\n///\n////", "<!-- F. -->\n///\n////"), 7, "write the feedback"),
        ("/// define\na\n///\n", 1, "is no block"),
        ("Text.\n\n| a | b |\n| --- | --- |\n| $|x|$ of it | lost |\n", 5, "holds the sign | in a table"),
        ("x\n[a](https://host.example/$a$/b)\n", 2, "in a link's target"),
        ('[a](b.md "with $a$ in it")\n', 1, "in a link's target"),
        ("<https://host.example/$a$/b>\n", 1, "in a tag"),
        ("![the $a$ of it](a.png)\n", 1, "in the words for an image"),
        ('An <abbr title="with $x$ in it">x</abbr>.\n', 1, "in a tag"),
        ('An <span title=":value[a/b c]">x</span>.\n', 1, "a value in a tag"),
        ('# Title {: title=":value[a/b c]" }\n', 1, "a value in a list of attributes"),
        ("x\n[the time :value[a/b c]](index.md)\n", 2, "a value in another link"),
        ("[:value[a/b c] and :value[a/b d]][x]\n", 1, "a value in another link"),
        ("/// figure-caption\na\n///\n", 1, "is no block"),
        ("/// details\n    open: maybe\nx\n///\n", 1, "write true or false"),
        ("/// admonition\n    type: 3\nx\n///\n", 1, "write a word"),
        ("/// details\n    attrs: 3\nx\n///\n", 1, "write {class: name}"),
        ("/// html | 1!!\nx\n///\n", 1, "has the argument '1!!'"),
        ("/// html | div\n    markdown: never\nx\n///\n", 1, "auto, block, html, inline, raw"),
        ("/// tab | A\n    select: foo\nx\n///\n", 1, "write true or false"),
        ("---\na: [\n---\nx\n", 3, "front matter"),
    ],
)
def test_a_mistake_is_an_error_with_its_line_and_mend(text: str, line: int, said: str) -> None:
    """Whatever pymdownx would leave as text in silence names the file, the line and what to do."""
    with pytest.raises(PageError) as caught:
        scan(text, path="docs/p.md")
    assert (caught.value.path, caught.value.line) == ("docs/p.md", line)
    assert said in str(caught.value)
    assert caught.value.mend


def test_blocks_that_name_no_lesson_are_checked_and_show_nothing_of_one() -> None:
    """They may hold blocks that do, one name may serve a prediction and a question, and titles are free."""
    whole = f"{PREDICT.replace('answer', 'answer | Expected: *this*')}{QUESTION}\n{FOLDS}"
    inside = PREDICT.replace("A.\n", f"A.\n\n{FIGURE.replace('///', '//////')}").replace("| x", "| q")
    uses = scan(f"{whole}\n{inside}", path="docs/p.md").uses
    assert [use.kind for use in uses] == ["starter", "cell", "figure"]


def test_an_empty_link_may_lead_to_any_figure_or_listing_of_the_page() -> None:
    """Further down, a cell's second listing, the whole example; what is no empty link is passed over."""
    shown = f"{FIGURE}\n/// cell | a/b c\n///\n\n/// cell | a/b c\n///\n\n/// cell | a/b\n///\n"
    links = ("#figure-losses", "#listing-c", "#listing-c-2", "#listing-whole")
    text = " ".join(f"[]({link})" for link in links) + " `[](#no)` \\[](#no) ![](a.png) [x](#no) [`x`](b.md)"
    assert len(scan(f"{text}\n\n{shown}", path="docs/p.md").uses) == 4


@pytest.mark.parametrize(
    "ordinary", ["details", "admonition", "html | div", "tab | One", "caption", "table-caption"]
)
def test_pymdownx_blocks_pass_and_may_hold_ours(ordinary: str) -> None:
    """Ordinary blocks are no use, and ours are found inside them and inside lists."""
    page = scan(f"- item\n\n    //// {ordinary}\n    /// cell | a/b\n    ///\n    ////\n", path="p.md")
    assert [(use.kind, use.line) for use in page.uses] == [("cell", 4)]


@pytest.mark.parametrize(
    "text",
    [
        "A [link](a.md), $x$, a <b>tag</b>, $y$ and [the $z$](b.md).",
        "If $a < b$ then :value[a/b c] > 0, in (a) [brackets :value[a/b c]].",
        "| $x$ | $\\|y\\|$ |\n| --- | --- |\n| costs $5 |\n| or 6$ | US$ |",
        "`[a](` :value[a/b c] `)` and `<a ` $x$ `>`.",
        "Not a table: $|x|$ | $|y|$.",
    ],
)
def test_formulas_and_values_beside_links_and_tags_are_in_their_place(text: str) -> None:
    """Only what Markdown would put into an attribute, or cut in two, is refused."""
    assert scan(text, path="p.md").text == text


@pytest.mark.parametrize(
    "above",
    [
        "- item\n\n",
        "- item that\n  goes on\n\n",
        "- item that\ngoes on\n\n    More\n",
        "[^a]: note\n\n",
        "!!! note\n",
        "10. item\n\n    ```\n    code\n    ```\n\n",
    ],
)
def test_what_holds_indented_lines_may_hold_a_block(above: str) -> None:
    """Lists, footnotes and admonitions, however their own text is laid out."""
    assert len(scan(f"{above}    /// cell | a/b\n    ///\n", path="p.md").uses) == 1


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


def test_a_page_that_cannot_be_read_is_named(project: Project) -> None:
    """A link that leads nowhere is an error of that page, with its mend, and no traceback."""
    (project.docs / "a.md").symlink_to("nowhere.md")
    with pytest.raises(PageError, match=r"docs/a\.md: cannot be read: No such file .*remove it"):
        load(project, project.docs / "a.md")


def test_a_mark_before_the_first_character_is_no_part_of_a_page(project: Project) -> None:
    """The front matter of a page that an editor saved with a byte order mark is found."""
    (project.docs / "a.md").write_bytes("\ufeff---\ntitle: T\n---\n# H\n".encode())
    found = load(project, project.docs / "a.md")
    assert (found.front, found.text[:3]) == ({"title": "T"}, "---")
