"""The glossary: what its page must look like, and what its words become on other pages."""

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import markdown
import pytest

from benchbook import check
from benchbook.building import builder
from benchbook.building.site import BuildError
from benchbook.errors import PageError
from benchbook.pages import glossary
from benchbook.pages.glossary import Teaching, parse, plain
from benchbook.project import Project
from tests.built import PROJECT, file, having, text, tree

EXTENSIONS = [
    *("attr_list", "md_in_html", "footnotes", "tables", "toc"),
    *("pymdownx.blocks.details", "pymdownx.superfences", "pymdownx.inlinehilite", "benchbook.blocks"),
]
TRACE = """\
### trace {: #trace data-also="traces, traced" }

To run a function with *stand-ins*, as [JAX](https://docs.jax.dev/en/latest/) does.
More about it.

Taught in [Compile](jit/compile.md#the-idea), [Chapter](jit/index.md).
"""
TERMS = f"""\
# Glossary

{TRACE}
### profiler trace {{: #profiler-trace data-also="profile" }}

What ran when.

### run {{: #run data-only="recorded run, run file" }}

A file that is never edited.

## Group

### MAD {{: #mad }}

A spread.

### first call {{: #first-call }}

A call that compiles.

### call {{: #call }}

Any call.
"""
BUDGET = 512  # bytes that the terms may add to a lesson, compressed


class Links(HTMLParser):
    """Collects the links to terms, with their text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a link to a term."""
        given = {name: value or "" for name, value in attrs}
        self.inside = tag == "a" and "bb-term" in given.get("class", "").split()
        if self.inside:
            self.found.append(("", given))

    def handle_data(self, data: str) -> None:
        """Notes the text of such a link."""
        if self.inside:
            self.found[-1] = (self.found[-1][0] + data, self.found[-1][1])

    def handle_endtag(self, tag: str) -> None:
        """Notes its end."""
        self.inside = False

    def pairs(self) -> list[tuple[str, str]]:
        """Text and anchor of each."""
        return [(said, given["href"].partition("#")[2]) for said, given in self.found]


def described(project: Project, terms: str = TERMS) -> None:
    """Writes a glossary and what is derived from it."""
    for name in ("jit/compile.md", "jit/index.md"):
        (project.docs / name).parent.mkdir(parents=True, exist_ok=True)
        (project.docs / name).write_text("# A page\n\n## The idea\n")
    (project.root / glossary.PAGE).write_text(terms)
    builder.build(project)


@pytest.fixture
def rendered(project: Project, monkeypatch: pytest.MonkeyPatch):
    """A page's HTML, in a project that has a glossary."""
    described(project)
    monkeypatch.chdir(project.root)
    return lambda source: markdown.markdown(source, extensions=EXTENSIONS)


def test_a_term_is_read_as_it_is_written():
    """Anchor, forms, first sentence as text, and the lessons that teach it, each from its own place."""
    term = parse(TRACE)[0]
    assert (term.id, term.name, term.line) == ("trace", "trace", 1)
    assert term.forms == ("trace", "traces", "traced")
    assert term.summary == "To run a function with stand-ins, as JAX does."
    assert term.taught == (
        Teaching("Compile", "jit/compile.md#the-idea"),
        Teaching("Chapter", "jit/index.md"),
    )


def test_forms_may_take_the_place_of_an_everyday_word():
    """``data-only`` leaves the heading's own word unlinked."""
    forms = {term.id: term.forms for term in parse(TERMS)}
    assert forms["run"] == ("recorded run", "run file")
    assert forms["mad"] == ("MAD",)


def test_a_comment_in_code_ends_no_entry() -> None:
    """The lines below it are still the term's."""
    code = "```python\n# A comment.\n### And more\n```"
    (term,) = parse(f"### a {{: #a }}\n\nOne.\n\n{code}\n\nTaught in [A](a.md).\n")
    assert [place.title for place in term.taught] == ["A"]


@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("# G\n\n### trace\n\nA word.\n", 3, "'trace' has no anchor"),
        ("### trace {: #trace }\n\n## Group\n", 1, "'trace' has no definition"),
        ("### trace {: #trace }\n\nTaught in [A](a.md).\n", 1, "'trace' has no definition"),
        ("### trace {: #trace class=x }\n\nA word.\n", 1, "'trace' has the attribute 'class=x'"),
        ('### trace {: #trace data-x="y" }\n\nA word.\n', 1, "'trace' has the attribute"),
        (
            '### a {: #a }\n\nOne.\n\n### b {: #b data-also="A" }\n\nTwo.\n',
            5,
            "'a' is a term already, on line 1",
        ),
        ("### a {: #a }\n\nOne.\n\n### b {: #a }\n\nTwo.\n", 5, "'#a' is a term already, on line 1"),
        ("### a {: #a }\n\nOne.\n\nTaught in a lesson.\n", 1, "'a' is taught nowhere"),
        (f"### a {{: #a }}\n\n{'long ' * 40}.\n", 1, "the first line of 'a' has"),
        ("### {: #a }\n\nOne.\n", 1, "is no term"),
        ("Text.\n\n###ab {: #ab }\n\nOne.\n", 3, "is no term"),
    ],
)
def test_a_wrong_term_is_told_with_its_line_and_the_mend(source: str, line: int, said: str):
    """Nothing is guessed: each mistake names the file, the line and what to write."""
    with pytest.raises(PageError) as caught:
        parse(source)
    assert (caught.value.path, caught.value.line) == (glossary.PAGE, line)
    assert said in caught.value.message
    assert caught.value.mend


def test_a_definition_is_shown_as_plain_text():
    """A title shows no marks of Markdown."""
    assert plain("`a_b` is **an** [*x*](y.md), see [^1].") == "a_b is an x, see ."


def test_the_first_use_of_a_term_is_a_link_to_its_entry(rendered):
    """It carries nothing but its address, for two dozen of them weigh on a page; the second use is text."""
    found = Links(rendered("A function is traced.\n\nThe trace ends.\n")).found
    assert [said for said, _ in found] == ["traced"]
    assert found[0][1] == {"class": "bb-term", "href": "/glossary.md#trace"}


def test_whole_words_are_linked_the_longest_first(rendered):
    """A part of a word or of a compound is no term, and a term within a longer one is the longer one."""
    pairs = Links(rendered("A retrace, re-trace, MADAM, MAD/s; a first\ncall, its MAD, a call.")).pairs()
    assert pairs == [("first\ncall", "first-call"), ("MAD", "mad"), ("call", "call")]


def test_a_sentence_may_begin_with_a_term_and_an_acronym_keeps_its_letters(rendered):
    """A capital at the beginning is no other word; small letters are none of an acronym's."""
    assert Links(rendered("Traces are many. He went mad.")).pairs() == [("Traces", "trace")]


@pytest.mark.parametrize(
    "source",
    [
        "# A trace",
        "`trace`",
        "```\ntrace\n```",
        "[a trace](https://docs.jax.dev/)",
        "<b>trace</b> and a <i>trace</i>",
        "<div>trace</div>",
        "| trace | no |\n| --- | --- |\n| trace | no |",
        "/// details | Answer\nA trace.\n///",
        "$trace$",
        '<a href="x">the trace</a>',
    ],
)
def test_what_is_no_prose_of_the_page_is_left_alone(rendered, source: str):
    """Headings, code, links, raw HTML, names of rows and columns, folds and formulas stay as they are."""
    assert Links(rendered(source)).pairs() == []
    assert Links(rendered(f"{source}\n\nThe trace.")).pairs() == [("trace", "trace")]


@pytest.mark.parametrize(
    "source",
    ["- A trace.", "> A trace.", "| a | b |\n| --- | --- |\n| c | A trace. |", "*A trace* &nbsp; <br> more"],
)
def test_lists_quotations_and_cells_are_prose(rendered, source: str):
    """Terms are linked wherever a sentence stands."""
    assert Links(rendered(source)).pairs() == [("trace", "trace")]


def test_a_question_is_prose_and_its_folded_answer_is_not(rendered):
    """A reader who has to predict may look a word up; the answer takes no first use away from the page."""
    source = "///// predict | q\nIs it traced?\n\n//// answer\nThe MAD.\n////\n/////\n\nIts MAD."
    html = rendered(source)
    assert Links(html).pairs() == [("traced", "trace"), ("MAD", "mad")]
    assert html.index("</details>") < html.index('href="/glossary.md#mad"')


def test_an_authors_own_link_decides_for_the_page(rendered):
    """It is dressed like ours; neither its term nor the one its word would lead to is linked again."""
    source = "A trace first.\n\nSee the [trace](glossary.md#profiler-trace), a profile, traced; its MAD.\n"
    found = Links(rendered(source))
    assert found.pairs() == [("trace", "profiler-trace"), ("MAD", "mad")]


def test_a_glossary_that_was_not_derived_says_what_to_run(project: Project, monkeypatch: pytest.MonkeyPatch):
    """No page is built without its terms; without a glossary there are none to miss."""
    monkeypatch.chdir(project.root)
    assert Links(markdown.markdown("A trace.", extensions=EXTENSIONS)).pairs() == []
    (project.root / glossary.PAGE).write_text(TERMS)
    with pytest.raises(
        PageError, match=re.escape("docs/glossary.md: nothing is derived for it (run benchbook")
    ):
        markdown.markdown("A trace.", extensions=EXTENSIONS)


def test_a_wrong_glossary_stops_the_build_and_is_a_problem_of_check(project: Project):
    """Both name the place; a lesson that is not there is a problem too."""
    described(project)
    (project.docs / "jit/index.md").unlink()
    missing = [p for p in check.check(project) if "taught in jit/index.md, which is not there" in p.message]
    assert [(p.path, p.line) for p in missing] == [(glossary.PAGE, 3)]
    (project.root / glossary.PAGE).write_text("### trace {: #trace }\n")
    assert [p.line for p in check.check(project) if "has no definition" in p.message] == [1]
    with pytest.raises(BuildError, match="'trace' has no definition"):
        builder.build(project)


def test_every_entry_of_the_site_reads_without_hover_or_script(site: Path):
    """On its page each term is a heading with its anchor, followed by its definition and links that exist."""
    root = tree(file(site, "/glossary/").read_text())
    flat = [node for node in root.iter() if node.tag in ("h2", "h3", "p")]
    terms = parse((PROJECT.root / glossary.PAGE).read_text())
    headings = {node.get("id"): number for number, node in enumerate(flat) if node.tag == "h3"}
    assert len(terms) >= 40
    for term in terms:
        number = headings[term.id]
        assert text(flat[number]).startswith(term.name)
        assert text(flat[number + 1]).replace(" ", "").startswith(term.summary.replace(" ", ""))
        below = flat[number + 1 : number + 4]
        assert all(node.tag == "p" for node in below[: 2 if term.taught else 1])
        said = {text(link) for node in below for link in node.iter("a")}
        assert {place.title for place in term.taught} <= said
    assert not list(having(root, "bb-term"))


def test_the_groups_of_the_site_are_in_the_order_of_the_alphabet():
    """A reader who looks up a word finds it where it should be."""
    groups = (PROJECT.root / glossary.PAGE).read_text().split("\n## ")[1:]
    for group in groups:
        names = [term.name.lower() for term in parse(f"## {group}")]
        assert names == sorted(names)


def test_terms_cost_a_lesson_little(site: Path):
    """Compressed, they add at most half a kibibyte to any lesson's page."""
    for slug in PROJECT.slugs():
        html = file(site, f"/{slug}/").read_text()
        bare = re.sub(r'<a class="bb-term"[^>]*>([^<]*)</a>', r"\1", html)
        assert html != bare
        assert len(gzip.compress(html.encode())) - len(gzip.compress(bare.encode())) <= BUDGET, slug
