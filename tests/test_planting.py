"""What is left out around a planted mistake has no part in the verdicts: all else is kept, in its lines."""

import contextlib
import os
import select

import pytest

from benchbook.lesson.snippet import parse
from tests import cell_names, nursery
from tests.lies import Lie
from tests.nursery import Nursery
from tests.planting import kept, planted, results_in
from tests.recording import snippet_text

TEXT = snippet_text("""\
# %% first
import math
seconds, seen = [], {}
results = {"a": math.sqrt(4)}
# %% timings tags=["varies"]
seconds.append(1)
slow = 1
# %% other tags=["varies"]
quick = 2
# %% second
results["b"] = 2 * slow
# %% below
results["c"] = 3
""")
LESSON = parse(TEXT, slug="chapter/lesson", path="snippets/chapter/lesson.py")
LAST = {cell.name: cell.line + cell.source.count("\n") for cell in LESSON.cells}
SET_BY = {"a": LAST["first"], "b": LAST["second"], "c": LAST["below"]}


def lie(*, claim: str, right: str = "math.sqrt(4)", wrong: str = "5", blind: str = "True") -> Lie:
    """A mistake in the snippet above."""
    return Lie("chapter/lesson", claim=claim, right=right, wrong=wrong, blind=blind)


def test_what_a_verdict_rests_on_is_kept():
    """A cell that measures is kept for a name that is read below it; one that is read nowhere is empty."""
    text = planted(lie(claim="b == 2"), LESSON, SET_BY)
    assert [part in text for part in ("slow = 1", "quick = 2", "2 * slow", '"c"')] == [
        True,
        False,
        True,
        False,
    ]
    assert len(text.splitlines()) == LAST["second"]


def test_without_a_part_in_the_verdict_no_measurement_is_made():
    """Nothing below the last value, and no cell that only measures; with whole everything is there."""
    assert "seconds.append" not in planted(lie(claim="a == 2"), LESSON, SET_BY)
    whole = planted(lie(claim="a == 2"), LESSON, SET_BY, whole=True)
    assert whole == TEXT.replace("math.sqrt(4)", "5")


def test_the_cell_of_a_mistake_and_that_of_a_value_are_kept():
    """A mistake in a cell that measures is executed, and so is a cell that measures what a claim asks for."""
    assert "quick = 7" in planted(lie(claim="b == 2", right="quick = 2", wrong="quick = 7"), LESSON, SET_BY)
    lines = {LAST["other"]}
    assert "quick = 2" in kept(LESSON, last=LAST["second"], mistake="math.sqrt(4)", lines=lines)


def test_a_mistake_below_what_it_is_to_turn_over_is_refused():
    """It could not be seen by its claim."""
    with pytest.raises(AssertionError, match="planted below"):
        planted(lie(claim="a == 2", right='results["c"] = 3', wrong=""), LESSON, SET_BY)


def test_a_claim_uses_values_and_not_its_functions():
    """What it calls has no cell, and what it indexes has."""
    assert results_in('max(abs(a - 1), b["x"]) < 1e-6 and not c') == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("source", "read", "bound", "changed"),
    [
        ("a = b", {"b"}, {"a"}, set()),
        ("a = 1\nb = a", set(), {"a", "b"}, set()),
        ("b = a\na = 1", {"a"}, {"a", "b"}, set()),
        ("a += 1", {"a"}, {"a"}, set()),
        ("def f(x):\n    y = x\n    return z", {"z"}, {"f"}, set()),
        ("import a.b as c\nc.d(e)", {"e"}, {"c"}, {"c"}),
        ("a[0].b = 1\nc.append(2)\nresults['x'] = 3", {"a", "c", "results"}, set(), {"a", "c"}),
        ("[n for n in m]", {"m"}, set(), set()),
    ],
)
def test_names_that_cells_hang_together_by(source: str, read: set[str], bound: set[str], changed: set[str]):
    """What is read before it is bound, what is bound at the top, what is changed in place."""
    assert cell_names.reads(source) == read
    assert cell_names.binds(source) == bound
    assert cell_names.changes(source) == changed


def test_a_nursery_outlives_a_child_that_hangs(tmp_path, monkeypatch):
    """One that heeds no alarm is ended and told of, with what it started, and the next code is executed."""
    monkeypatch.setattr(nursery, "SECONDS", 1)
    monkeypatch.setattr(nursery, "GRACE", 1)
    here = tmp_path / "here"
    here.mkdir()
    hosts = Nursery()
    hangs = "import os, signal, time; signal.alarm(0); os.write(2, b'told'); time.sleep(100)"
    with pytest.raises(AssertionError, match=r"took longer than 1 s: told"):
        hosts.run(hangs, folder=here)
    monkeypatch.setattr(nursery, "SECONDS", 100)
    if nursery.FORKS:
        started = "import subprocess; print(subprocess.Popen(['sleep', '100']).pid, file=open('pid', 'w'))"
        hosts.run(started, folder=here)
        with contextlib.suppress(ProcessLookupError):  # it may be buried already
            ended = os.pidfd_open(int((here / "pid").read_text()))
            assert select.select([ended], [], [], 10)[0]
            os.close(ended)
    hosts.close()


def test_a_nursery_keeps_its_children_apart(tmp_path):
    """What one code leaves in its process no other finds, and one that fails is told with its words."""
    nursery = Nursery()
    here = tmp_path / "here"
    here.mkdir()
    nursery.run("import jax; jax.mine = jax.numpy.ones(2).sum()", folder=here)
    nursery.run("import jax, sys; open(sys.argv[1], 'w').write(str(hasattr(jax, 'mine')))", "x", folder=here)
    assert (here / "x").read_text() == "False"
    with pytest.raises(AssertionError, match="ValueError: told"):
        nursery.run("raise ValueError('told')", folder=here)
    nursery.close()
