"""Listings hold a source whole, escaped, with as few elements as its colours need."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbook import listing

SOURCES = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=80)


@given(SOURCES)
def test_the_text_of_a_listing_is_its_source(source: str) -> None:
    """Nothing is lost, added or made into markup, whether or not it is Python."""
    shown = listing.code(source)
    inside = shown.removeprefix('<div class="highlight"><pre><code>').removesuffix("</code></pre></div>")
    assert html.unescape(re.sub(r"</?[biu]>", "", inside)) == source


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("for x in y: pass", "<b>for</b> x in y: <b>pass</b>"),
        ("n = None  # why", "n = None  <i># why</i>"),
        ("x = \"a\" 'b'", "x = \"a\" 'b'"),
        ("f\"{x:>{w}} of {{b}} {d['k']!r}\" + z", "f\"{x:&gt;{w}} of {{b}} {d['k']!r}\" + z"),
        ('"%s {} {0}" % (a, 1.5)', '"%s {} {0}" % (a, 1.5)'),
        ('def f():\n    """Says."""\n', '<b>def</b> f():\n    <i>"""Says."""</i>\n'),
        ("@jax.jit\ndef f(): ...", "@jax.jit\n<b>def</b> f(): ..."),
    ],
)
def test_only_keywords_comments_and_strings_are_marked(source: str, shown: str) -> None:
    """Names, numbers, operators and brackets have the colour of the text and need no element."""
    assert listing.code(source) == f'<div class="highlight"><pre><code>{shown}</code></pre></div>'


def test_what_pygments_marked_is_made_lighter() -> None:
    """In any language; other elements and unknown classes keep their text."""
    heavy = '<a></a><span class="kn">import</span> <span class="nn">a</span><span class="zz">b</span>'
    assert listing.lighter(heavy + '<span class="s2">&quot;</span>') == "<a></a><b>import</b> ab&quot;"


def test_captured_text_is_escaped() -> None:
    """It makes no element."""
    shown = listing.text("<b> & </code>", kind="bb-stdout")
    code = "<pre><code>&lt;b&gt; &amp; &lt;/code&gt;</code></pre>"
    assert shown == f'<div class="highlight bb-stdout">{code}</div>'
