"""The void: what stands on standard input where nothing shall be read."""

import os


def as_input() -> None:
    """Puts an empty file on descriptor 0, also where that is closed; what is started has it too."""
    null = os.open(os.devnull, os.O_RDONLY)
    if null == 0:
        os.set_inheritable(0, True)
        return
    os.dup2(null, 0)
    os.close(null)
