"""The report: rows without runs, and nothing in them that a terminal obeys."""

import pytest

from benchbook import report
from benchbook.project import Project
from benchbook.recording.outcome import Outcome
from benchbook.report import Row
from tests.factory import store_run


def test_a_row_does_not_hold_the_run(project: Project):
    """Only that there is a file: a thousand runs need not stay in memory."""
    row = Row.of(Outcome("chapter/lesson", "cpu", "0.12.0", "new", ("a", "b"), store_run(project)))
    assert row == Row("chapter/lesson", "cpu", "0.12.0", "new", ("a", "b"), (), is_written=True)


def test_of_the_output_of_a_failure_the_last_lines_are_kept():
    """Eight of them, each cut to what a person may read."""
    printed = "".join(f"{number}\t\x1b[31mred\x1b[0m\a\n" for number in range(20)) + "x" * 10_000 + "\n\n"
    row = Row.of(Outcome("a/b", "cpu", None, "failed", ("why",), output=printed))
    assert row.output == (*(f"{number}      red\u2407" for number in range(13, 20)), "x" * 500)


def test_what_a_host_answers_is_printed_as_text(capsys: pytest.CaptureFixture[str]):
    """A version, a reason or an output cannot move the cursor, colour a line or forge another."""
    evil = "\x1b[2J\r\x9b[red]\u202e"
    found = [
        Outcome("a/b", "far", evil, "failed", (f"one{evil}", f"two{evil}"), output=f"last{evil}"),
        Outcome("", "far", None, "failed", (f"gone{evil}",)),
    ]
    report.outcomes([Row.of(outcome) for outcome in found], where="docs/runs")
    out, err = capsys.readouterr()
    assert all(letter.isprintable() or letter == "\n" for letter in out + err)
    assert out.splitlines() == [
        "a/b  far  ?[2J??[red]?  failed  one?[2J??[red]?; two?[2J??[red]?",
        "2 failed; 0 runs written",
    ]
    assert "gone?[2J" in err
