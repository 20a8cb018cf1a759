"""The mistakes that performance/measure teaches."""

from tests.lies.lie import FalseTime, Lie

VALUES = "largest_error == 0"
WAITS = "cpu == 0 or (waiting == 7 and inline == 4 and behind == 0)"
CLOCK = (
    "tick_first == 46 and tick_returned == 1 and tick_done == 6 and tick_each == 6 and tick_bench == 5.1 "
    "and tick_cold == 9.1"
)

LIES = (
    Lie(
        "performance/measure",
        claim=VALUES,
        right="return a @ b",
        wrong="return b @ a",
        blind=CLOCK,
    ),
    Lie(
        "performance/measure",
        claim=CLOCK,
        right="    output = jax.block_until_ready(f(*args))\n    return output,",
        wrong="    output = f(*args)\n    return output,",
        blind=VALUES,
    ),
    Lie(
        "performance/measure",
        claim=WAITS,
        right='pending_after("x", f, *args)',
        wrong='pending_after("jax.block_until_ready(x)", f, *args)',
        blind=VALUES,
    ),
    Lie(
        "performance/measure",
        claim=WAITS,
        right="\nx[0]\n",
        wrong="\nprint(x[0])\n",
        blind=VALUES,
    ),
    Lie(
        "performance/measure",
        claim="compiled_steady == 0 and compiled_shapes == 2 and compiled_function == 3",
        right="lambda: jax.jit(lambda a, b: product(a, b))),\n}",
        wrong="lambda fresh=jax.jit(lambda a, b: product(a, b)): fresh),\n}",
        blind=CLOCK,
    ),
)

FALSE_TIMES = (
    FalseTime("performance/measure", "done_512 > 10 * dispatch_512", truth="done_512", lie="dispatch_512"),
    FalseTime("performance/measure", "done_512 > 10 * done_128", truth="done_512", lie="dispatch_512"),
    FalseTime("performance/measure", "first_call > 3 * next_call", truth="next_call", lie="first_call"),
)
