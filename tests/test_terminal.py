"""Captured text is shown as a terminal would have left it, with nothing hidden."""

import pytest

from benchbook.terminal import LONGEST, line, readable


@pytest.mark.parametrize(
    ("captured", "shown"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text\x1b]8;;http://x\x1b\\link", "textlink"),
        ("\x9b31mred", "red"),
        ("end \x1b[", "end "),
        ("10%\r 50%\r100%\ndone\n", "100%\ndone\n"),
        ("100%\r\n", "100%\n"),
        ("100%\r", "100%"),
        ("a\x00b\x07\x08\x7f", "a␀b␇␈␡"),
        ("\x02wzxhzdk:0\x03", "␂wzxhzdk:0␃"),
        ("\x85 \u202e \u200b \u2028", "� � � �"),
        ("tab\tand é 🎉", "tab\tand é 🎉"),
    ],
)
def test_control_characters_are_removed_or_shown(captured: str, shown: str) -> None:
    """Sequences go, progress bars keep their last state, every other control character becomes visible."""
    assert readable(captured) == shown


def test_a_line_of_a_message_stays_one() -> None:
    """Whatever is in it is visible, and one without an end is cut."""
    assert line("a\nb\x1b[31m\tc\ud800") == "a␊b␛[31m\tc�"
    assert line("x" * LONGEST * 2) == "x" * LONGEST + "…"
