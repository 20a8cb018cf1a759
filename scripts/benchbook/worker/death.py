"""A death: the signal that ended a process, by name. The engine names it so too."""

import signal


def named(number: int) -> str:
    """A signal's name, as ``SIGKILL``; one without a name, such as those for real time, by its number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
