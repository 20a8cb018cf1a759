"""Figures: what is drawn, that it is the same each time, and that it can be read."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from benchbook.drawing import figure
from benchbook.drawing.palette import DARK, LIGHT
from benchbook.drawing.table import tables
from benchbook.errors import BenchbookError
from tests.drawn import (
    KINDS,
    LOSSES,
    MANY,
    RESIDUALS,
    SEED,
    TIMES,
    assert_readable,
    composed,
    panel,
    resolved,
    svg,
    texts,
)
from tests.factory import make_run


@pytest.mark.parametrize("trees", [[LOSSES, RESIDUALS], [TIMES], [MANY, LOSSES], KINDS])
@pytest.mark.parametrize("dark", [False, True])
def test_every_figure_is_well_formed_svg_without_ground(trees, dark):
    """An SVG parses, holds letters as paths, and no date; nothing is painted behind it."""
    drawn = svg(*trees, dark=dark)
    root = ET.fromstring(drawn)  # noqa: S314 - our own bytes
    assert root.tag.endswith("svg")
    assert b"<text" not in drawn
    assert b"<dc:date" not in drawn
    grounds = [path for path in root.iter("{http://www.w3.org/2000/svg}g") if path.get("id") == "patch_1"]
    assert "fill: none" in ET.tostring(grounds[0]).decode()


def test_two_processes_draw_the_same_bytes():
    """A figure does not depend on the process, the hash seed or a matplotlibrc."""
    program = (
        "import sys; from tests.drawn import *; "
        "sys.stdout.buffer.write(svg(LOSSES, RESIDUALS) + svg(TIMES, dark=True) + svg(MANY, *KINDS))"
    )
    root = Path(__file__).parents[1]
    drawn = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=root,
            env=os.environ | {"PYTHONHASHSEED": seed, "TZ": zone},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    ]
    assert drawn[0]
    assert drawn[0] == drawn[1]


def test_a_matplotlibrc_does_not_show_and_nothing_leaks():
    """Settings of this process change no figure, and a figure changes no setting."""
    expected = svg(LOSSES)
    with mpl.rc_context({"font.size": 20, "axes.grid": True, "savefig.dpi": 300}):
        before = dict(mpl.rcParams)
        assert svg(LOSSES) == expected
        assert dict(mpl.rcParams) == before


def test_pyplot_is_never_imported():
    """Drawing keeps no global state of figures."""
    program = (
        "import sys; from tests.drawn import *; svg(LOSSES, *KINDS); "
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("trees", [[LOSSES, RESIDUALS], [TIMES], KINDS])
def test_the_size_is_known_before_it_is_drawn(trees):
    """A page keeps a place of the drawing's own width and height, in pixels."""
    panels = [panel(tree) for tree in trees]
    root = ET.fromstring(svg(*trees))  # noqa: S314 - our own drawing
    drawn = [round(float(root.attrib[side].removesuffix("pt")) * 96 / 72) for side in ("width", "height")]
    assert drawn == list(figure.size(panels, make_run().measurements, seed=SEED))


@pytest.mark.parametrize("backend", ["cpu", "tpu", "elsewhere"])
def test_dark_and_light_differ_in_colours_only(backend):
    """No colour of one scheme is left in the other, and each stands where its counterpart stood."""
    light, dark = (svg(RESIDUALS, *KINDS, dark=dark, backend=backend) for dark in (False, True))
    bare = b"#1f77b4"  # Matplotlib's own, as the fill of caps: lines, which have nothing to fill
    used = [set(figure.COLOUR.findall(drawn)) - {bare} for drawn in (light, dark)]
    own = [{c.encode() for c in scheme.on(backend).colours} for scheme in (LIGHT, DARK)]
    assert len(used[0]) > 3
    assert [colours <= known for colours, known in zip(used, own, strict=True)] == [True, True]
    assert figure.COLOUR.sub(b"#", light) == figure.COLOUR.sub(b"#", dark)


def test_the_first_series_has_the_backends_colour():
    """The same data on two backends is drawn in two colours, those of the page for each."""
    drawn = {name: svg(LOSSES, backend=name).decode() for name in ("cpu", "cuda")}
    for name, other in (("cpu", "cuda"), ("cuda", "cpu")):
        assert LIGHT.backends[name] in drawn[name]
        assert LIGHT.backends[other] not in drawn[name]


@pytest.mark.parametrize("trees", [[LOSSES, RESIDUALS], [RESIDUALS, TIMES], [MANY, LOSSES, RESIDUALS], KINDS])
def test_no_text_is_cut_or_covered(trees):
    """Every text lies inside the figure, and no two texts overlap."""
    assert_readable(composed(*trees))


def test_measurements_are_medians_with_intervals_in_a_readable_unit():
    """Times in ns are shown in µs, with the 95% interval of the process medians."""
    chart = resolved(TIMES)
    (marks,) = chart.series
    assert chart.ylabel == "time per call (µs)"
    assert marks.values == pytest.approx((15.0645, 5.0215))
    assert all(
        low <= value <= high for value, low, high in zip(marks.values, marks.low, marks.high, strict=True)
    )
    assert chart.references[0].y == pytest.approx(10)


def test_one_process_has_no_interval():
    """Where there is one process there is a bar and no interval."""
    run = make_run()
    one = {name: m.model_copy(update={"samples": m.samples[:1]}) for name, m in run.measurements.items()}
    (table,) = tables([panel(TIMES)], one, seed=SEED)
    assert table.rows[1] == ["compiled", "5.0015"]
    figure.draw([panel(TIMES)], one, dark=False, seed=SEED)


def test_measurements_of_two_units_need_two_panels():
    """Bytes and nanoseconds do not share an axis."""
    run = make_run()
    mixed = run.measurements | {"eager": run.measurements["eager"].model_copy(update={"unit": "B"})}
    with pytest.raises(BenchbookError, match=r"B and ns.*a panel of its own"):
        figure.draw([panel(TIMES)], mixed, dark=False, seed=SEED)


@pytest.mark.parametrize("yscale", ["linear", "log"])
@pytest.mark.parametrize(
    "values", [[0, 0, 0], ["nan", "inf", "-inf"], [1e-100, 1e100, -1e100], [-1, -2, -3], [5, 5, 5]]
)
def test_any_numbers_can_be_drawn(yscale, values):
    """No number that an axis can show makes a figure fail."""
    svg(LOSSES | {"yscale": yscale, "series": [{"label": "loss", "y": values}]})


def test_a_path_is_written_in_few_bytes():
    """To a hundredth of a point, upright and lying strokes by one end, and the same strokes as before."""
    loose = b"M 1.23456 2 \nL 1.23456 30.5 \nM 4 5.5 \nL 60 5.5 \nM 1 2 \nL 3 4 \nL 3 8 \nQ 1 2 3 4 \nz\n"
    assert figure._tight(loose) == b"M1.23 2V30.5M4 5.5H60M1 2L3 4L3 8Q1 2 3 4z"
    assert b" \n" not in b"".join(figure.STROKES.findall(svg(LOSSES, *KINDS)))


def test_recorded_text_is_no_formula():
    """Dollar signs, backslashes and a leading underscore are drawn as they stand."""
    tree = LOSSES | {
        "labels": [r"$\frac{1}{0}$", "$unclosed", r"\alpha_x^"],
        "title": "$$",
        "series": [{"label": "_hidden", "y": [1, 2, 3]}, {"label": "$x$", "y": [1, 2, 3]}],
    }
    shown = {text.get_text() for text in texts(composed(tree))}
    assert {r"$\frac{1}{0}$", "$unclosed", r"\alpha_x^", "$$", "_hidden", "$x$"} <= shown


def test_path_names_lesson_backend_run_cell_and_scheme():
    """The path is the one that blocks and run pages link."""
    made = figure.path("jit/compile", "1a2b3c4d5e6f", "cpu", "losses", dark=True)
    assert made == "figures/jit/compile/cpu-1a2b3c4d5e6f-losses.dark.svg"
