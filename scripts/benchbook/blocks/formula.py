"""A formula: LaTeX as the MathML that says it, with everything refused that latex2mathml would let pass.

The formula's own source goes along as an annotation, which is not shown: what copies a formula or reads it
aloud has it at hand. An ``alttext`` would be read in the place of the MathML, which says more.
"""

import html
import re
from xml.etree.ElementTree import Element, SubElement

from benchbook.blocks.elements import literal

BRACE = re.compile(r"\\.|(?P<open>\{)|(?P<close>\})", re.DOTALL)
UNKNOWN = re.compile(r"\\[a-zA-Z]+")
CHILDREN = {
    "mfrac": 2,
    "mroot": 2,
    "msub": 2,
    "msup": 2,
    "munder": 2,
    "mover": 2,
    "msubsup": 3,
    "munderover": 3,
}
MATRICES = ("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix")
ENVIRONMENTS = {
    *MATRICES,
    *(f"{name}*" for name in MATRICES),
    "smallmatrix",
    "cases",
    "array",
    "split",
    "aligned",
}
ENVIRONMENT = re.compile(r"\\begin\s*\{(?P<name>[^{}]*)\}")
ALIGNED = re.compile(r"(\\(?:begin|end)\s*)\{aligned\}")  # latex2mathml knows it by its older name
SCRIPTS = frozenset({"msub", "msup", "msubsup"})
# A link belongs into the sentence, and a colour would be lost on a light or on a dark page.
REFUSED = {"href": r"\href", "mathcolor": r"\color", "mathbackground": r"\colorbox"}


class FormulaError(ValueError):
    """A formula that is not written as LaTeX wants it."""


def formula(latex: str, *, display: bool = False) -> Element:
    """The formula as an element of a page's tree.

    Args:
        latex: Without its dollars.
        display: Whether it stands by itself.

    Raises:
        FormulaError: It is wrong, or uses what latex2mathml does not know.
    """
    from latex2mathml.converter import Converter  # slow to import, and most pages have no formula

    _check_braces(latex)
    _check_environments(latex)
    try:
        converter = Converter(display="block" if display else "inline")
        row = converter.convert_to_element(ALIGNED.sub(r"\1{split}", latex))[0]
    except Exception as error:  # its exceptions have no family, and an IndexError may be among them
        words = re.sub(r"(?<!^)(?=[A-Z])", " ", type(error).__name__.removesuffix("Error")).lower()
        raise FormulaError(words) from error
    for element in row.iter():
        _check(element)
        element.text = literal(html.unescape(element.text)) if element.text else None
    # The letters of a formula, one by one, are no words that somebody would search for.
    made = Element("math", {"data-search-exclude": ""} | ({"display": "block"} if display else {}))
    meaning = SubElement(made, "semantics")
    meaning.append(row)
    SubElement(meaning, "annotation", encoding="application/x-tex").text = literal(" ".join(latex.split()))
    return made


def _check_braces(latex: str) -> None:
    """latex2mathml makes something of braces that do not match."""
    depth = 0
    for brace in BRACE.finditer(latex):
        depth += bool(brace["open"]) - bool(brace["close"])
        if depth < 0:
            break
    if depth:
        raise FormulaError("a brace without its partner")


def _check_environments(latex: str) -> None:
    """latex2mathml shows what stands in one that it does not know, and numbers the lines of others."""
    for match in ENVIRONMENT.finditer(latex):
        if match["name"] not in ENVIRONMENTS:
            raise FormulaError(f"the environment {match['name']} is not known")
    if "\\unicode" in latex:
        raise FormulaError("\\unicode is not used here: write the character")


def _check(element: Element) -> None:
    """latex2mathml shows what it does not know as text, and leaves empty what is missing."""
    text = element.text or ""
    unknown = UNKNOWN.search(text)
    if unknown:
        raise FormulaError(f"the command {unknown[0]} is not known")
    if text == "&":
        raise FormulaError("an & outside a matrix")
    if len(element) != CHILDREN.get(str(element.tag), len(element)):
        raise FormulaError("a command lacks an argument")
    if element.tag in SCRIPTS and _is_empty(element[0], "mi"):
        raise FormulaError("nothing before a ^ or _")
    if _is_empty(element, "mo"):
        raise FormulaError("a command lacks an argument")
    for name in REFUSED.keys() & element.attrib.keys():
        raise FormulaError(f"{REFUSED[name]} is not used here")


def _is_empty(element: Element, tag: str) -> bool:
    """Whether latex2mathml put it in the place of what is missing; a bare fence has attributes."""
    return element.tag == tag and not (element.text or len(element) or element.attrib)
