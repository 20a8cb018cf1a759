"""The mistakes that precision/tolerances teaches."""

from tests.lies.lie import FalseTime, Lie

BOTH_SIDES = "missed_loose == 3 and missed_derived == 0 and right_passes_derived"
ZERO = "right_refused_derived == 0 and wrong_passed_derived == 2"
MODEL = "0.1 < running_over_root and running_over_root < 1 and sum_over_root < 1"
WORST = "over_worst_case < 1"
VALUES = "largest_error < atol"
ENTRY = "np.asarray(a, np.float64)"

LIES = (
    Lie(
        "precision/tolerances",
        claim=BOTH_SIDES,
        right='extra=len(w) + 3) * u["float32"]',
        wrong='extra=len(w) + 3) * u["bfloat16"]',
        blind=VALUES,
    ),
    Lie(
        "precision/tolerances",
        claim=ZERO,
        right=f"(np.abs({ENTRY}) for a in (w, x, y))\n    return 2 / len(x) * x.T @ (x @ w + y)",
        wrong=f"({ENTRY} for a in (w, x, y))\n    return np.abs(2 / len(x) * x.T @ (x @ w - y))",
        blind=BOTH_SIDES,
    ),
    Lie(
        "precision/tolerances",
        claim=MODEL,
        right="(s - math.fsum(v))",
        wrong="(s - float(np.cumsum(np.float32(v))[-1]))",
        blind=WORST,
    ),
    Lie(
        "precision/tolerances",
        claim=ZERO,
        right='return {"rtol": last, "atol": atol * (1 + last)}',
        wrong='return {"rtol": 0, "atol": atol * max(1, last / u["float32"])}',
        blind=VALUES,
    ),
)

FALSE_TIMES = (
    FalseTime(
        "precision/tolerances", "running_error > 4 * sum_error", truth="running_error", lie="sum_error"
    ),
)
