"""Colours: figures and pages share them, and both can be read."""

import itertools
import re
from pathlib import Path

import pytest

from benchbook.drawing.kind import KINDS
from benchbook.drawing.palette import (
    DARK,
    DASHES,
    HATCHES,
    LIGHT,
    MARKERS,
    OTHER,
    Palette,
    contrast,
    luminance,
)

SHEET = (Path(__file__).parents[1] / "docs/assets/palette.css").read_text()
SCHEMES = {"default": LIGHT, "slate": DARK}


def colours(scheme: str) -> dict[str, str]:
    """The colours that the sheet sets for a scheme, by name."""
    rule = re.search(rf'\[data-md-color-scheme="{scheme}"\] {{(.*?)}}', SHEET, re.DOTALL)[1]
    return dict(re.findall(r"--bb-(\w+): (#[0-9a-f]{6});", rule))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_figure_has_the_colours_of_its_page(scheme):
    """Paper, ink, hairlines and the colour of each backend are those of the style sheet."""
    page, palette = colours(scheme), SCHEMES[scheme]
    assert (page["paper"], page["ink"], page["hair"]) == (palette.background, palette.text, palette.grid)
    assert {name: page[name] for name in palette.backends} == palette.backends


def test_both_schemes_name_the_same_colours():
    """No colour of the page is set for one scheme alone."""
    assert colours("default").keys() == colours("slate").keys()
    assert len(colours("slate")) > 10


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", ["paper", "shade"])
def test_text_of_the_page_can_be_read(scheme, ground):
    """Text reaches 4.5:1 on both grounds, and the edges of what can be operated 3:1."""
    page = colours(scheme)
    for name in ("ink", "quiet", "link", "text", "right", "wrong", *SCHEMES[scheme].backends):
        assert contrast(page[name], page[ground]) >= 4.5, name
    assert contrast(page["rule"], page[ground]) >= 3


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_marks_and_text_have_contrast(palette: Palette):
    """On every backend marks reach 3:1 and text 4.5:1 against the page."""
    for backend in palette.backends:
        assert all(contrast(mark, palette.background) >= 3 for mark in palette.on(backend).marks)
    assert contrast(palette.text, palette.background) >= 4.5
    assert contrast(palette.text, palette.grid) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_series_differ_in_grey(palette: Palette):
    """On every backend each two series differ in hatch and, by themselves, in luminance."""
    for backend in palette.backends:
        marks = palette.on(backend).marks
        assert len(set(HATCHES)) == len(HATCHES) == len(marks)
        for one, other in itertools.combinations(marks, 2):
            assert abs(luminance(one) - luminance(other)) > 0.01, (backend, one, other)


def test_lines_differ_without_colour():
    """Each two lines of a panel differ in marker and in dashes, and any two series in marker."""
    assert len({*map(str, DASHES)}) == len(DASHES) == KINDS["line"].most
    assert len(set(MARKERS)) == len(MARKERS) == len(HATCHES)


def test_the_first_series_has_the_colour_of_its_backend():
    """A backend of the palette gives its own colour, and any other the neutral one."""
    assert LIGHT.on("cuda").marks == (LIGHT.backends["cuda"], *LIGHT.marks[1:])
    assert LIGHT.on("quantum").marks[0] == LIGHT.backends[OTHER]
    assert LIGHT.marks == LIGHT.on(OTHER).marks


def test_contrast_is_what_wcag_says():
    """Black on white is 21:1, and a colour on itself 1:1."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)
    assert contrast("#1d3f72", "#1d3f72") == 1
