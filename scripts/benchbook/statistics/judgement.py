"""The judgement of a run on a claim, over its results or over the ratio of its measurements."""

from benchbook.language import expression
from benchbook.language.expression import Names, Verdict
from benchbook.run import Run
from benchbook.statistics.pairing import Ratio, ratio, verdict
from benchbook.statistics.summary import Summary, process_medians, summarise


def names(run: Run, *, seed: str) -> Names:
    """What an expression over a run may name."""
    summaries = {name: summarise(measurement, seed=seed) for name, measurement in run.measurements.items()}
    return Names(
        results=run.results,
        measurements={name: _statistics(summary) for name, summary in summaries.items()},
        units={name: measurement.unit for name, measurement in run.measurements.items()},
    )


def claim(text: str, run: Run, seed: str) -> tuple[Verdict, Ratio | None]:
    """What a run says to a claim, and the ratio that decided it where the claim names a measurement.

    Args:
        text: The claim, as a page writes it.
        run: The run.
        seed: The run's digest, hexadecimal.

    Raises:
        ExpressionError: The claim is wrong.
    """
    if not expression.claims_time(text, run.measurements):
        return expression.decide(text, Names(run.results, {}, {})), None
    expression.evaluate(text, names(run, seed=seed))  # only this knows the units: it refuses unlike ones
    medians = {name: process_medians(measurement) for name, measurement in run.measurements.items()}
    operator, left, right = expression.sides(text, medians, run.results)
    decided_by = ratio(left, right, seed=seed)
    return verdict(operator, decided_by), decided_by


def _statistics(summary: Summary) -> dict[str, float | int | None]:
    return {
        "median": summary.median,
        "min": summary.minimum,
        "max": summary.maximum,
        "mad": summary.mad,
        "low": summary.low,
        "high": summary.high,
        "processes": summary.processes,
        "count": summary.count,
    }
