"""Ratios in figures: those that a claim decides by, without a unit."""

from typing import Any

import pytest

from benchbook.building import builder
from benchbook.drawing import fitness, kind
from benchbook.drawing.table import tables
from benchbook.errors import BenchbookError
from benchbook.project import Project
from benchbook.statistics import process_medians, ratio
from tests.drawn import RELATIVE, SEED, composed, panel, resolved
from tests.factory import make_run, store_run
from tests.test_datafile import read

MEASUREMENTS = make_run().measurements
SERIES: list[dict[str, Any]] = [
    {"label": "s", "x": [1, 2], "measurement": ["compiled", "eager"], "over": "compiled"}
]
PLACED = {"kind": "line", "xlabel": "x", "ylabel": "y", "series": SERIES}


def changed(name, **changes):
    """The factory's measurements, one of them changed."""
    return MEASUREMENTS | {name: MEASUREMENTS[name].model_copy(update=changes)}


def test_the_interval_is_that_of_a_claim():
    """Paired by process, from the same seed: a figure and the claim beside it never disagree."""
    uneven = changed("compiled", samples=[[5000], [4000], [5500], [7000], [5100]])
    (chart,) = fitness.charts([panel(RELATIVE)], uneven, seed=SEED)
    measured, own = chart.series
    eager, compiled = (process_medians(uneven[name]) for name in ("eager", "compiled"))
    claimed = ratio(compiled, eager, seed=SEED)
    assert (measured.values[1], measured.low[1], measured.high[1]) == (
        claimed.estimate,
        claimed.low,
        claimed.high,
    )
    assert claimed.low < claimed.estimate < claimed.high
    assert (measured.values[0], measured.low[0], measured.high[0]) == (1, 1, 1)
    assert own.values == (1, 0.5)


def test_numbers_beside_ratios_have_no_unit():
    """A line at 1 is at 1, and the axis says nothing of microseconds."""
    chart = resolved(RELATIVE)
    assert (chart.unit, chart.ylabel) == ("", "time per call, over that of eager")
    assert chart.references[0].place == 1
    low, high = composed(RELATIVE).axes[0].get_ylim()
    assert low < 0.5
    assert 1 < high < 2


@pytest.mark.parametrize("name", ["line", "scatter"])
def test_ratios_stand_along_x(name):
    """A line of ratios has a band, and dots have whiskers."""
    (marks,) = resolved(PLACED | {"kind": name}).series
    assert marks.x == (1, 2)
    assert marks.values[0] == 1
    assert (marks.low[1], marks.values[1], marks.high[1]) == pytest.approx((3, 3, 3))
    assert fitness.charts([panel(PLACED, kind=name)], MEASUREMENTS, seed=SEED)


def test_every_kind_that_draws_medians_draws_ratios():
    """What stacks, counts or spans nothing that is divided refuses them."""
    able = {name for name, one in kind.KINDS.items() if one.ratios}
    assert able == {"bar", "interval", "line", "scatter"}
    assert fitness.charts([panel(RELATIVE, kind="bar")], MEASUREMENTS, seed=SEED)


def test_one_process_has_a_dot_and_no_interval():
    """Nothing is said of what one start does not show."""
    one = {name: m.model_copy(update={"samples": m.samples[:1]}) for name, m in MEASUREMENTS.items()}
    (chart,) = fitness.charts([panel(RELATIVE)], one, seed=SEED)
    assert chart.series[0].values[1] == pytest.approx(5001.5 / 15004.5)
    (table,) = tables([panel(RELATIVE)], one, seed=SEED)
    assert table.header[1] == "measured (ratio to eager)"


def test_table_and_data_file_say_what_is_divided_by(project: Project) -> None:
    """Each series of ratios names its own measurement; numbers of the snippet say nothing."""
    (table,) = tables([panel(RELATIVE)], MEASUREMENTS, seed=SEED)
    assert table.header == ["case", "measured (ratio to eager, with interval)", "expected"]
    assert table.caption == "time per call, over that of eager; no change: 1"
    store_run(project, figures={"total": [RELATIVE]})
    builder.build(project)
    assert [row["unit"] for row in read(project)] == ["ratio to eager"] * 2 + [""] * 3


@pytest.mark.parametrize(
    ("measurements", "message"),
    [
        (changed("eager", unit="B"), "compiled, in ns, over eager, in B (choose two of the same unit)"),
        (
            changed("compiled", samples=[[5]] * 4),
            "compiled, of 4 processes, over eager, of 5 (measure both in every process)",
        ),
        (
            changed("eager", samples=[[5]] * 4 + [[0]]),
            "series 'measured' is over eager, whose median in one process is 0 (divide by what is more",
        ),
    ],
)
def test_what_cannot_be_divided_is_refused(measurements, message):
    """The refusal names both measurements, and says how it is mended."""
    with pytest.raises(BenchbookError) as caught:
        fitness.charts([panel(RELATIVE)], measurements, seed=SEED)
    assert message in str(caught.value)
