"""Palettes: the colours and hatches of figures on Material's white and slate backgrounds.

Marks have a contrast of at least 3:1 against the background and text at least 4.5:1 (WCAG 2.2, 1.4.11 and
1.4.3). Series differ in relative luminance and in hatch, so that a figure printed in grey can be read.
"""

from dataclasses import dataclass

HATCHES = ("", "//", "..", "xx", "\\\\", "++")
LINES = ("--", ":", "-.", (0, (6, 1)))


@dataclass(frozen=True, slots=True)
class Palette:
    """One scheme.

    Attributes:
        background: What the page shows through the figure's transparent ground.
        text: Letters, axes, error bars and reference lines.
        grid: Lines behind the marks; they carry no meaning of their own.
        marks: One colour a series.
    """

    background: str
    text: str
    grid: str
    marks: tuple[str, ...]


LIGHT = Palette(
    background="#ffffff",
    text="#33363b",
    grid="#d9dce2",
    marks=("#1d3f72", "#d9680f", "#0b6e5f", "#b0479a", "#6a3d9e", "#747c8e"),
)
DARK = Palette(
    background="#1e2129",
    text="#d6d9e0",
    grid="#3b404c",
    marks=("#7fb2f0", "#ffb454", "#4fa58f", "#f2a0cf", "#a678e6", "#aeb5c6"),
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
