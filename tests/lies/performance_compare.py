"""The mistakes that performance/compare teaches."""

from tests.lies.lie import FalseTime, Lie

VALUES = "wrong_values == 0"
SAME = "float32_outputs == 6 and numpy_outputs == 2"

LIES = (
    Lie(
        "performance/compare",
        claim=VALUES,
        right="return (x * x - 3) * x + 2  # the array's",
        wrong="return (x * x - 2) * x + 2  # the array's",
        blind=SAME,
    ),
    Lie(
        "performance/compare",
        claim=SAME,
        right="np.float32([0, 1, 2, 3]), n // 4",
        wrong="np.float64([0, 1, 2, 3]), n // 4",
        blind=VALUES,
    ),
    Lie(
        "performance/compare",
        claim=SAME,
        right='("NumPy", cubic, hosts)',
        wrong='("NumPy", cubic, devices)',
        blind=VALUES,
    ),
    Lie(
        "performance/compare",
        claim="multiplies_horner == 2 and multiplies_powers == 3",
        right="return x * x * x - 3 * x + 2",
        wrong="return (x * x - 3) * x + 2",
        blind=VALUES,
    ),
    Lie(
        "performance/compare",
        claim="alarms_one > 3 * alarms_ten and alarmed_sets >= 10",
        right="shifts = luck * draw(",
        wrong="shifts = 0 * draw(",
        blind=SAME,
    ),
)

FALSE_TIMES = (
    FalseTime("performance/compare", "block_a > 2 * block_b", truth="block_a", lie="turns_a"),
    FalseTime("performance/compare", "numpy64_big > 1.1 * numpy_big", truth="numpy64_big", lie="numpy_big"),
    FalseTime("performance/compare", "numpy_big > 5 * forgotten_big", truth="forgotten_big", lie="jit_big"),
)
