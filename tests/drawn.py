"""Figures for tests: a panel or more of each kind, drawn and taken apart."""

import itertools
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from benchbook.drawing import figure, kind, sheet
from benchbook.drawing.chart import Chart
from benchbook.drawing.palette import LIGHT, Palette
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
STAGES: dict[str, Any] = {
    "kind": "stack",
    "labels": ["one layer", "four layers"],
    "ylabel": "first call",
    "series": [
        {"label": "trace", "measurement": ["compiled", "eager"]},
        {"label": "compile", "measurement": ["eager", "eager"]},
        {"label": "execution", "y": [4e-7, 3e-6]},
    ],
    "references": [{"label": "a budget", "y": 2.5e-5}],
}
RATIOS: dict[str, Any] = {
    "kind": "interval",
    "labels": ["eager", "compiled", "donated"],
    "ylabel": "ratio to eager",
    "yscale": "log",
    "series": [
        {"label": "small", "y": [1, 0.3, 0.29], "low": [0.97, 0.28, 0.2], "high": [1.02, 0.33, 0.4]},
        {"label": "large", "y": [1, 0.9, 0.6]},
    ],
    "references": [{"label": "no change", "y": 1}],
    "bands": [{"label": "noise", "axis": "y", "low": 0.95, "high": 1.05}],
}
GROWTH: dict[str, Any] = {
    "kind": "line",
    "title": "Where the first call is paid back",
    "xlabel": "calls",
    "ylabel": "cumulative time, milliseconds",
    "xscale": "log",
    "yscale": "log",
    "series": [
        {
            "label": "eager",
            "x": [1, 10, 100, 1000],
            "y": [0.2, 2, 20, 200],
            "low": [0.1, 1, 10, 100],
            "high": [0.4, 4, 40, 400],
        },
        {"label": "compiled", "x": [1000, 1, 30], "y": [60, 50, 50.3]},
    ],
    "references": [{"label": "a frame", "y": 16.7}],
    "bands": [{"label": "break-even", "axis": "x", "low": 150, "high": 500}],
}
SIZES: dict[str, Any] = {
    "kind": "line",
    "xlabel": "bytes of the argument",
    "ylabel": "time per update",
    "series": [{"label": "copied", "x": [1024, 65536], "measurement": ["compiled", "eager"]}],
    "references": [{"label": "a page", "x": 4096}, {"label": "ten microseconds", "y": 1e-5}],
}
CALLS: dict[str, Any] = {
    "kind": "timeline",
    "labels": ["float32[8]", "float32[16], not donated", "int32[8]"],
    "xlabel": "milliseconds since the first call",
    "ylabel": "input",
    "series": [
        {"label": "trace", "y": [0, 1, 2], "low": [0, 22.5, 50], "high": [4, 26, 55]},
        {"label": "compile", "y": [0, 1, 2], "low": [4, 26, 55], "high": [22, 45, 80]},
        {"label": "call", "y": [2, 0, 1, 0], "low": [80, 22, 45, 90], "high": [80.1, 22.1, 45.1, 90]},
    ],
    "references": [{"label": "a new dtype", "x": 50}],
    "bands": [{"label": "warm-up", "axis": "x", "low": 0, "high": 22}],
}
RELATIVE: dict[str, Any] = {
    "kind": "interval",
    "labels": ["eager", "compiled"],
    "ylabel": "time per call, over that of eager",
    "series": [
        {"label": "measured", "measurement": ["eager", "compiled"], "over": "eager"},
        {"label": "expected", "y": [1, 0.5]},
    ],
    "references": [{"label": "no change", "y": 1}],
}
DOTS: dict[str, Any] = {
    "kind": "scatter",
    "xlabel": "bytes of the argument",
    "ylabel": "time per update",
    "series": [
        {"label": "copied", "x": [65536, 1024], "measurement": ["compiled", "eager"]},
        {"label": "own", "x": [1024, 1024], "y": [5e-6, 8e-6], "low": [4e-6, 7e-6], "high": [7e-6, 9e-6]},
    ],
    "bands": [{"label": "a page", "axis": "x", "low": 0, "high": 4096}],
}
EVERY: dict[str, Any] = {
    "kind": "scatter",
    "xlabel": "call in its process",
    "ylabel": "time per call",
    "series": [{"label": name, "measurement": name} for name in ("eager", "compiled")],
    "references": [{"label": "ten microseconds", "y": 1e-5}],
}
TAIL: dict[str, Any] = {
    "kind": "step",
    "xlabel": "time per call",
    "ylabel": "fraction of calls at or below",
    "series": [
        {"label": "eager", "measurement": "eager"},
        {"label": "own", "y": [2e-6, 1e-6, 2e-6, 4e-5, 3e-6]},
    ],
    "references": [{"label": "ten microseconds", "x": 1e-5}, {"label": "half", "y": 0.5}],
    "bands": [{"label": "slow", "axis": "x", "low": 1.5e-5, "high": 2e-5}],
}
ROOF: dict[str, Any] = {
    "kind": "roofline",
    "xlabel": "arithmetic intensity",
    "ylabel": "rate",
    "series": [
        {"label": "products", "measurement": ["eager", "compiled"], "flops": [3e4, 1e5], "bytes": [6e4, 5e3]},
        {"label": "a sum", "measurement": "compiled", "flops": 5000, "bytes": 20000},
    ],
    "ceilings": [
        {"label": "copy", "measurement": "compiled", "bytes": 50215},
        {"label": "product", "measurement": "eager", "flops": 602580},
        {"label": "strided", "measurement": "eager", "bytes": 50215},
        {"label": "float64", "measurement": "eager", "flops": 301290},
    ],
}
KINDS = (LOSSES, STAGES, RATIOS, GROWTH, SIZES, RELATIVE, DOTS, EVERY, TAIL, ROOF, CALLS)


def panel(tree: dict[str, Any], **changes: Any) -> Panel:
    """A panel of plain data."""
    return Panel.model_validate(tree | changes)


def svg(*trees: dict[str, Any], dark: bool = False, backend: str = "cpu") -> bytes:
    """The SVG of panels over the factory's measurements."""
    panels = [panel(t) for t in trees]
    return figure.draw(panels, make_run().measurements, dark=dark, seed=SEED, backend=backend)


def resolved(tree: dict[str, Any]) -> Chart:
    """The chart of a panel over the factory's measurements, whether or not it can be drawn."""
    one = kind.KINDS[tree["kind"]]
    return one.resolve(one.natural(panel(tree)), make_run().measurements, seed=SEED)


def composed(*trees: dict[str, Any], palette: Palette = LIGHT) -> Figure:
    """The figure itself, for looking at its parts."""
    charts = [resolved(tree) for tree in trees]
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


def shown(*trees: dict[str, Any]) -> list[str]:
    """What is written in a figure."""
    return [text.get_text() for text in texts(composed(*trees))]


def assert_readable(made: Figure) -> None:
    """Every text lies inside the figure, and no two texts overlap."""
    width, height = made.canvas.get_width_height()
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(made)]
    assert len(boxes) > 5
    for name, box in boxes:
        assert box.x0 >= 0, name
        assert box.y0 >= 0, name
        assert box.x1 <= width, name
        assert box.y1 <= height, name
    upright = [box for box, text in zip(boxes, texts(made), strict=True) if text.get_rotation() % 90 == 0]
    for (one, a), (other, b) in itertools.combinations(upright, 2):
        across = min(a.x1, b.x1) - max(a.x0, b.x0)
        along = min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(across, along) <= 0.5, (one, other)
