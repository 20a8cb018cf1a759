"""The mistakes that jit/cache-keys teaches."""

from tests.lies.lie import FalseTime, Lie

TOTALS = "value_error == 0"
NEITHER = "neither == 0"
BOTH = "both_least == 1 and both_most == 1"
BOUND = "bound_compiles == 1 and bound_others == 0"
WEAK_TRACES = "weak_traces == 2 and array_traces == 2 and strong_traces == 1 and all_weak_traces == 1"
WEAK_ENDS = "weak_end == 0.0625 and strong_end == 0.0625"

LIES = (
    Lie(
        "jit/cache-keys",
        claim=TOTALS,
        right="leaf.sum() for leaf in leaves",
        wrong="leaf.mean() for leaf in leaves",
        blind=NEITHER,
    ),
    Lie(
        "jit/cache-keys",
        claim=NEITHER,
        right="call((a + 1, b), jnp.float32(2))",
        wrong="call((a + 1, b), 2.0)",
        blind=TOTALS,
    ),
    Lie(
        "jit/cache-keys",
        claim=BOTH,
        right="call([a, b], one)",
        wrong="call((a, b), one)",
        blind=TOTALS,
    ),
    Lie(
        "jit/cache-keys",
        claim=BOUND,
        right="jax.device_put(a, jax.devices()[0])",
        wrong="jax.device_put(a)",
        blind=TOTALS,
    ),
    Lie(
        "jit/cache-keys",
        claim="step_traces == 1 and step_compiles == 2",
        right="step(state, on_device)",
        wrong="step(state, a)",
        blind=BOUND,
    ),
    Lie(
        "jit/cache-keys",
        claim="kept == 1 and fresh == 3",
        right='lambda: double, "double"',
        wrong='lambda: lambda x: double(x), "<lambda>"',
        blind=TOTALS,
    ),
    Lie(
        "jit/cache-keys",
        claim=WEAK_TRACES,
        right='"strong": (one, half)',
        wrong='"strong": (1.0, half)',
        blind=WEAK_ENDS,
    ),
    Lie(
        "jit/cache-keys",
        claim=WEAK_ENDS,
        right="return rate * state",
        wrong="return rate + state",
        blind=WEAK_TRACES,
    ),
    Lie(
        "jit/cache-keys",
        claim="stale == 12 and right == 18 and stale_counts == 0",
        right="lambda: argument(a, factor)",
        wrong="lambda: outside(a)",
        blind=NEITHER,
    ),
)

FALSE_TIMES = (
    FalseTime(
        "jit/cache-keys", "fresh_lambda > 2 * kept_function", truth="fresh_lambda", lie="warmed_lambda"
    ),
)
