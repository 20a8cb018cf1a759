"""A listing: code or captured text as the HTML that Material styles, the same as of a plain fence."""

from html import escape

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


def code(source: str) -> str:
    """Highlighted Python, with the classes of pymdownx.highlight."""
    html: str = highlight(
        source, PythonLexer(stripnl=False), HtmlFormatter(cssclass="highlight", wrapcode=True)
    )
    return html.strip()


def text(content: str, *, kind: str) -> str:
    """Text as it stands: escaped, never parsed.

    Args:
        content: Readable text, from `terminal.readable`.
        kind: A class for the style sheet, such as ``bb-stdout``.
    """
    return f'<div class="highlight {kind}"><pre><span></span><code>{escape(content)}</code></pre></div>'
