"""A figure: recorded panels as an SVG, light or dark, the same bytes each time."""

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl

from benchbook.drawing.fitness import charts
from benchbook.drawing.lettering import SIZE
from benchbook.drawing.palette import DARK, LIGHT, Palette
from benchbook.drawing.sheet import WIDTH, compose, tall
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
PIXELS = 96 / 72  # in a point
COLOUR = re.compile(rb"#[0-9a-f]{6}\b")
STROKES = re.compile(rb'(?<= d=")[^"]+')
LOOSE = re.compile(rb" ?\n| (?=[A-Za-z])|(?<=[A-Za-z]) ")  # around the letters of a path's commands
UPRIGHT = re.compile(rb"M([0-9.]+) ([0-9.]+)L\1 ([0-9.]+)(?=M|$)")
LYING = re.compile(rb"M([0-9.]+) ([0-9.]+)L([0-9.]+) \2(?=M|$)")
LONG = re.compile(rb"[0-9]+\.[0-9]{3,}")


def path(slug: str, stored_id: str, backend: str, cell: str, *, dark: bool) -> str:
    """Where a figure lies below ``docs/``, as in ``figures/jit/compile/cpu-1a2b3c4d5e6f-losses.dark.svg``."""
    return f"figures/{slug}/{backend}-{stored_id}-{cell}.{'dark' if dark else 'light'}.svg"


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
    drawn = charts(panels, measurements, seed=seed)
    wide, high = round(WIDTH * PIXELS), round(tall(drawn, LIGHT) * PIXELS)
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
    drawn = charts(panels, measurements, seed=seed)
    buffer = io.BytesIO()
    with mpl.rc_context():
        mpl.rcdefaults()  # a matplotlibrc of this machine must not show
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type] # the stubs list every key as a literal
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        sheet = compose(drawn, palette)
        sheet.savefig(buffer, format="svg", transparent=True, metadata=metadata)
    return STROKES.sub(lambda match: _tight(match[0]), buffer.getvalue())


def _tight(strokes: bytes) -> bytes:
    """The same path in half the bytes: to a hundredth of a point, and nothing in it twice."""
    short = LOOSE.sub(b"", LONG.sub(lambda match: b"%.2f" % float(match[0]), strokes))
    return LYING.sub(rb"M\1 \2H\3", UPRIGHT.sub(rb"M\1 \2V\3", short))
