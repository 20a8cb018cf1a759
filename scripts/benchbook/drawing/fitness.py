"""Fitness: whether a panel can be drawn, before anything is."""

from collections import Counter
from collections.abc import Mapping, Sequence

from benchbook.drawing import ratio
from benchbook.drawing.chart import Chart
from benchbook.drawing.kind import KINDS, Kind
from benchbook.drawing.lettering import SMALL, wrap
from benchbook.drawing.palette import LINES
from benchbook.drawing.sheet import SAMPLE, room
from benchbook.drawing.soundness import bounded, sound
from benchbook.errors import BenchbookError
from benchbook.run import Measurement, Panel

CEILINGS = 4  # whose labels have room


def charts(panels: Sequence[Panel], measurements: Mapping[str, Measurement], *, seed: str) -> list[Chart]:
    """The panels with their numbers resolved, each of which can be drawn.

    Args:
        panels: The recorded panels.
        measurements: Those of the run.
        seed: The run's digest.

    Raises:
        BenchbookError: A kind is not known, a number has no place on its axis, a text does not fit, or there
            is more than styles can tell apart. It names the panel where there are several.
    """
    made = list[Chart]()
    for number, panel in enumerate(panels, 1):
        try:
            made.append(_chart(panel, measurements, seed))
        except BenchbookError as error:
            place = f"panel {number}{f' {panel.title!r}' if panel.title else ''}: " if len(panels) > 1 else ""
            raise BenchbookError(place + error.message, mend=error.mend) from error
    return made


def charts_or_none(
    panels: Sequence[Panel], measurements: Mapping[str, Measurement], *, seed: str
) -> list[Chart]:
    """The same, or none of panels that cannot be drawn; why not is told where they are drawn."""
    try:
        return charts(panels, measurements, seed=seed)
    except BenchbookError:
        return []


def _chart(panel: Panel, measurements: Mapping[str, Measurement], seed: str) -> Chart:
    kind = KINDS.get(panel.kind)
    if kind is None:
        raise BenchbookError(f"a figure of kind {panel.kind!r}", mend=f"choose from {', '.join(KINDS)}")
    panel = kind.natural(panel)
    _check_counts(panel, kind)
    _check_axes(panel, kind)
    _check_guides(panel)
    _check_series(panel, kind)
    kind.check(panel, room(panel))
    ratio.check(panel, measurements)
    chart = kind.resolve(panel, measurements, seed=seed)
    _check_numbers(chart, kind)
    _check_texts(chart, kind)
    kind.prove(chart, room(panel))
    return chart


def _check_counts(panel: Panel, kind: Kind) -> None:
    for name, entries, most in (
        ("series", panel.series, kind.most),
        ("lines", panel.references, len(LINES)),
        ("bands", panel.bands, 1),
        ("ceilings", panel.ceilings, CEILINGS),
    ):
        if len(entries) > most:
            raise BenchbookError(
                f"a panel has {len(entries)} {name}; {most} can be told apart", mend="make it two panels"
            )


def _check_axes(panel: Panel, kind: Kind) -> None:
    used: set[str] = {line.axis for line in panel.references} | {band.axis for band in panel.bands}
    used |= {axis for axis, scale in (("x", panel.xscale), ("y", panel.yscale)) if scale == "log"}
    for axis in sorted(used - {*kind.numbers}):
        raise BenchbookError(
            f"a figure of kind {panel.kind!r} has names along {axis}, no numbers",
            mend=f"put lines, bands and scales on {' and '.join(kind.numbers)}",
        )
    if "x" in kind.numbers and not panel.xlabel:
        raise BenchbookError(
            f"a figure of kind {panel.kind!r} has numbers along x, and no xlabel",
            mend="say in 'xlabel' what they are",
        )


def _check_guides(panel: Panel) -> None:
    log = {"x": panel.xscale == "log", "y": panel.yscale == "log"}
    for line in panel.references:
        sound([line.place], f"line {line.label!r}", log=log[line.axis])
    for band in panel.bands:
        sound([band.low, band.high], f"band {band.label!r}", log=log[band.axis])
        if float(band.high) < float(band.low):
            raise BenchbookError(f"band {band.label!r} ends before it starts", mend="swap low and high")


def _check_series(panel: Panel, kind: Kind) -> None:
    works = any(series.flops is not None or series.bytes is not None for series in panel.series)
    if (works or panel.ceilings) and not kind.roof:
        raise BenchbookError(
            f"a figure of kind {panel.kind!r} has no FLOPs, bytes and ceilings",
            mend="leave them out, or choose kind 'roofline'",
        )
    if ratio.shown(panel) and not kind.ratios:
        able = ", ".join(name for name, other in KINDS.items() if other.ratios)
        raise BenchbookError(
            f"a figure of kind {panel.kind!r} draws no ratios",
            mend=f"leave out 'over', or choose from {able}",
        )
    for series in panel.series:
        if series.names and (series.low or series.high):
            raise BenchbookError(
                f"series {series.label!r} names measurements, which have intervals of their own",
                mend="leave out 'low' and 'high'",
            )
    (label, times), *_ = Counter(series.label for series in panel.series).most_common(1)
    if times > 1:
        raise BenchbookError(f"{times} series have the label {label!r}", mend="name each apart")


def _check_numbers(chart: Chart, kind: Kind) -> None:
    log = chart.panel.yscale == "log" if "y" in kind.numbers else chart.panel.xscale == "log"
    for marks in chart.series:
        bounded((*marks.values, *marks.low, *marks.high), f"series {marks.label!r}", log=log)


def _check_texts(chart: Chart, kind: Kind) -> None:
    panel = chart.panel
    wrap(chart.ylabel, kind.plot(panel), lines=2)
    wide = room(panel)
    for text in (panel.title, chart.xlabel):
        if text:
            wrap(text, wide)
    labels = [entry.label for entries in (panel.series, panel.references, panel.bands) for entry in entries]
    for label in labels:
        wrap(label, wide - SAMPLE, size=SMALL)
