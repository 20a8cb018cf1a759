"""Pairs: two commands timed in turn, A B A B, so that a machine that drifts slows both."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BENCHBOOK = [sys.executable, "-m", "benchbook"]


@dataclass(frozen=True, slots=True)
class Timed:
    """Wall times of one command in seconds, one a round."""

    name: str
    seconds: tuple[float, ...]

    def __str__(self) -> str:
        """Median, minimum and maximum."""
        return (
            f"{self.name:44s} median {statistics.median(self.seconds):8.3f} s"
            f"   min {min(self.seconds):8.3f}   max {max(self.seconds):8.3f}"
        )


def wall(command: Sequence[str], *, cwd: Path, statuses: frozenset[int] = frozenset({0})) -> float:
    """Seconds that a command takes as a whole process.

    Raises:
        SystemExit: It ended with a status that is none of ``statuses``.
    """
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=env)
    seconds = time.perf_counter() - start
    if done.returncode not in statuses:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
    return seconds


def in_turn(
    left: Sequence[str], right: Sequence[str], *, cwd: tuple[Path, Path], rounds: int
) -> list[list[float]]:
    """Times both in turn, after one warm-up of each.

    Returns:
        The seconds of the left, and those of the right.
    """
    times: list[list[float]] = [[], []]
    for turn in range(rounds + 1):
        for kept, command, folder in zip(times, (left, right), cwd, strict=True):
            seconds = wall(command, cwd=folder)
            if turn:
                kept.append(seconds)
    return times


def tell(title: str, left: Timed, right: Timed, *, target: float) -> None:
    """Prints both and their ratio, pair by pair."""
    ratios = [a / b for a, b in zip(left.seconds, right.seconds, strict=True)]
    print(f"\n{title}\n  {left}\n  {right}")
    print(
        f"  {'ratio':44s} median {statistics.median(ratios):8.3f}     min {min(ratios):8.3f}"
        f"   max {max(ratios):8.3f}   target at most {target}",
        flush=True,
    )
