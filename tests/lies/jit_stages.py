"""The mistakes that jit/stages teaches."""

from tests.lies.lie import FalseTime, Lie

LOSS = "largest_distance < 1e-6"
TRACES = (
    "stage_traces == 10 and reported_first_call == 3 and reported_first_run == 0 and reported_repeat == 0"
)
CACHE = "misses_first == 1 and hits_second == 1 and stages_second == 3 and logged_second == 1"

LIES = (
    Lie(
        "jit/stages",
        claim=LOSS,
        right="p = p - 0.5 * (p - target)  # half",
        wrong="p = p - 0.25 * (p - target)  # half",
        blind=TRACES,
    ),
    Lie(
        "jit/stages",
        claim=TRACES,
        right='observed("first_call", fresh(), *inputs)',
        wrong='observed("first_call", compiled, *inputs)',
        blind=LOSS,
    ),
    Lie(
        "jit/stages",
        claim="left_nothing == 3 and left_trace == 2 and left_lower == 1 and left_compile == 0",
        right="build(walk)",
        wrong="build(fresh())",
        blind=LOSS,
    ),
    Lie(
        "jit/stages",
        claim="programs == 5 and new_programs == 0",
        right="jax.clear_caches()  # as if no operation had run before",
        wrong="unrolled(*inputs)  # somebody was here before",
        blind=LOSS,
    ),
    Lie(
        "jit/stages",
        claim="eqns_unrolled_64 == 196 and minus_unrolled_64 == 129 and minus_looped_64 == 3 "
        "and eqns_looped_64 == eqns_looped_4",
        right="lax.fori_loop(0, steps, one, p) - target))",
        wrong="lax.fori_loop(0, steps, one, p, unroll=True) - target))",
        blind="programs == 5 and new_programs == 0",
    ),
    Lie(
        "jit/stages",
        claim=CACHE,
        right='"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0"',
        wrong='"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "1"',
        blind=LOSS,
    ),
)

FALSE_TIMES = (
    FalseTime(
        "jit/stages", "first_call > event_compile + event_trace", truth="event_compile", lie="first_call"
    ),
    FalseTime("jit/stages", "even > 2 * even_mistaken", truth="even", lie="even_mistaken"),
    FalseTime("jit/stages", "even > 2 * even_big", truth="even", lie="even_mistaken"),
    FalseTime("jit/stages", "miss_compile > hit_others", truth="miss_compile", lie="hit_compile"),
)
