"""Typed numbers: a time, a rate or an amount of memory that prose states without a run or a source behind it.

Counts of bytes and of operations are left alone: they are derived by hand from shapes and dtypes, as 0.46 is.
So are numbers spelled out, as in "five minutes", which nobody takes for a measurement, and inline code, which
quotes what a program takes or prints.
A sentence stands on one line, as everywhere in these sources.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchbook.pages import prose
from benchbook.pages.directive import MARK
from benchbook.pages.page import VALUE

SECOND = r"(?:nano|micro|milli)?seconds?"
MICRO = r"[uµμ]|&(?:micro|mu|\#0*181|\#0*956|\#[xX]0*(?:[bB]5|3[bB][cC]));"
TIME = rf"(?:[nm]|{MICRO})?secs?|(?:[nm]|{MICRO})s|{SECOND}|mins?|minutes?|hours?|days?"
MEMORY = r"[kKMGTP]i?B|(?:kilo|mega|giga|tera|kibi|mebi|gibi|tebi)bytes?"
RATE = rf"[kKMGTP]?FLOPS|[kKMGT]?Hz|(?:\w{{1,40}}[ ]){{1,2}}per[ ]{SECOND}|\w{{1,40}}/s(?:ec(?:ond)?)?"
SPACES = r"nbsp|thinsp|\#0*(?:160|8201|8239)|\#[xX]0*(?:[aA]0|2009|202[fF])"
GAP = rf"[ \u00a0\u2009\u202f-]|&(?:{SPACES});|\\[,;: ]"  # the last are LaTeX's, as in $5\,\mathrm{ms}$
NUMBER = re.compile(
    rf"""
    (?<![^\W_])(?<![^\W_]_)(?<!\.)
    (?:\d[\d,_]{{0,40}}(?P<fraction>\.\d{{1,40}})?(?:e[+-]?\d{{1,9}})?   # 12, 1,200, 0.5, 1e-6
     |\d{{0,40}}[\xbc-\xbe\u2150-\u215e])                        # \xbd, 1\xbd
    (?:[ ]?[\xd7x*·][ ]?10(?:\^?-?\d{{1,9}}|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,9}}))?  # 3 x 10^-6
    [*_$]{{0,3}}(?P<gap>{GAP})?(?:[*_$]{{1,3}}|\\(?:mathrm|text)\{{)?    # **5** ms, 5 *ms*, $5$ ms
    (?:{RATE}|{MEMORY}|{TIME}|s(?(gap)|(?(fraction)|(?!))))    # '5 s' and '1.5s', but not 'the 1990s'
    (?!_{{0,2}}[^\W_])                                         # 5 _ms_, but not 5 ms_each
    """,
    re.VERBOSE,
)
SENTENCE = re.compile(r"[^\n]+?(?:[.!?][\"')*_]*(?:\[\^[^\]\s]+\])*(?=\s)|$)", re.MULTILINE)
CITED = re.compile(r"(?<!!)\[[^\]]+\][\[(]|\[\^|https?://|<a\s")


@dataclass(frozen=True, slots=True)
class Typed:
    """One number that nothing stands behind.

    Attributes:
        text: The number and its unit, as the page spells them.
        line: The 1-based line.
    """

    text: str
    line: int


def find(text: str) -> list[Typed]:
    """Every number with a unit of time, rate or memory in a sentence that has neither link nor footnote.

    Args:
        text: A whole page; code, comments, front matter, block options and ``:value[...]`` are passed over.
    """
    masked = _without_values(text, _without_options(prose.mask(text)))
    return [
        Typed(match[0], prose.line_of(text, sentence.start() + match.start()))
        for sentence in SENTENCE.finditer(masked)
        if not CITED.search(sentence[0])
        for match in NUMBER.finditer(sentence[0])
    ]


def _without_values(text: str, masked: str) -> str:
    for offset, content in prose.brackets(text, masked, VALUE):
        end = offset + len(VALUE) + len(content or "")
        masked = masked[:offset] + re.sub(r"[^\n]", " ", masked[offset:end]) + masked[end:]
    return masked


def _without_options(masked: str) -> str:
    return "\n".join(_blank_options(masked.split("\n")))


def _blank_options(lines: list[str]) -> Iterator[str]:
    """The lines, with those emptied that are indented right below the head of a block."""
    deeper: str | None = None
    for line in lines:
        head = MARK.fullmatch(line)
        if head:
            deeper = " " * (len(line) - len(line.lstrip()) + 4) if head["rest"].strip() else None
        elif deeper is not None and not (line.strip() and line.startswith(deeper)):
            deeper = None
        yield " " * len(line) if deeper is not None and not head else line
