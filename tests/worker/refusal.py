"""Refusals for tests: the line and the mend of what cannot be recorded."""

from typing import Any

import pytest

from benchbook.worker.plain import UnfitError


def refused(read: Any, value: object) -> str:
    """``message: mend`` of what is refused."""
    with pytest.raises(UnfitError) as caught:
        read(value)
    return f"{caught.value}: {caught.value.mend}"
