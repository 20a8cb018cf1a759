"""The report: a line for each outcome, and nothing in it that a terminal obeys."""

import errno
import io

import pytest

from benchbook import report, streams
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


class Refusing(io.StringIO):
    """A file that takes nothing, for one reason or another."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def flush(self) -> None:
        """What a full disk says, or a pipe that nobody reads."""
        raise OSError(self.number, "no")


@pytest.mark.parametrize("number", [errno.EPIPE, errno.ENOSPC, errno.EIO])
def test_a_line_that_cannot_be_written_ends_nothing(number: int):
    """It is told in the end, and not printed twice, once something can be written again."""
    file = Refusing(number)
    console = report.Printer(file=file)
    console.print("one")
    with console:
        console.print("two")
    console.file = io.StringIO()
    console.print("three")
    assert console.file.getvalue() == "three\n"
    lost = streams.flush()
    assert isinstance(lost, OSError)
    assert lost.errno in (number, None)
    assert streams.flush() is None
    report.Printer(file=file, stderr=True).print("four")
    assert streams.flush() is None
