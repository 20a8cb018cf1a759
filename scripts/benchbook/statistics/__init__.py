"""Statistics of a run: medians of processes, their intervals, verdicts on claims. None of it is stored.

Samples of one process share its memory layout and its moment, so a process counts once: as its median.
"""

from benchbook.statistics.interval import RESAMPLES
from benchbook.statistics.judgement import claim, names
from benchbook.statistics.pairing import Ratio, ratio, verdict
from benchbook.statistics.summary import LEAST_STABLE, Summary, process_medians, summarise

__all__ = [
    "LEAST_STABLE",
    "RESAMPLES",
    "Ratio",
    "Summary",
    "claim",
    "names",
    "process_medians",
    "ratio",
    "summarise",
    "verdict",
]
