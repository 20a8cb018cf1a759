"""Palettes: the colours, hatches, dashes and markers of figures, the same as the page's own.

The page's stand in ``docs/assets/palette.css``, and a test holds the two equal. Marks have a contrast of at
least 3:1 against the background and text at least 4.5:1 (WCAG 2.2, 1.4.11 and 1.4.3). Series differ in
luminance, and in hatch or in dashes and marker, so that a figure printed in grey can be read.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

HATCHES = ("", "//", "..", "xx", "\\\\", "++")
LINES = ("--", ":", "-.", (0, (6, 1)))
DASHES = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (8, 2, 1.5, 2)))
MARKERS = ("o", "s", "^", "D", "v", "P")
OTHER = "other"


class Speck(NamedTuple):
    """A mark that is too small for a shape: a dot or a dash.

    Attributes:
        wide: Its stroke, in points.
        cap: The ends of it; those of a dot are round.
        half: From its middle to its end. That of a dot is not 0: not every program draws such a stroke.
        reach: How far from each other two of them are joined, in points.
        along: The direction in which they are joined.
        marker: The same in a legend.
    """

    wide: float
    cap: Literal["round", "butt"]
    half: float
    reach: float
    along: tuple[float, float]
    marker: str | tuple[int, int, float]


SPECKS = (
    Speck(2.6, "round", 0.05, 1.0, (0, 1), "o"),
    Speck(1.2, "butt", 1.8, 3.6, (1, 0), "_"),
    Speck(1.2, "butt", 1.8, 3.6, (0, 1), "|"),
    Speck(1.2, "butt", 1.8, 3.6, (0.5**0.5, 0.5**0.5), (2, 2, -45)),
)


@dataclass(frozen=True, slots=True)
class Palette:
    """One scheme.

    Attributes:
        background: What the page shows through the figure's transparent ground.
        text: Letters, axes, error bars and reference lines.
        grid: Lines behind the marks; they carry no meaning of their own.
        backends: One colour a backend; ``other`` is that of any which has none of its own.
        marks: One colour a series.
    """

    background: str
    text: str
    grid: str
    backends: Mapping[str, str]
    marks: tuple[str, ...]

    @property
    def colours(self) -> tuple[str, ...]:
        """Every colour that a drawing may use, in the order of their parts."""
        return (self.background, self.text, self.grid, *self.marks)

    def on(self, backend: str) -> "Palette":
        """The same scheme with the backend's colour for the first series."""
        own = self.backends.get(backend, self.backends[OTHER])
        return replace(self, marks=(own, *self.marks[1:]))


LIGHT = Palette(
    background="#fcfaf4",
    text="#211f1b",
    grid="#ddd6c6",
    backends={
        "cpu": "#1f5288",
        "cpu8": "#744199",
        "cuda": "#3b6e1e",
        "tpu": "#ad4a12",
        OTHER: "#625c51",
    },
    marks=("#625c51", "#a57c1e", "#2c2a26", "#b95c82", "#0a4a4a", "#8f8a80"),
)
DARK = Palette(
    background="#191815",
    text="#e5e0d5",
    grid="#3b3832",
    backends={
        "cpu": "#7faee2",
        "cpu8": "#c09ae6",
        "cuda": "#88bf60",
        "tpu": "#ee9556",
        OTHER: "#aea698",
    },
    marks=("#aea698", "#d2b566", "#e5e0d5", "#dd84a8", "#42a099", "#8b877e"),
)


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, from 0 to 1, as WCAG 2.2 defines it."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)  # noqa: PLR2004 - sRGB
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
