"""Intervals: dots, whiskers, and an axis that needs no 0."""

from tests.drawn import RATIOS, composed, shown


def dots(tree):
    """The places and values of each series' dots."""
    lines = [line for line in composed(tree).axes[0].lines if line.get_marker() not in {"None", "_"}]
    return [(line.get_xdata().tolist(), line.get_ydata().tolist(), line.get_marker()) for line in lines]


def test_each_series_has_a_marker_of_its_own_beside_the_others():
    """Series differ in marker, and no two dots stand at one place."""
    drawn = dots(RATIOS)
    assert [values for _, values, _ in drawn] == [[1, 0.3, 0.29], [1, 0.9, 0.6]]
    assert len({marker for *_, marker in drawn}) == 2
    places = [place for row, *_ in drawn for place in row]
    assert len(set(places)) == len(places)


def test_an_interval_shorter_than_its_dot_is_seen_beside_it():
    """The caps reach further than the dot, and with many series never into the next one's."""
    for count in (1, 6):
        series = [
            {"label": f"s{n}", "y": [5, 5, 9], "low": [5, 5, 9], "high": [5, 5, 9]} for n in range(count)
        ]
        (axes,) = composed(RATIOS | {"series": series, "yscale": "linear"}).axes
        caps = [line for line in axes.lines if line.get_marker() == "_"]
        (wide,) = {cap.get_markersize() for cap in caps}
        slot = axes.get_window_extent().width / 3 * 0.8 / count
        assert dots(RATIOS | {"series": series})
        assert 6.5 < wide < slot


def test_a_value_below_zero_stands_above_the_names():
    """The text under the lowest dot lies within the axes."""
    (axes,) = composed(RATIOS | {"series": [{"label": "s", "y": [-5, -6, -7]}], "yscale": "linear"}).axes
    (value,) = [text for text in axes.texts if text.get_text() == "-7"]
    assert value.get_window_extent().y0 >= axes.get_window_extent().y0


def test_values_are_written_where_they_fit():
    """With room each dot has its number; with six series of long numbers none does."""
    one = RATIOS | {"series": RATIOS["series"][:1], "yscale": "linear"}
    assert {"1", "0.3", "0.29"} <= set(shown(one))
    many = [{"label": f"s{n}", "y": [0.123, 0.456, 0.789]} for n in range(6)]
    assert not {"0.123", "0.456", "0.789"} & set(shown(RATIOS | {"series": many}))


def test_a_linear_axis_starts_at_zero_only_where_that_takes_little():
    """Ratios near 1 fill the axis, their line of reference within it; values near 0 start at 0."""
    near = RATIOS | {"yscale": "linear", "bands": [], "series": [{"label": "r", "y": [0.97, 1.1, 0.92]}]}
    low, high = composed(near).axes[0].get_ylim()
    assert 0.9 < low < 0.92
    assert low < 1 < high
    far = near | {"series": [{"label": "r", "y": [0.1, 1.1, 0.92]}]}
    assert composed(far).axes[0].get_ylim()[0] == 0
