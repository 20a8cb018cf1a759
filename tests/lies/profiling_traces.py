"""The mistakes that profiling/traces teaches."""

from tests.lies.lie import FalseTime, Lie

SEEN = "steps_each == 5 and calls_each == 5 and executions_each == 5"
COMPILED = "compiles_each == 1 and new_shapes == 1 and compiled_in == 4"
WAITED = "executions_once == 5 and lost_never"
NAP = "nap_after == 1 and nap_share == 0"
NAP_TIME = "max(nap_in_trace, nap_by_clock) < 1.1 * min(nap_in_trace, nap_by_clock)"

LIES = (
    Lie(
        "profiling/traces",
        claim=SEEN,
        right="if start < ends.get(thread, start):",
        wrong="if False:  # every event of that name is a call",
        blind=COMPILED,
    ),
    Lie(
        "profiling/traces",
        claim=COMPILED,
        right="for n in (N, N // 2)",
        wrong="for n in (N, N)",
        blind=SEEN,
    ),
    Lie(
        "profiling/traces",
        claim=NAP,
        right="if nap and number == 1:",
        wrong="if nap and number == 2:",
        blind=SEEN,
    ),
    Lie(
        "profiling/traces",
        claim=WAITED,
        right="    return y.block_until_ready()\n",
        wrong="    return y\n",
        blind=NAP,
    ),
    Lie(
        "profiling/traces",
        claim="inside_first == 1 and inside_later == 0",
        right="@jax.jit\ndef marked(x):",
        wrong="def marked(x):",
        blind=SEEN,
    ),
)

FALSE_TIMES = (
    FalseTime("profiling/traces", NAP_TIME, truth="nap_in_trace", lie="idle_once"),
    FalseTime("profiling/traces", "nap_computed > 0.5 * nap_once", truth="nap_computed", lie="idle_once"),
    FalseTime("profiling/traces", "traced > untraced", truth="untraced", lie="traced_python"),
    FalseTime("profiling/traces", "execution > 10 * call", truth="execution", lie="call"),
    FalseTime("profiling/traces", "traced_python > 1.3 * untraced", truth="untraced", lie="traced_python"),
)
