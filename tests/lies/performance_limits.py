"""The mistakes that performance/limits teaches."""

from tests.lies.lie import FalseTime, Lie

VALUES = "error < 1e-6"
COUNTS = (
    'intensity["scale"] == 0.125 and intensity["spread_2"] == 0.75 and intensity["spread_4"] == 1.5 '
    'and intensity["spread_32"] == 12 and intensity["spread_64"] == 24'
)

LIES = (
    Lie(
        "performance/limits",
        claim=VALUES,
        right="squares.append(gap * gap)",
        wrong="squares.append(gap + gap)",
        blind=COUNTS,
    ),
    Lie(
        "performance/limits",
        claim=COUNTS,
        right="moved = (given & wanted) | set(jaxpr.outvars)",
        wrong="moved = given & wanted",
        blind=VALUES,
    ),
    Lie(
        "performance/limits",
        claim='round(intensity["op_by_op_2"], 4) == 0.1154',
        right="alone += sum(map(size, read)) + size(out)",
        wrong="alone += size(out)",
        blind=COUNTS,
    ),
    Lie(
        "performance/limits",
        claim="dead_written == 97 and dead_needed == 1",
        right="return scale(x)",
        wrong="return spread(x, 32)",
        blind=COUNTS,
    ),
)

FALSE_TIMES = (
    FalseTime("performance/limits", "spread_2 < 2 * scale", truth="scale", lie="unwaited"),
    FalseTime("performance/limits", "spread_2 < 2 * scale", truth="scale", lie="cached_best"),
    FalseTime("performance/limits", "spread_4 < 1.3 * spread_2", truth="spread_4", lie="apart_2"),
    FalseTime("performance/limits", "apart_2 > 1.3 * spread_4", truth="apart_2", lie="spread_4"),
    FalseTime("performance/limits", "spread_64 > 1.3 * spread_32", truth="spread_64", lie="spread_32"),
    FalseTime("performance/limits", "op_by_op_2 > 6.5 * spread_2", truth="spread_2", lie="op_by_op_2"),
)
