# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# ///
"""The functions that lessons share: each holds an identical copy of a cell."""

# %% harness
import random
import time

import jax


def timed(f, *args):
    """Times one call, until every array that it returns is ready.

    Included: the Python call, dispatch, execution, the wait, and compilation
    if the call causes one.
    Not included: making the inputs, copies to NumPy.

    Returns:
        The output of f and the seconds that passed.
    """
    start = time.perf_counter()
    output = jax.block_until_ready(f(*args))
    return output, time.perf_counter() - start


def bench(f, *args, n=20, warmup=20):
    """Times n calls as one stretch and waits once, at its end: seconds per call.

    This is throughput: work may still run while Python makes the next call.
    Included: n calls, their dispatch and execution, one wait, the loop.
    Not included: making the inputs, the warm-up calls and so the compilation,
    copies to NumPy.
    Only the last output is waited for: enough on one device, where calls
    finish in their order.
    """
    for _ in range(warmup):
        jax.block_until_ready(f(*args))
    start = time.perf_counter()
    for _ in range(n):
        output = f(*args)
    jax.block_until_ready(output)
    return (time.perf_counter() - start) / n


def bench_each(*functions, args, n=20, warmup=20):
    """Times n calls of each function and waits on every call: n samples each.

    This is latency: a sample runs from before a call until every array that it
    returns is ready.
    The functions take turns, each round in an order drawn anew, so that they
    share a slow stretch of the machine, and no rhythm favours one. A short
    spike can still hit one of them: look at the largest sample.
    Not included: making the inputs, the warm-up calls and so the compilation,
    copies to NumPy.
    """
    for f in functions:
        for _ in range(warmup):
            jax.block_until_ready(f(*args))
    samples = [[] for _ in functions]
    order = list(range(len(functions)))
    for _ in range(n):
        random.shuffle(order)
        for index in order:
            samples[index].append(timed(functions[index], *args)[1])
    return samples


# %% watch
import contextlib

import jax.monitoring

STAGES = {
    "/jax/core/compile/jaxpr_trace_duration": "trace",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lower",
    "/jax/core/compile/backend_compile_duration": "compile",
}


@contextlib.contextmanager
def watch(name=None):
    """Collects what JAX reports while the block runs, in its order.

    Yields:
        A list of (stage, function, seconds): "trace", "lower" or "compile" of
        the function called `name`, or of every function when it is None. An
        operation outside jax.jit is a function too: it is compiled by itself.
    """
    seen = []

    def keep(event, seconds, *, fun_name="", **_):
        function = fun_name.removeprefix("jit(").removesuffix(")")
        if event in STAGES and name in (None, function):
            seen.append((STAGES[event], function, seconds))

    jax.monitoring.register_event_duration_secs_listener(keep)
    try:
        yield seen
    finally:
        jax.monitoring.unregister_event_duration_listener(keep)


def count(seen, stage):
    """How many entries of what `watch` collected are of one stage."""
    return sum(1 for entry in seen if entry[0] == stage)


@contextlib.contextmanager
def steady():
    """A guard: raises RuntimeError if anything is compiled inside the block."""
    with watch() as seen:
        yield
    compiled = [function for stage, function, _ in seen if stage == "compile"]
    if compiled:
        raise RuntimeError(f"compiled in steady state: {', '.join(compiled)}")


# %% compare
import numpy as np


def ratio(samples, others):
    """The median of one over that of the other: above 1, the first is slower."""
    return np.median(samples) / np.median(others)


def interval(statistic, *samples, draws=2000, seed=0):
    """The 95% percentile bootstrap interval of a statistic of samples.

    Samples are drawn again, with replacement, `draws` times; of several lists
    the same places are drawn, so that samples of one round stay together.
    Method: Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13.
    It takes samples for independent: those of one process say nothing about
    the next process.

    Returns:
        The low and the high end, in the unit of the statistic.
    """
    rows = np.array(samples)
    places = np.random.default_rng(seed).integers(
        rows.shape[1], size=(draws, rows.shape[1])
    )
    drawn = [statistic(*rows[:, place]) for place in places]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def compare(f, g, *args, n=20):
    """How many times as long f takes as g, per completed call, in this process.

    Included and not included: as in bench_each, which lets the two take turns.

    Returns:
        The ratio of the medians, and the ends of its 95% interval.
    """
    fs, gs = bench_each(f, g, args=args, n=n)
    return float(ratio(fs, gs)), *interval(ratio, fs, gs)
