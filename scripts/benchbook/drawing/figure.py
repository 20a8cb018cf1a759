"""A figure: recorded panels as an SVG, light or dark, the same bytes each time; and their data as tables."""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Any

import matplotlib as mpl

from benchbook.drawing.chart import Chart, Marks, resolve
from benchbook.drawing.kind import KINDS
from benchbook.drawing.lettering import SIZE, SMALL, wrap
from benchbook.drawing.palette import DARK, HATCHES, LIGHT, LINES, Palette
from benchbook.drawing.sheet import PLOT, ROOM, SAMPLE, WIDTH, compose, tall
from benchbook.errors import BenchbookError
from benchbook.run import Measurement, Panel

SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": SIZE,
    "svg.hashsalt": "benchbook",
    "svg.fonttype": "path",
    "hatch.linewidth": 1.2,
    "axes.formatter.limits": (-4, 5),
    "axes.axisbelow": True,
}
DIGITS = 6
PIXELS = 96 / 72  # in a point
COLOUR = re.compile(rb"#[0-9a-f]{6}\b")


@dataclass(frozen=True, slots=True)
class Table:
    """A panel's data, for those who do not see it and those who want the numbers.

    Attributes:
        header: One text a column.
        rows: As long as ``header`` each.
        caption: What the panel shows, with its lines and bands.
    """

    header: list[str]
    rows: list[list[str]]
    caption: str


def path(slug: str, stored_id: str, backend: str, cell: str, *, dark: bool) -> str:
    """Where a figure lies below ``docs/``, as in ``figures/jit/compile/cpu-1a2b3c4d5e6f-losses.dark.svg``."""
    return f"figures/{slug}/{backend}-{stored_id}-{cell}.{'dark' if dark else 'light'}.svg"


def check(panels: Sequence[Panel]) -> None:
    """Proves that the panels can be drawn.

    Raises:
        BenchbookError: A kind is not known, a text does not fit, or there is more than styles can tell apart.
    """
    for panel in panels:
        if panel.kind not in KINDS:
            raise BenchbookError(f"a figure of kind {panel.kind!r}", mend=f"choose from {', '.join(KINDS)}")
        _check_counts(panel)
        _check_texts(panel, ROOM)
        KINDS[panel.kind].check(panel, ROOM)


def draw(
    panels: Sequence[Panel],
    measurements: Mapping[str, Measurement],
    *,
    dark: bool,
    seed: str,
    backend: str = "",
) -> bytes:
    """The SVG, with letters as paths and nothing behind them.

    Args:
        panels: The recorded panels.
        measurements: Those of the run.
        dark: For the page's dark scheme, else for the light one.
        seed: The run's digest.
        backend: That of the run; the first series has its colour.

    Raises:
        BenchbookError: The panels cannot be drawn.
    """
    light = _drawn(panels, measurements, seed=seed, palette=LIGHT.on(backend))
    return darkened(light, backend) if dark else light


def size(panels: Sequence[Panel], measurements: Mapping[str, Measurement], *, seed: str) -> tuple[int, int]:
    """Width and height of the drawing in CSS pixels, so that a page can keep its place before it is loaded.

    Args:
        panels: The recorded panels.
        measurements: Those of the run.
        seed: The run's digest.

    Raises:
        BenchbookError: The panels cannot be drawn.
    """
    check(panels)
    charts = [resolve(panel, measurements, seed=seed) for panel in panels]
    wide, high = round(WIDTH * PIXELS), round(tall(charts, LIGHT) * PIXELS)
    return wide, high


def darkened(light: bytes, backend: str) -> bytes:
    """The same drawing for the dark scheme: only its colours differ, and drawing again takes far longer.

    Args:
        light: From `draw`, for the light scheme.
        backend: As it was drawn.
    """
    pairs = zip(LIGHT.on(backend).colours, DARK.on(backend).colours, strict=True)
    instead = {one.encode(): other.encode() for one, other in pairs}
    return COLOUR.sub(lambda match: instead.get(match[0], match[0]), light)


def _drawn(
    panels: Sequence[Panel], measurements: Mapping[str, Measurement], *, seed: str, palette: Palette
) -> bytes:
    check(panels)
    charts = [resolve(panel, measurements, seed=seed) for panel in panels]
    buffer = io.BytesIO()
    with mpl.rc_context():
        mpl.rcdefaults()  # a matplotlibrc of this machine must not show
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type] # the stubs list every key as a literal
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        sheet = compose(charts, palette)
        sheet.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    return buffer.getvalue()


def tables(panels: Sequence[Panel], measurements: Mapping[str, Measurement], *, seed: str) -> list[Table]:
    """The data of each panel.

    Args:
        panels: The recorded panels.
        measurements: Those of the run.
        seed: The run's digest.
    """
    return [_table(resolve(panel, measurements, seed=seed)) for panel in panels]


def _check_counts(panel: Panel) -> None:
    for name, entries, most in (
        ("series", panel.series, len(HATCHES)),
        ("lines", panel.references, len(LINES)),
        ("bands", panel.bands, 1),
    ):
        if len(entries) > most:
            raise BenchbookError(
                f"a panel has {len(entries)} {name}; {most} can be told apart", mend="make it two panels"
            )


def _check_texts(panel: Panel, width: float) -> None:
    wrap(f"{panel.ylabel} (µs)", PLOT, lines=2)
    for text in (panel.title, panel.xlabel):
        if text:
            wrap(text, width)
    labels = [entry.label for entries in (panel.series, panel.references, panel.bands) for entry in entries]
    for label in labels:
        wrap(label, width - SAMPLE, size=SMALL)


def _table(chart: Chart) -> Table:
    header = [chart.panel.xlabel or "case", *(_heading(marks, chart.unit) for marks in chart.series)]
    labels = chart.panel.labels or []
    rows = [[label, *(_value(marks, index) for marks in chart.series)] for index, label in enumerate(labels)]
    guides = [f"{line.label}: {_digits(float(line.y or 0))} {chart.unit}" for line in chart.references]
    guides += [
        f"{band.label}: {_range(float(band.low), float(band.high))} {chart.unit}" for band in chart.bands
    ]
    return Table(
        header, rows, "; ".join(text.rstrip() for text in [chart.panel.title or chart.ylabel, *guides])
    )


def _heading(marks: Marks, unit: str) -> str:
    interval = ", with interval" if any(isfinite(low) for low in marks.low) else ""
    return marks.label + (f" ({unit}{interval})" if unit else "")


def _value(marks: Marks, index: int) -> str:
    value, low, high = (ends[index] for ends in (marks.values, marks.low, marks.high))
    interval = "" if isnan(low) or isnan(high) else f" ({_range(low, high)})"
    return _digits(value) + interval


def _range(low: float, high: float) -> str:
    return f"{_digits(low)} to {_digits(high)}"


def _digits(value: float) -> str:
    mantissa, separator, exponent = f"{value:.{DIGITS}g}".partition("e")
    return mantissa + (f"e{int(exponent)}" if separator else "")
