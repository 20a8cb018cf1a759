"""The mistakes that performance/distributions teaches."""

from tests.lies.lie import FalseTime, Lie

SPIKE = "mean_quiet == 7 and mean_spiked == 27 and median_spiked == 7 and min_spiked == 5 and mad_spiked == 1"
DRAWN = "low_ten == 12 and high_ten == 17"
COMPILED = "traces == 1 and built_later == 0 and sum_of_squares == 140"
QUEUE = "returned == 32 and stuck == 33"

LIES = (
    Lie(
        "performance/distributions",
        claim=SPIKE,
        right="return np.median(np.abs(np.array(samples) - np.median(samples)))",
        wrong="return np.mean(np.abs(np.array(samples) - np.median(samples)))",
        blind=DRAWN,
    ),
    Lie(
        "performance/distributions",
        claim=DRAWN,
        right="drawn = np.array(ten)[places]",
        wrong="drawn = np.array([ten] * 2000)",
        blind=SPIKE,
    ),
    Lie(
        "performance/distributions",
        claim=COMPILED,
        right="value = jax.block_until_ready(squares(x))  # compiles",
        wrong="value = exact  # nobody warmed up",
        blind=QUEUE,
    ),
    Lie(
        "performance/distributions",
        claim=QUEUE,
        right="last = plus(last)  # has to wait",
        wrong="last = jax.block_until_ready(plus(last))  # has to wait",
        blind=COMPILED,
    ),
)

FALSE_TIMES = (
    FalseTime("performance/distributions", "one_warmup > 2 * steady", truth="steady", lie="one_warmup"),
    FalseTime("performance/distributions", "true_24 > 3 * loop_24", truth="true_24", lie="loop_24"),
    FalseTime("performance/distributions", "loop_128 > 2 * loop_24", truth="loop_128", lie="loop_24"),
    FalseTime("performance/distributions", "latency > 1.5 * throughput", truth="latency", lie="throughput"),
)
