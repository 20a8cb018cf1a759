"""The kind ``bar``: grouped bars, each with its value, its interval, or a word where there is no bar."""

from math import isfinite, isnan
from typing import Any

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import NullFormatter

from benchbook import reading
from benchbook.drawing.chart import Chart, Marks, names
from benchbook.drawing.lettering import SMALL, width, wrap
from benchbook.drawing.limits import limits
from benchbook.drawing.palette import HATCHES, Palette
from benchbook.errors import BenchbookError
from benchbook.run import Panel

GROUP = 0.8
WIDEST = 64.0
OFFSET = 3


def check(panel: Panel, room: float) -> None:
    """Proves that the panel can be drawn in ``room`` points.

    Raises:
        BenchbookError: With the mend.
    """
    labels = panel.labels or []
    if not labels:
        raise BenchbookError("a bar figure has no labels", mend="name each group of bars in 'labels'")
    for series in panel.series:
        count = len(names(series)) if series.y is None else len(series.y)
        if count != len(labels):
            raise BenchbookError(
                f"series {series.label!r} has {count} values for {len(labels)} labels",
                mend="give one a label",
            )
    if panel.xscale == "log" or any(line.x is not None for line in panel.references):
        raise BenchbookError("a bar figure has names along x, no numbers", mend="put lines and scales on y")
    if any(band.axis == "x" for band in panel.bands):
        raise BenchbookError("a bar figure has names along x, no numbers", mend="put bands on y")
    for label in labels:
        wrap(label, tick_room(panel, room), size=SMALL)


def tick_room(panel: Panel, room: float) -> float:
    """Points that one label may take."""
    return room / max(1, len(panel.labels or [])) - 4


def draw(axes: Axes, chart: Chart, palette: Palette, room: float) -> None:
    """Draws the series and their texts into axes that are ``room`` points wide."""
    labels = chart.panel.labels or []
    log = chart.panel.yscale == "log"
    axes.set_yscale(chart.panel.yscale)
    axes.yaxis.set_minor_formatter(NullFormatter())  # two powers of ten say enough
    bottom, top = limits(chart)
    axes.set_ylim(bottom, top)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    wrapped = [wrap(label, tick_room(chart.panel, room), size=SMALL) for label in labels]
    axes.set_xticks(range(len(labels)), labels=wrapped, parse_math=False)
    slot = room / len(labels)
    thickness = min(GROUP / len(chart.series), WIDEST / slot)
    for index, marks in enumerate(chart.series):
        shift = (index - (len(chart.series) - 1) / 2) * thickness
        places = [position + shift for position in range(len(labels))]
        drawable = [isfinite(value) and not (log and value <= 0) for value in marks.values]
        _bars(axes, places, marks, drawable, palette=palette, index=index, thickness=thickness, bottom=bottom)
        _intervals(axes, places, marks, drawable, palette=palette, lowest=bottom)
        _texts(axes, places, marks, drawable, slot=slot * thickness, palette=palette)


def legend(chart: Chart, palette: Palette) -> list[tuple[Artist, str]]:
    """A sample and a label for each series, in order; none for a single one, which the axis names."""
    if len(chart.series) == 1:
        return []
    return [(Patch(**_style(palette, index)), marks.label) for index, marks in enumerate(chart.series)]


def _style(palette: Palette, index: int) -> dict[str, Any]:
    colour = palette.marks[index]
    hatch = HATCHES[index]
    return {"facecolor": colour, "edgecolor": colour, "hatch": hatch, "hatchcolor": palette.background}


def _bars(
    axes: Axes,
    places: list[float],
    marks: Marks,
    drawable: list[bool],
    *,
    palette: Palette,
    index: int,
    thickness: float,
    bottom: float,
) -> None:
    kept = [(place, value) for place, value, use in zip(places, marks.values, drawable, strict=True) if use]
    floor_of_bars = bottom if axes.get_yscale() == "log" else 0.0
    heights = [value - floor_of_bars for _, value in kept]
    axes.bar(
        [place for place, _ in kept],
        heights,
        thickness * 0.92,
        bottom=floor_of_bars,
        zorder=3,
        **_style(palette, index),
    )


def _intervals(
    axes: Axes, places: list[float], marks: Marks, drawable: list[bool], *, palette: Palette, lowest: float
) -> None:
    rows = zip(places, marks.low, marks.high, drawable, strict=True)
    ends = [(place, max(low, lowest), high) for place, low, high, use in rows if use and isfinite(low + high)]
    container = axes.errorbar(
        [place for place, _, _ in ends],
        [(low + high) / 2 for _, low, high in ends],
        yerr=[abs(high - low) / 2 for _, low, high in ends],
        fmt="none",
        ecolor=palette.text,
        elinewidth=1.2,
        capsize=3,
        zorder=4,
    )
    for artist in (*container[1], *container[2]):
        artist.set_path_effects([withStroke(linewidth=3, foreground=palette.background)])


def _texts(
    axes: Axes, places: list[float], marks: Marks, drawable: list[bool], *, slot: float, palette: Palette
) -> None:
    for place, value, high, use in zip(places, marks.values, marks.high, drawable, strict=True):
        text = reading.text(value)
        fits = width(text, SMALL) <= slot
        below = use and value < 0
        tip = value if not use or isnan(high) or below else max(value, high)
        if not (fits or not use):
            continue
        axes.annotate(
            text,
            (place, tip) if use else (place, 0.0),
            xycoords="data" if use else axes.get_xaxis_transform(),
            xytext=(0, -OFFSET if below else OFFSET),
            textcoords="offset points",
            ha="center",
            va="top" if below else "bottom",
            rotation=0 if fits else 90,
            size=SMALL,
            color=palette.text,
            path_effects=[withStroke(linewidth=2.5, foreground=palette.background)],  # over grid lines
            zorder=5,
            parse_math=False,
        )
