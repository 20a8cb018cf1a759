"""Statistics against cases derived by hand, and properties that hold for any samples."""

import warnings

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchbook.errors import BenchbookError
from benchbook.language.expression import ExpressionError, Verdict
from benchbook.run import Measurement
from benchbook.statistics import Ratio, claim, names, process_medians, ratio, summarise, verdict
from tests.factory import make_run, run_tree

SEED = "ab" * 32
ROWS = st.lists(st.lists(st.integers(0, 10**9), min_size=1, max_size=9), min_size=2, max_size=12)


def measurement(samples: list[list[int]], unit: str = "ns") -> Measurement:
    """A measurement with these samples, one list per process."""
    tree = run_tree()["measurements"]["eager"] | {"samples": samples, "unit": unit}
    return Measurement.model_validate(tree)


def run_with(eager: list[list[int]], compiled: list[list[int]]):
    """A run of as many processes as there are lists."""
    tree = run_tree()
    method = tree["method"] | {"processes": len(eager), "process_ns": [1] * len(eager)}
    both = {"eager": tree["measurements"]["eager"] | {"samples": eager}}
    both["compiled"] = tree["measurements"]["compiled"] | {"samples": compiled}
    return make_run(method=method, measurements=both)


def test_the_summary_is_that_of_the_process_medians() -> None:
    """Medians 20, 40, 60: median 40, deviations 20, 0, 20; the extremes are of all samples."""
    summary = summarise(measurement([[10, 20, 90], [40, 40, 40], [50, 60, 70]]), seed=SEED)
    assert (summary.median, summary.mad) == (40, 20)
    assert (summary.minimum, summary.maximum) == (10, 90)
    assert (summary.stability, summary.stable) == (0.5, False)
    assert (summary.processes, summary.count) == (3, 9)


def test_the_interval_of_two_processes_spans_both() -> None:
    """A resample of two holds each value alone with probability 1/4: the ends are the values."""
    summary = summarise(measurement([[100], [200]]), seed=SEED)
    assert (summary.low, summary.median, summary.high) == (100, 150, 200)


def test_the_interval_of_five_processes_leaves_out_what_is_too_rare() -> None:
    """A resample of five has its median at the least value with probability 0.058, above 0.025: the end is 1.

    Of nine, with 0.0014 at the least value and 0.026 at one of the two least: the end is the second or third.
    """
    five = summarise(measurement([[1], [2], [3], [4], [5]]), seed=SEED)
    assert (five.low, five.high) == (1, 5)
    nine = summarise(measurement([[value] for value in range(1, 10)]), seed="1")
    assert nine.low in (2, 3)
    assert nine.high in (7, 8)


def test_one_process_has_no_interval_and_no_verdict() -> None:
    """Many samples of one process are one sample of the machine."""
    summary = summarise(measurement([[10, 20, 30]]), seed=SEED)
    assert (summary.low, summary.high, summary.stability, summary.stable) == (None, None, None, None)
    assert summary.median == 20


@settings(deadline=None, max_examples=50)  # a busy machine is no failure
@given(ROWS)
def test_the_summary_orders(rows: list[list[int]]) -> None:
    """The order is minimum <= low <= median <= high <= maximum, and the deviation is not negative."""
    summary = summarise(measurement(rows), seed=SEED)
    assert summary.low is not None
    assert summary.high is not None
    assert summary.minimum <= summary.low <= summary.median <= summary.high <= summary.maximum
    assert summary.mad >= 0


@settings(deadline=None, max_examples=50)  # a busy machine is no failure
@given(ROWS)
def test_the_summary_is_determined_by_samples_and_seed(rows: list[list[int]]) -> None:
    """The same run says the same every time."""
    assert summarise(measurement(rows), seed=SEED) == summarise(measurement(rows), seed=SEED)


def test_the_seed_is_used() -> None:
    """Runs resample differently: no fixed seed hides in the module."""
    rows = [[2**value] for value in range(16)]
    found = {(s.low, s.high) for s in (summarise(measurement(rows), seed=f"{seed:x}") for seed in range(20))}
    assert len(found) > 1


@pytest.mark.parametrize("value", [0, 7])
def test_equal_samples_have_an_interval_of_no_width(value: int) -> None:
    """No NaN and no warning where every process says the same, zero included."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        summary = summarise(measurement([[value, value]] * 4), seed=SEED)
    assert (summary.low, summary.median, summary.high) == (value, value, value)
    assert (summary.stability, summary.stable) == (0.0, True)


def test_stable_is_at_most_five_per_cent() -> None:
    """A deviation of exactly 5% is stable, one of 6% is not."""
    assert summarise(measurement([[95], [100], [105]]), seed=SEED).stable is True
    assert summarise(measurement([[94], [100], [106]]), seed=SEED).stable is False


def test_scatter_about_zero_is_not_stable() -> None:
    """A median of 0 has no relative deviation, and no division by it."""
    summary = summarise(measurement([[-1], [0], [1]], unit="counts"), seed=SEED)
    assert (summary.stability, summary.stable) == (None, False)


def test_a_ratio_is_paired_by_process() -> None:
    """Processes that differ tenfold but agree on the ratio leave no doubt about it."""
    assert ratio([20, 200, 2000], [10, 100, 1000], seed=SEED) == Ratio(2, 2, 2)
    assert ratio([2], [1], seed=SEED) == Ratio(2, None, None)


def test_a_ratio_to_nothing_is_refused() -> None:
    """A sample below the clock's step can not divide."""
    with pytest.raises(BenchbookError, match="a ratio to 0"):
        ratio([1, 2], [0, 1], seed=SEED)


@pytest.mark.parametrize(
    ("operator", "low", "high", "expected"),
    [
        (">", 1.1, 1.5, Verdict.HOLDS),
        (">", 0.9, 1.5, Verdict.INCONCLUSIVE),
        (">", 0.5, 0.9, Verdict.FAILS),
        (">", 1.0, 1.0, Verdict.INCONCLUSIVE),
        ("<", 0.5, 0.9, Verdict.HOLDS),
        ("<", 0.5, 1.1, Verdict.INCONCLUSIVE),
        ("<", 1.1, 1.5, Verdict.FAILS),
        (">=", 1.0, 1.0, Verdict.HOLDS),
        ("<=", 1.0, 1.0, Verdict.HOLDS),
        ("<=", 1.1, 1.5, Verdict.FAILS),
        (">", None, None, Verdict.INCONCLUSIVE),
    ],
)
def test_an_interval_decides(operator: str, low: float | None, high: float | None, expected: Verdict) -> None:
    """A claim holds or not only when the whole interval stands on one side of 1."""
    assert verdict(operator, Ratio(1.0, low, high)) is expected


@settings(deadline=None)  # a busy machine is no failure
@given(
    st.sampled_from([">", "<", ">=", "<="]),
    st.lists(st.floats(0.01, 100), min_size=2, max_size=2).map(sorted),
)
def test_turning_a_claim_around_keeps_its_verdict(operator: str, ends: list[float]) -> None:
    """``A > B`` by A/B says what ``B < A`` says by B/A."""
    turned = operator.translate(str.maketrans("<>", "><"))
    mirrored = Ratio(1.0, 1 / ends[1], 1 / ends[0])
    assume(1.0 not in (*ends, mirrored.low, mirrored.high))
    assert verdict(operator, Ratio(1.0, *ends)) is verdict(turned, mirrored)


def test_a_claim_over_times_is_decided_by_its_ratio() -> None:
    """In the factory's run eager takes three times as long in each process."""
    run = make_run()
    assert claim("eager > compiled", run, SEED) == (Verdict.HOLDS, Ratio(3, 3, 3))
    assert claim("eager < compiled", run, SEED)[0] is Verdict.FAILS
    assert claim("eager > 3 * compiled", run, SEED)[0] is Verdict.INCONCLUSIVE
    assert claim("eager / compiled > 2", run, SEED) == (Verdict.HOLDS, Ratio(1.5, 1.5, 1.5))


def test_a_claim_over_results_has_no_ratio() -> None:
    """Values hold or do not."""
    run = make_run()
    assert claim("total == 3", run, SEED) == (Verdict.HOLDS, None)
    assert claim("traces > 2", run, SEED) == (Verdict.FAILS, None)


def test_one_process_decides_nothing() -> None:
    """A tenfold difference in a single process stays inconclusive."""
    verdict_of_one, _ = claim("eager > compiled", run_with([[100]], [[10]]), SEED)
    assert verdict_of_one is Verdict.INCONCLUSIVE


def test_putting_the_lie_in_the_place_of_the_truth_turns_the_claim() -> None:
    """The verdict follows the samples, not the names."""
    slow, fast = [[90], [91], [95]], [[10], [12], [11]]
    assert claim("eager > compiled", run_with(slow, fast), SEED)[0] is Verdict.HOLDS
    assert claim("eager > compiled", run_with(fast, slow), SEED)[0] is Verdict.FAILS


@pytest.mark.parametrize(
    "text", ["eager > 5000", "eager == compiled", "eager > compiled > 1", "eager > missing"]
)
def test_a_claim_that_says_nothing_is_refused(text: str) -> None:
    """A unit against a plain number, an equality of times, a chain, an unknown name."""
    with pytest.raises(ExpressionError):
        claim(text, make_run(), SEED)


def test_a_run_offers_its_results_and_statistics() -> None:
    """Names hold what `:value[...]` may ask for, in the measurement's unit."""
    found = names(make_run(), seed=SEED)
    assert found.results == {"total": 3.0, "traces": 2}
    assert found.units == {"eager": "ns", "compiled": "ns"}
    assert set(found.measurements["eager"]) == {
        "median",
        "min",
        "max",
        "mad",
        "low",
        "high",
        "processes",
        "count",
    }
    assert found.measurements["compiled"]["processes"] == 5
    assert process_medians(make_run().measurements["compiled"])[0] == 5001.5
