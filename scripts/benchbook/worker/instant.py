"""An instant: what time it is, by a clock that nobody sets."""

import time
from datetime import UTC, datetime, timedelta

# Where there is one, the clock that goes on while the machine sleeps.
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Instants:
    """One reading of the wall clock, from which later instants are counted.

    So no run ends before it began, whoever sets the clock meanwhile.
    """

    def __init__(self) -> None:
        self._start = datetime.now(UTC)
        self._steady = time.clock_gettime(STEADY)

    def now(self) -> str:
        """This instant, to the second."""
        passed = timedelta(seconds=time.clock_gettime(STEADY) - self._steady)
        return (self._start + passed).strftime("%Y-%m-%dT%H:%M:%SZ")
