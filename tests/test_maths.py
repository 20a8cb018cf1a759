"""Maths: LaTeX becomes MathML when a page is built, without a script, and a wrong formula is an error."""

import re
import subprocess
import sys
from html import unescape
from xml.etree.ElementTree import tostring

import markdown
import pytest
from markdown.util import AtomicString

from benchbook.blocks.formula import FormulaError, formula
from benchbook.errors import PageError
from benchbook.project import Project
from tests.browser import Visitor
from tests.built import BIN

EXTENSIONS = ["attr_list", "tables", "pymdownx.blocks.details", "pymdownx.superfences", "benchbook.blocks"]
MKDOCS = "site_name: T\nplugins: []\nmarkdown_extensions: [benchbook.blocks]\nnav: [p.md]\n"


@pytest.fixture
def render(project: Project, monkeypatch: pytest.MonkeyPatch):
    """A page's HTML."""
    monkeypatch.chdir(project.root)
    return lambda source: markdown.markdown(source, extensions=EXTENSIONS)


def shown(latex: str) -> str:
    """The MathML without its annotation, attributes aside."""
    meaning = formula(latex)[0]
    meaning.remove(meaning[1])
    return re.sub(r"(<\w+)[^>]*?(/?>)", r"\1\2", tostring(meaning[0], encoding="unicode"))


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{2}{N}", "<mrow><mfrac><mrow><mn>2</mn></mrow><mrow><mi>N</mi></mrow></mfrac></mrow>"),
        (r"X^\top", "<mrow><msup><mi>X</mi><mo>\u22a4</mo></msup></mrow>"),
        (
            r"\sum_{i=1}^{N} x_i",
            "<mrow><msubsup><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mrow><mi>N</mi></mrow></msubsup>"
            "<msub><mi>x</mi><mi>i</mi></msub></mrow>",
        ),
        (
            r"\left\lVert x \right\rVert_2",
            "<mrow><msub><mrow><mo>‖</mo><mi>x</mi><mo>‖</mo></mrow><mn>2</mn></msub></mrow>",
        ),
        (
            r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
            "<mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
            "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo>)</mo></mrow>",
        ),
        (r"\text{MAD} \le 5", "<mrow><mtext>MAD</mtext><mo>≤</mo><mn>5</mn></mrow>"),
        (r"a < b", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>"),
    ],
)
def test_what_the_lessons_need_becomes_the_mathml_that_says_it(latex: str, expected: str):
    """Fractions, transposes, sums, norms, matrices and words, as real characters and no references."""
    assert shown(latex).replace("&amp;lt;", "&lt;") == expected


@pytest.mark.parametrize(
    "latex",
    [
        r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
        r"\begin{cases} 1 & x \\ 2 & y \end{cases}",
        r"\left. x^2 \right|_0",
        r"{}^2 x + \operatorname{relu} x",
    ],
)
def test_lines_that_are_aligned_and_bare_fences_pass(latex: str):
    """They are no mistake; the annotation keeps what was written."""
    assert unescape(formula(latex)[0][1].text or "") == latex


def test_a_formula_carries_its_source():
    """What copies it finds the LaTeX; the letters of a formula are not searched."""
    made = formula("a  +\n b", display=True)
    assert (made.tag, made.get("display"), made.get("data-search-exclude")) == ("math", "block", "")
    annotation = made[0][1]
    assert (annotation.get("encoding"), annotation.text) == ("application/x-tex", "a + b")
    assert all(isinstance(node.text, AtomicString) for node in made.iter() if node.text)


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        (r"\frac{a", "a brace without its partner"),
        ("a}{", "a brace without its partner"),
        (r"\nosuch{x}", r"the command \nosuch is not known"),
        ("x_", "missing super script or subscript"),
        ("a & b", "an & outside a matrix"),
        (r"\frac{a}", "a command lacks an argument"),
        (r"\begin{pmatrix} 1", "missing end"),
        (r"\color{red}{x}", r"\color is not used here"),
        (r"\href{javascript:alert(1)}{x}", r"\href is not used here"),
        (r"\left(", "no available tokens"),
        (r"\begin{foo}a\end{foo}", "the environment foo is not known"),
        (r"\begin{align}a &= b\end{align}", "the environment align is not known"),
        (r"\unicode{x}", r"\unicode is not used here"),
        ("^2", "nothing before a ^ or _"),
        ("x^^2", "nothing before a ^ or _"),
        (r"\operatorname", "a command lacks an argument"),
    ],
)
def test_a_wrong_formula_is_refused(latex: str, said: str):
    """What latex2mathml would show as it stands, or leave half empty, is an error that says why."""
    with pytest.raises(FormulaError, match=re.escape(said)):
        formula(latex)


@pytest.mark.parametrize(
    "source",
    [
        "It costs $1 and $2, US$5 or A$6.",
        "From $HOME/$PATH to ($1)\u2013($2).",
        "`$x$` and ``$$ y $$``",
        "```sh\necho $x$ $$\n```",
        "    echo $x$",
        r"\$x\$",
        "$ x $",
        "a$b$c",
        "Code:\n\n    $$PID$$\n\n    $$ / x^2 / $$",
    ],
)
def test_a_dollar_that_is_none_of_a_formula_stays_one(render, source: str):
    """Money, variables of a shell, code and escapes are no maths."""
    html = render(source)
    assert "<math" not in html
    assert "$" in html


def test_a_sentence_holds_formulas_in_any_markup(render):
    """Emphasis, lists, cells and blocks take formulas; emphasis within one is LaTeX."""
    source = "**$a_1*b_2*c$**, and\n\n- $x$\n\n| a |\n| --- |\n| $y$ |\n\n/// details | More\n$z$\n///\n"
    html = render(source)
    assert html.count("<math") == 4
    assert "<em>" not in html
    assert "$" not in html


def test_a_formula_by_itself_has_a_box_that_scrolls(render):
    """It can be reached by keyboard, and is no paragraph of text."""
    html = render("Before.\n\n$$\na\n= b\n$$\n\nAfter.")
    assert '<div aria-label="Formula" class="bb-scroll bb-formula" role="group" tabindex="0">' in html
    assert 'display="block"' in html
    assert "<p><math" not in html


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("# T\n\nA line.\n\nIt is $\\frac{a$ here.\n", 5),
        ("# T\n\n$$\n\\nosuch\n$$\n", 4),
        ("# T\n\nText\n$$\na\n$$\n", 4),
        ("# T\n\n> Text, $x_\n> {$ more.\n", 3),
        ("In code `\\nope x`.\n\n$\\nope x$\n", 3),
        ("T\n\nA line with\n$$\nx^2 `c`\n$$\n", 4),
    ],
)
def test_an_error_names_the_line_of_the_formula(render, source: str, line: int):
    """The line is that of the page, and the mend says how to write a dollar."""
    with pytest.raises(PageError) as caught:
        render(source)
    assert caught.value.line == line
    assert "a dollar" in str(caught.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("| a | b |\n| --- | --- |\n| $|x|$ of it | lost |\n", "3: the formula '$|x|$' holds the sign |"),
        ("[a](https://host.example/$a$/b)\n", "1: the formula 'a': it stands in a link's target"),
        ('An <abbr title="with $x$ in it">x</abbr>.\n', "it stands in a tag"),
        ("![the $a$ of it](a.png)\n", "it stands in the words for an image"),
    ],
)
def test_a_formula_that_markdown_would_tear_is_refused(render, source: str, said: str):
    """A page that asks for nothing of a run is looked at as well."""
    with pytest.raises(PageError, match=re.escape(said)):
        render(source)


def test_an_error_says_what_a_writer_sees(render):
    """No mark of Markdown's own, and that a formula by itself is one paragraph."""
    with pytest.raises(PageError) as caught:
        render("A line with\n$$\nx^2 `c`\n$$\n")
    assert "\x02" not in str(caught.value)
    with pytest.raises(PageError, match="and none in it"):
        render("$$\nx\n\ny\n$$\n")


def test_a_wrong_formula_ends_a_build_with_file_and_line(project: Project):
    """MkDocs prints one line, in which the front matter counts, and no traceback."""
    (project.root / "mkdocs.yml").write_text(MKDOCS)
    (project.docs / "p.md").write_text("---\ntitle: T\n---\n\n# Page\n\n$\\nosuch$\n")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "-q"],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 1
    assert "docs/p.md:7: the formula '\\\\nosuch': the command \\nosuch is not known" in built.stderr
    assert "Traceback" not in built.stderr


def test_pages_without_formulas_load_no_converter(project: Project):
    """The Markdown extension stays light."""
    code = (
        "import sys, markdown\nmarkdown.markdown('a $1 b', extensions=['benchbook.blocks'])\n"
        "print('latex2mathml' in sys.modules)"
    )
    done = subprocess.run(
        [BIN / "python", "-c", code], cwd=project.root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


@pytest.mark.browser
@pytest.mark.parametrize("path", ["/how-this-site-measures/", "/hardware/"])
def test_formulas_are_drawn_by_the_browser_and_never_widen_the_page(visit: Visitor, path: str):
    """Nothing is fetched for them, no phone scrolls sideways, and their source is not shown."""
    seen = visit(path, width=320)
    page = seen.page
    assert page.locator("math[display=block]").count() > 0
    for annotation in page.locator("annotation").all():
        assert not annotation.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    boxes = [formula.bounding_box() for formula in page.locator("math[display=block]").all()]
    assert all(box and box["height"] > 15 for box in boxes)
    assert seen.faults == []
    assert seen.elsewhere == []
