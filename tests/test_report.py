"""The report: a line for each outcome, and nothing in it that a terminal obeys."""

import pytest

from benchbook import report
from benchbook.recording.outcome import Outcome


def test_of_the_output_of_a_failure_the_last_lines_are_kept(capsys: pytest.CaptureFixture[str]):
    """Eight of them, each cut to what a person may read."""
    printed = "".join(f"{number}\t\x1b[31mred\x1b[0m\a\n" for number in range(20)) + "x" * 1_000 + "\n\n"
    report.outcomes([Outcome("a/b", "cpu", None, "failed", ("why",), output=printed)], where="docs/runs")
    shown = [f"  {number}      red\u2407" for number in range(13, 20)] + ["  " + "x" * 500]
    assert capsys.readouterr().err.splitlines() == ["", "a/b, last lines of the cell that failed:", *shown]


def test_what_a_host_answers_is_printed_as_text(capsys: pytest.CaptureFixture[str]):
    """A version, a reason or an output cannot move the cursor, colour a line or forge another."""
    evil = "\x1b[2J\r\x9b[red]\u202e\n"
    found = [
        Outcome("a/b", "far", evil, "failed", (f"one{evil}", f"two{evil}"), output=f"last{evil}"),
        Outcome("", "far", None, "failed", (f"gone{evil}",)),
    ]
    report.outcomes(found, where="docs/runs")
    out, err = capsys.readouterr()
    assert all(letter.isprintable() or letter == "\n" for letter in out + err)
    shown = "\u241b[2J\u240d\ufffd[red]\ufffd\u240a"
    assert out.splitlines() == [
        f"a/b  far  {shown}  failed  one{shown}; two{shown}",
        "2 failed; 0 runs written",
    ]
    assert f"gone{shown}" in err
