"""The kind ``roofline``: rates over arithmetic intensity, below what was measured of the machine."""

from typing import Any

from matplotlib.axes import Axes

from benchbook.drawing import gable, nest, points, roof, scale, whisker
from benchbook.drawing.chart import Chart, Marks, Measured
from benchbook.drawing.lettering import SMALL, wrap
from benchbook.drawing.palette import Palette
from benchbook.drawing.sign import Sign
from benchbook.drawing.soundness import sound
from benchbook.errors import BenchbookError
from benchbook.run import Number, Panel, Series

SOLID: dict[str, Any] = {"linewidth": 1.8}
DASHED: dict[str, Any] = {"linewidth": 1.1, "linestyle": (0, (4, 2))}
RIDGE: dict[str, Any] = {"linewidth": 1.0, "linestyle": (0, (1, 2))}


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    points.unnamed(panel)
    for series in panel.series:
        what = f"series {series.label!r}"
        if series.measurement is None or series.x is not None:
            raise BenchbookError(
                f"{what} has numbers of its own",
                mend="give 'measurement', 'flops' and 'bytes'; a roofline divides them itself",
            )
        if not series.names:
            raise BenchbookError(f"{what} has no measurements", mend="leave the series out")
        for field in ("flops", "bytes"):
            _check_amounts(getattr(series, field), len(series.names), what, field)
    roof.check(panel)
    for ceiling in panel.ceilings:
        wrap(ceiling.label, room, size=SMALL, lines=1)


def resolve(panel: Panel, measurements: Measured, *, seed: str) -> Chart:
    """Intensities, and rates with their intervals, in the place of measurements and amounts.

    Raises:
        BenchbookError: A measurement is no time, or shorter than the clock can tell.
    """
    return Chart(
        panel=panel,
        unit="GFLOP/s",
        series=tuple(_marks(series, measurements, seed) for series in panel.series),
        references=tuple(panel.references),
        bands=tuple(panel.bands),
        xunit="FLOP/byte",
        ceilings=roof.bounds(panel, measurements, seed),
    )


def amounts(given: Number | list[Number] | None) -> list[float]:
    """FLOPs or bytes of a series, one a measurement."""
    return [*map(float, given if isinstance(given, list) else [given or 0])]


def prove(chart: Chart, room: float) -> None:
    """Proves that all dots have a place, and all ceilings one for their label, on axes ``room`` points wide.

    Raises:
        BenchbookError: With the mend.
    """
    for marks in chart.series:
        sound(marks.x, f"intensity of series {marks.label!r}", log=True)
        sound(marks.values, f"series {marks.label!r}", log=True)
    sound([one.value for one in chart.ceilings], "a ceiling", log=True)
    gable.signs(chart, room)


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws roof, ceilings and dots into axes that are ``room`` points wide."""
    along, up = gable.ends(chart)
    scale.upright(axes, chart.panel, up)
    scale.lying(axes, chart.panel, along, palette, room)
    ridge, best = roof.ridge(chart.ceilings), roof.best(chart.ceilings)
    for bound, *line in gable.lines(chart):
        style = SOLID if bound in best else DASHED
        axes.plot(*zip(*line, strict=True), color=palette.text, **style, zorder=2.5)
    axes.plot([ridge, ridge], [up[0], best[1].value], color=palette.text, **RIDGE, zorder=2.4)
    for marks in chart.series:
        ends = zip(marks.x, marks.low, marks.high, strict=True)
        whisker.draw(axes, ends, palette, lowest=up[0], cap=whisker.WIDE)
    nest.draw(axes, chart, palette)
    for one in gable.signs(chart, room):
        _write(axes, one, palette, room)


def _check_amounts(given: Number | list[Number] | None, count: int, what: str, field: str) -> None:
    if given is None:
        raise BenchbookError(f"{what} has no {field}", mend=f"give the {field} of one call in '{field}'")
    found = given if isinstance(given, list) else [given]
    if len(found) != count:
        raise BenchbookError(
            f"{what} has {len(found)} {field} for {count} measurements", mend="give one a measurement"
        )
    roof.positive(found, what)


def _marks(series: Series, measurements: Measured, seed: str) -> Marks:
    rows = [*zip(series.names, amounts(series.flops), amounts(series.bytes), strict=True)]
    x = tuple(flops / moved for _, flops, moved in rows)
    found = [roof.rate(flops, name, measurements, seed) for name, flops, _ in rows]
    values, low, high = (tuple(column) for column in zip(*found, strict=True))
    return Marks(series.label, x, values, low, high, labels=tuple(series.names))


def _write(axes: Axes, one: Sign, palette: Palette, room: float) -> None:
    axes.annotate(
        one.text,
        (one.middle[0] / room, one.middle[1] / gable.TALL),
        xycoords="axes fraction",
        ha="center",
        va="center",
        rotation=one.turn,
        rotation_mode="anchor",
        size=SMALL,
        color=palette.text,
        bbox={"facecolor": palette.background, "edgecolor": "none", "pad": 0.5},  # over grid lines
        zorder=3.9,  # what has to cover a dot or its interval leaves them whole
        parse_math=False,
    )
