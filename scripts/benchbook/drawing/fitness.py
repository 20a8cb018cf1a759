"""Fitness: whether a panel can be drawn, before anything is."""

from collections.abc import Sequence

from benchbook.drawing.chart import names
from benchbook.drawing.kind import KINDS, Kind
from benchbook.drawing.lettering import SMALL, wrap
from benchbook.drawing.palette import LINES
from benchbook.drawing.sheet import SAMPLE, room
from benchbook.drawing.soundness import sound
from benchbook.errors import BenchbookError
from benchbook.run import Panel


def check(panels: Sequence[Panel]) -> None:
    """Proves that the panels can be drawn.

    Raises:
        BenchbookError: A kind is not known, a number has no place on its axis, a text does not fit, or there
            is more than styles can tell apart.
    """
    for panel in panels:
        kind = KINDS.get(panel.kind)
        if kind is None:
            raise BenchbookError(f"a figure of kind {panel.kind!r}", mend=f"choose from {', '.join(KINDS)}")
        _check_counts(panel, kind)
        _check_axes(panel, kind)
        _check_guides(panel)
        _check_series(panel)
        kind.check(panel, room(panel))
        _check_texts(panel, kind)


def fits(panels: Sequence[Panel]) -> bool:
    """Whether the panels can be drawn; why not is told where they are."""
    try:
        check(panels)
    except BenchbookError:
        return False
    return True


def _check_counts(panel: Panel, kind: Kind) -> None:
    for name, entries, most in (
        ("series", panel.series, kind.most),
        ("lines", panel.references, len(LINES)),
        ("bands", panel.bands, 1),
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


def _check_series(panel: Panel) -> None:
    for series in panel.series:
        if names(series) and (series.low or series.high):
            raise BenchbookError(
                f"series {series.label!r} names measurements, which have intervals of their own",
                mend="leave out 'low' and 'high'",
            )


def _check_texts(panel: Panel, kind: Kind) -> None:
    wrap(f"{panel.ylabel} (µs)", kind.plot(panel), lines=2)
    wide = room(panel)
    for text in (panel.title, panel.xlabel):
        if text:
            wrap(text, wide)
    labels = [entry.label for entries in (panel.series, panel.references, panel.bands) for entry in entries]
    for label in labels:
        wrap(label, wide - SAMPLE, size=SMALL)
