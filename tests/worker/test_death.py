"""Death: every signal has a word, also one that Python has no name for."""

import signal

import pytest

from benchbook.worker import death


@pytest.mark.parametrize(
    ("number", "said"), [(signal.SIGKILL, "SIGKILL"), (40, "signal 40"), (0, "signal 0"), (999, "signal 999")]
)
def test_a_signal_is_named_or_numbered(number: int, said: str):
    """Signals for real time have no name, and are no fault of the engine's."""
    assert death.named(number) == said
