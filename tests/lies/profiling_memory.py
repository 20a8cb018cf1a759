"""The mistakes that profiling/memory teaches."""

from tests.lies.lie import FalseTime, Lie

VALUES = "largest_error < 1e-4"
KEPT = 'live["start"] == 3 and live["forward"] == 3 and live["vjp"] == 18 and live["no name"] == 3'
HIDDEN = 'live["before"] == 3 and live["running"] == 5 and live["after"] == 5 and runs'
AGREE = "apart == 0"
SPLIT = "jax.jit(lambda ws, x: jax.vjp(net, ws, x)[1])"

LIES = (
    Lie(
        "profiling/memory",
        claim=VALUES,
        right="return jnp.sin(x @ w)",
        wrong="return jnp.cos(x @ w)",
        blind=KEPT,
    ),
    Lie("profiling/memory", claim=KEPT, right="del other", wrong="pass  # other", blind=AGREE),
    Lie(
        "profiling/memory",
        claim='live["remat"] == 10',
        right="return net(ws, x, jax.checkpoint(layer))",
        wrong="return net(ws, x, jax.jit(layer))",
        blind=VALUES,
    ),
    Lie(
        "profiling/memory",
        claim=AGREE,
        right='values["space"]\n        for labels',
        wrong='values["allocations"]\n        for labels',
        blind=KEPT,
    ),
    Lie(
        "profiling/memory",
        claim=HIDDEN,
        right='errors["jit"] = off(program(ws, x))',
        wrong='first = program(ws, x); errors["jit"] = off(first)',
        blind=VALUES,
    ),
    Lie(
        "profiling/memory",
        claim='live["halves"] == 21',
        right=SPLIT,
        wrong=SPLIT.removeprefix("jax.jit"),
        blind=HIDDEN,
    ),
)

FALSE_TIMES = (
    FalseTime("profiling/memory", "needed > 3 * by_snapshots", truth="needed", lie="by_snapshots"),
    FalseTime("profiling/memory", "needed > 3 * peak_field", truth="needed", lie="peak_field"),
    FalseTime(
        "profiling/memory",
        "temp_unrolled > 1.5 * temp_net_remat",
        truth="temp_unrolled",
        lie="temp_net_remat",
    ),
    FalseTime(
        "profiling/memory", "temp_loop > 1.5 * temp_loop_remat", truth="temp_loop", lie="temp_loop_remat"
    ),
)
