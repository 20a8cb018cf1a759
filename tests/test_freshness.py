"""Freshness: what makes a cell stale, and what never does."""

import ast
import io
import random
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchbook.freshness import fresh_cells, stands_for
from benchbook.lesson.cell import split
from tests.factory import SNIPPET

ALL = {"inputs", "total", "exercise"}
MARK = "# %% total\n"


def fresh(recorded: str, now: str) -> set[str]:
    """The fresh cells of a run of ``recorded`` when the snippet says ``now``."""
    return set(fresh_cells(recorded, split(now, path="p")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (MARK, MARK + "# why we add\n\n"),
        ("total = float(jnp.sum(x))", "total = float(  # to Python\n    jnp.sum(x),\n)"),
        ('print("total", total)', "print('total',total)"),
        ("2 * x", "(2 * x)"),
        ("\n\n# %% exercise", "\n\n\n\n# %% exercise"),
        ('"""A small lesson."""', '"""A small lesson, in other words."""'),
        ("# tolerance = 1e-5", "# tolerance = 1e-4"),
        (' tags=["solution"]', ""),
        ("# %% total", '# %% total tags=["varies"]'),
    ],
)
def test_comments_layout_header_and_tags_make_nothing_stale(old: str, new: str):
    """Only what Python executes counts."""
    assert old in SNIPPET
    assert fresh(SNIPPET, SNIPPET.replace(old, new, 1)) == ALL


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("arange(3.0)", "arange(4.0)", set()),
        ("x = jnp", "z = jnp", set()),
        ("jnp.sum(x)", "jnp.mean(x)", {"inputs"}),
        ('"total", total', '"Total", total', {"inputs"}),
        ("2 * x", "x * 2", {"inputs", "total"}),
        (MARK, "# %% sum\n", {"inputs"}),
        (MARK, "# %% between\n\n# %% total\n", {"inputs"}),
        ("3.0", "3", set()),
    ],
)
def test_a_change_makes_its_cell_and_all_after_it_stale(old: str, new: str, expected: set[str]):
    """A cell rests on those before it, and on none after it."""
    assert fresh(SNIPPET, SNIPPET.replace(old, new, 1)) == expected


def test_a_new_exercise_makes_nothing_stale():
    """What is added at the end has no run yet, and takes none away."""
    assert fresh(SNIPPET, SNIPPET + '\n# %% another tags=["solution"]\ny = 1\n') == ALL


def test_a_cell_taken_from_the_end_makes_nothing_stale():
    """What is left still says what it said."""
    assert fresh(SNIPPET, SNIPPET[: SNIPPET.index("# %% exercise")]) == {"inputs", "total"}


@pytest.mark.parametrize("recorded", ["", "x = 1\n", "x = = 1\n# %% inputs\n", "# %% Not a name\n"])
def test_a_recorded_source_that_is_no_snippet_is_stale(recorded: str):
    """A rule for snippets that came later makes an old run stale, not an error."""
    assert fresh(recorded, SNIPPET) == set()


def test_a_recorded_cell_that_no_longer_parses_is_compared_as_text():
    """A source of another Python is fresh while not a letter of it changes."""
    odd = "# %% one\nprint 1\n"
    assert fresh(odd, odd) == {"one"}
    assert fresh(odd, odd.replace("1", "2")) == set()


LAST = SNIPPET.index("# %% exercise")
MORE = SNIPPET[:LAST] + "# %% more\nresults = {'total': 5.0}\n\n" + SNIPPET[LAST:]
SOLUTION = "\n# %% another tags=['solution']\ny = 1\n".replace("'", '"')


@pytest.mark.parametrize(
    ("recorded", "now", "stands"),
    [
        (SNIPPET, SNIPPET, True),
        (SNIPPET, SNIPPET.replace("2 * x", "x + x"), True),
        (SNIPPET, SNIPPET + SOLUTION, True),
        (SNIPPET + SOLUTION, SNIPPET, True),
        (SNIPPET, SNIPPET.replace(MARK, MARK + "# why\n"), True),
        (SNIPPET, SNIPPET.replace(' tags=["solution"]', ""), True),
        (SNIPPET.replace(' tags=["solution"]', ""), SNIPPET, True),
        (SNIPPET.replace(' tags=["solution"]', ""), SNIPPET.replace("2 * x", "x + x"), False),
        (SNIPPET, SNIPPET.replace("arange(3.0)", "arange(4.0)"), False),
        (SNIPPET, MORE, False),
        (MORE, SNIPPET, False),
        (MORE[: MORE.index("# %% exercise")], SNIPPET[:LAST], False),
        ("x = 1\n", SNIPPET, False),
    ],
)
def test_a_run_stands_for_the_lesson_it_ran_and_no_other(recorded: str, now: str, stands: bool):
    """A cell that is new, changed or gone makes the whole run stale; exercises do not count."""
    assert stands_for(recorded, split(now, path="p")) is stands


DEEP = f"# %% one\nx = {'-' * 200_000}1\n"
LONG = f"# %% one\nx = {' + '.join(['1'] * 20_000)}\n"


@pytest.mark.parametrize("absurd", [DEEP, LONG], ids=["deep", "long"])
def test_a_recorded_cell_too_deep_for_this_interpreter_is_compared_as_text(absurd: str):
    """It is an answer, not a crash."""
    assert fresh(absurd, absurd) == {"one"}
    assert fresh(absurd, absurd.replace("x =", "y =")) == set()
    assert fresh(absurd, "# %% one\nx = 1\n") == set()


CODE = """\
def scale(x, factor=2.0):
    text = '''as it is,

      with   spaces  '''
    if factor > 1 and x:
        return {"y": [a * factor for a in x], "text": text}
    return {"y": list(x)}
shown = scale([1, 2], factor=3.5)["y"][0] + -1
"""


def spread(code: str, seed: int) -> str:
    """The same tokens with other white space between them, comments at line ends, and blank lines."""
    draw = random.Random(seed)  # noqa: S311  # a test's choice
    lines: list[str] = []
    row = ""
    indent = 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.INDENT:
            indent += 1
        elif token.type == tokenize.DEDENT:
            indent -= 1
        elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            lines.append(row + draw.choice(["", "  ", "  # a word"]) if row else "")
            row = ""
        elif token.type != tokenize.NL:
            row += (" " * draw.randint(1, 3) if row else " " * 3 * indent) + token.string
    for _ in range(draw.randint(0, 4)):
        place = draw.randint(0, len(lines))
        if not any("'''" in line for line in lines[:place]) or place == len(lines):
            lines.insert(place, draw.choice(["", "# a comment", "   "]))
    return "\n".join(lines)


@settings(deadline=None)  # the machine may be busy
@given(st.integers(0, 2**32))
def test_other_white_space_keeps_every_cell_fresh(seed: int):
    """Reformatting code, whatever the style, never asks for a new run."""
    text = f"# %% one\n{CODE}# %% two\nother = shown\n"
    again = f"# %% one\n{spread(CODE, seed)}\n\n# %% two\n\nother   =   shown"
    assert ast.dump(ast.parse(again)) == ast.dump(ast.parse(text))
    assert fresh(text, again) == fresh(again, text) == {"one", "two"}
