"""Figures: what is drawn, that it is the same each time, and that it can be read."""

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from benchbook.drawing import chart, figure, fitness, sheet
from benchbook.drawing.palette import DARK, LIGHT, Palette
from benchbook.drawing.table import tables
from benchbook.errors import BenchbookError
from benchbook.run import Panel
from tests.factory import make_run

SEED = "ab" * 32
LOSSES: dict[str, Any] = {
    "kind": "bar",
    "labels": ["eager", "first compiled call", "repeated compiled call"],
    "ylabel": "mean squared loss",
    "series": [{"label": "evaluated loss", "y": [0.46, 0.46, 0.46]}],
    "references": [{"label": "worked by hand", "y": 0.46}],
}
RESIDUALS: dict[str, Any] = {
    "kind": "bar",
    "title": "Distance from the value that was worked by hand, on a log axis",
    "labels": ["eager", "first compiled call", "repeated compiled call"],
    "xlabel": "path",
    "ylabel": "residual from exact",
    "yscale": "log",
    "series": [
        {"label": "loss", "y": [8.3e-9, 0.0, "nan"]},
        {"label": "gradient", "y": [1e-8, 2e-8, 3e-7], "low": [9e-9, 1e-8, 2e-7], "high": [2e-8, 3e-8, 4e-7]},
    ],
    "bands": [{"label": "float32 rounding", "axis": "y", "low": 1e-8, "high": 6e-8}],
}
TIMES: dict[str, Any] = {
    "kind": "bar",
    "labels": ["eager", "compiled"],
    "ylabel": "time per call",
    "series": [{"label": "completed call", "measurement": ["eager", "compiled"]}],
    "references": [{"label": "ten microseconds", "y": 1e-5}],
}
MANY: dict[str, Any] = {
    "kind": "bar",
    "labels": ["a", "b", "c", "d"],
    "ylabel": "change",
    "series": [{"label": f"series {n}", "y": [n - 3, 1.5 * n, -n, "inf"]} for n in range(6)],
}


def panel(tree: dict[str, Any], **changes: Any) -> Panel:
    """A panel of plain data."""
    return Panel.model_validate(tree | changes)


def svg(*trees: dict[str, Any], dark: bool = False, backend: str = "cpu") -> bytes:
    """The SVG of panels over the factory's measurements."""
    panels = [panel(t) for t in trees]
    return figure.draw(panels, make_run().measurements, dark=dark, seed=SEED, backend=backend)


def composed(*trees: dict[str, Any], palette: Palette = LIGHT) -> Figure:
    """The figure itself, for looking at its parts."""
    charts = [chart.resolve(panel(tree), make_run().measurements, seed=SEED) for tree in trees]
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(figure.SETTINGS)
        made = sheet.compose(charts, palette)
        FigureCanvasAgg(made).draw()
    return made


def texts(made: Figure) -> list[Text]:
    """Every text that is drawn; Matplotlib also keeps labels of ticks beyond the axis."""
    unseen = set()
    for axis in (axis for axes in made.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = axis.get_view_interval()
        ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
        unseen |= {tick.label1 for tick in ticks if not low <= tick.get_loc() <= high}
    visible = (text for text in made.findobj(Text) if text.get_visible() and text not in unseen)
    return [text for text in visible if text.get_text().strip()]


@pytest.mark.parametrize("trees", [[LOSSES], [LOSSES, RESIDUALS], [TIMES], [MANY, LOSSES, RESIDUALS]])
@pytest.mark.parametrize("dark", [False, True])
def test_every_figure_is_well_formed_svg_without_ground(trees, dark):
    """An SVG parses, holds letters as paths, and no date; nothing is painted behind it."""
    drawn = svg(*trees, dark=dark)
    root = ET.fromstring(drawn)  # noqa: S314 - our own bytes
    assert root.tag.endswith("svg")
    assert b"<text" not in drawn
    assert b"date" not in drawn
    grounds = [path for path in root.iter("{http://www.w3.org/2000/svg}g") if path.get("id") == "patch_1"]
    assert "fill: none" in ET.tostring(grounds[0]).decode()


def test_two_processes_draw_the_same_bytes():
    """A figure does not depend on the process, the hash seed or a matplotlibrc."""
    program = (
        "import sys; from tests.test_figure import *; "
        "sys.stdout.buffer.write(svg(LOSSES, RESIDUALS) + svg(TIMES, dark=True) + svg(MANY))"
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
        "import sys; from tests.test_figure import *; svg(LOSSES, RESIDUALS); "
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("trees", [[LOSSES], [LOSSES, RESIDUALS], [TIMES]])
def test_the_size_is_known_before_it_is_drawn(trees):
    """A page keeps a place of the drawing's own width and height, in pixels."""
    panels = [panel(tree) for tree in trees]
    root = ET.fromstring(svg(*trees))  # noqa: S314 - our own drawing
    drawn = [round(float(root.attrib[side].removesuffix("pt")) * 96 / 72) for side in ("width", "height")]
    assert drawn == list(figure.size(panels, make_run().measurements, seed=SEED))


@pytest.mark.parametrize("backend", ["cpu", "tpu", "elsewhere"])
def test_dark_and_light_differ_in_colours_only(backend):
    """No colour of one scheme is left in the other, and each stands where its counterpart stood."""
    light, dark = (svg(LOSSES, RESIDUALS, dark=dark, backend=backend) for dark in (False, True))
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


@pytest.mark.parametrize(
    "trees", [[LOSSES], [LOSSES, RESIDUALS], [TIMES], [RESIDUALS, TIMES], [MANY, LOSSES, RESIDUALS]]
)
def test_no_text_is_cut_or_covered(trees):
    """Every text lies inside the figure, and no two texts overlap."""
    made = composed(*trees)
    width, height = made.canvas.get_width_height()
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(made)]
    assert len(boxes) > 5
    for name, box in boxes:
        assert box.x0 >= 0, name
        assert box.y0 >= 0, name
        assert box.x1 <= width, name
        assert box.y1 <= height, name
    for (one, a), (other, b) in itertools.combinations(boxes, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        along = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, along) <= 0.5, (one, other)


def test_bars_carry_their_values():
    """Where there is room, each bar has its number."""
    shown = [text.get_text() for text in texts(composed(LOSSES))]
    assert shown.count("0.46") == 3


def test_measurements_are_medians_with_intervals_in_a_readable_unit():
    """Times in ns are shown in µs, with the 95% interval of the process medians."""
    resolved = chart.resolve(panel(TIMES), make_run().measurements, seed=SEED)
    (marks,) = resolved.series
    assert resolved.ylabel == "time per call (µs)"
    assert marks.values == pytest.approx((15.0645, 5.0215))
    assert all(
        low <= value <= high for value, low, high in zip(marks.values, marks.low, marks.high, strict=True)
    )
    assert resolved.references[0].y == pytest.approx(10)


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


@pytest.mark.parametrize(("value", "shown"), [("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"), (0.0, "0")])
def test_what_a_log_axis_cannot_show_is_a_gap_with_its_value(value, shown):
    """NaN, infinities, and 0 on a log axis leave a gap that says what was there."""
    tree = RESIDUALS | {"series": [{"label": "loss", "y": [1e-8, value, 1e-7]}]}
    made = composed(tree)
    assert len(made.axes[0].patches) - 1 == 2  # one patch is the band
    assert shown in [text.get_text() for text in texts(made)]


@pytest.mark.parametrize("yscale", ["linear", "log"])
@pytest.mark.parametrize(
    "values", [[0, 0, 0], ["nan", "inf", "-inf"], [1e-308, 1.7e308, -1.7e308], [-1, -2, -3], [5, 5, 5]]
)
def test_any_numbers_can_be_drawn(yscale, values):
    """No recorded number makes a figure fail."""
    svg(LOSSES | {"yscale": yscale, "series": [{"label": "loss", "y": values}]})


def test_recorded_text_is_no_formula():
    """Dollar signs, backslashes and a leading underscore are drawn as they stand."""
    tree = LOSSES | {
        "labels": [r"$\frac{1}{0}$", "$unclosed", r"\alpha_x^"],
        "title": "$$",
        "series": [{"label": "_hidden", "y": [1, 2, 3]}, {"label": "$x$", "y": [1, 2, 3]}],
    }
    shown = {text.get_text() for text in texts(composed(tree))}
    assert {r"$\frac{1}{0}$", "$unclosed", r"\alpha_x^", "$$", "_hidden", "$x$"} <= shown


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "pie"}, "kind 'pie'.*choose from bar"),
        ({"labels": None}, "no labels"),
        ({"labels": ["a", "b"]}, "3 values for 2 labels"),
        ({"labels": ["a", "b", "x" * 200]}, "does not fit.*shorten it"),
        ({"ylabel": "y" * 80}, "does not fit"),
        ({"title": "word " * 100}, "does not fit"),
        ({"labels": ["a", "b", "\N{CJK UNIFIED IDEOGRAPH-4E2D}"]}, r"U\+4E2D"),
        ({"labels": ["a", "b", "c\x07"]}, "U\\+0007"),
        ({"xscale": "log"}, "names along x"),
        ({"references": [{"label": "x", "x": 1}]}, "names along x"),
        ({"references": [{"label": f"line {n}", "y": n} for n in range(5)]}, "5 lines; 4 can be told apart"),
        ({"series": [{"label": f"s{n}", "y": [1, 2, 3]} for n in range(7)]}, "7 series; 6 can be told apart"),
    ],
)
def test_check_names_what_cannot_be_drawn(changes, message):
    """A panel that cannot be drawn is refused with the reason and the mend."""
    with pytest.raises(BenchbookError, match=message):
        fitness.check([panel(LOSSES, **changes)])


def test_tables_hold_the_data_and_the_lines():
    """A table has a row for each label, intervals where there are any, and lines in its caption."""
    losses, residuals = tables([panel(LOSSES), panel(RESIDUALS)], {}, seed=SEED)
    assert losses.header == ["case", "evaluated loss"]
    assert losses.rows[0] == ["eager", "0.46"]
    assert losses.caption == "mean squared loss; worked by hand: 0.46"
    assert residuals.rows[2] == ["repeated compiled call", "nan", "3e-7 (2e-7 to 4e-7)"]
    assert residuals.caption.endswith("float32 rounding: 1e-8 to 6e-8")
    assert all(len(row) == len(residuals.header) for row in residuals.rows)


def test_path_names_lesson_backend_run_cell_and_scheme():
    """The path is the one that blocks and run pages link."""
    made = figure.path("jit/compile", "1a2b3c4d5e6f", "cpu", "losses", dark=True)
    assert made == "figures/jit/compile/cpu-1a2b3c4d5e6f-losses.dark.svg"
