"""A listing: code or captured text as HTML, with as little markup as its colours need.

Most of a page's weight was once the markup of names, dots and brackets, which have the colour of the text.
Keywords are ``b`` and comments ``i``, so a listing reads well without a style sheet too.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby

from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES, Comment, Keyword, String, _TokenType

# What has a colour of its own in the style sheets; the first that holds a token names its element.
COLOURED = (
    (Keyword.Constant, ""),
    (Keyword, "b"),
    (Comment, "i"),
    (String.Doc, "i"),
)
PIECE = re.compile(r'<span class="(?P<css>\w+)">(?P<text>[^<]*)</span>')
TOKENS = {css: token for token, css in STANDARD_TYPES.items() if css}


def code(source: str) -> str:
    """Python with its keywords and comments highlighted."""
    return _block(
        "highlight", "".join(_dressed(kind, escape(text, quote=False)) for kind, text in pieces(source))
    )


def text(content: str, *, kind: str) -> str:
    """Text as it stands: escaped, never parsed.

    Args:
        content: Readable text, from `terminal.readable`.
        kind: A class for the style sheet, such as ``bb-stdout``.
    """
    return _block(f"highlight {kind}", escape(content, quote=False))


def pieces(source: str) -> Iterator[tuple[str, str]]:
    """Python in pieces, each with the element of its colour, or none; together they are the source."""
    for kind, run in groupby(_tokens(source), key=lambda token: token[0]):
        yield kind, "".join(value for _, value in run)


def lighter(html: str) -> str:
    """Code that Pygments has highlighted, in any language, with our few elements in place of its many."""
    return PIECE.sub(lambda match: _dressed(_kind(TOKENS.get(match["css"], ())), match["text"]), html)


def _tokens(source: str) -> Iterator[tuple[str, str]]:
    """Element and text of each token; what stands in the braces of an f-string belongs to the string."""
    depth = 0
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(source):
        if token is String.Interpol:
            depth += value.count("{") - value.count("}")
        yield "" if depth else _kind(token), value


def _kind(token: _TokenType | tuple[()]) -> str:
    return next((element for group, element in COLOURED if token[: len(group)] == group), "")


def _dressed(element: str, html: str) -> str:
    return f"<{element}>{html}</{element}>" if element else html


def _block(kind: str, content: str) -> str:
    return f'<div class="{kind}"><pre><code>{content}</code></pre></div>'
