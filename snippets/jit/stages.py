# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# cold = true
# ///
"""Take a first call apart, and count the calls until it has paid off."""

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

# %% inputs
import json
import logging
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

points = np.arange(8)  # 0, 1, ..., 7
p, target = inputs = jax.device_put((np.float32(points), np.float32(3)))
traces = []


def unrolled(p, target, steps=4):
    for _ in range(steps):
        p = p - 0.5 * (p - target)  # half of the way to the target
    return jnp.mean(jnp.square(p - target))


def fresh(code=unrolled, steps=4):
    def walk(p, target):
        traces.append(steps)  # Python runs this line only while JAX traces
        return code(p, target, steps)

    return jax.jit(walk)


def timed(f, *args):
    """The output of one completed call, and its seconds."""
    start = time.perf_counter()
    output = jax.block_until_ready(f(*args))
    return output, time.perf_counter() - start


timed(fresh(), *inputs)  # the first in this process: left out
print(f"backend {jax.default_backend()}: p {p.dtype}{list(p.shape)}")

# %% expected
gaps = (points.astype(np.float64) - 3) / 2**4  # NumPy only: no JAX takes part
exact = float(np.mean(gaps**2))
assert exact == 5.5 / 4**4 == 0.021484375  # by hand

# %% stages
STEPS = ("trace", "lower", "compile", "first_run", "repeat", "first_call")
samples = {step: [] for step in STEPS}
reports = {step: [] for step in STEPS}
values, before = [], len(traces)


def observed(step, f, *args):
    """What f returns; keeps its seconds and what JAX reports."""
    with watch("walk") as seen:
        output, seconds = timed(f, *args)
    samples[step].append(seconds)
    reports[step].append(seen)
    return output


for _ in range(5):
    jax.clear_caches()  # JAX forgets what it knows of this code
    traced = observed("trace", fresh().trace, *inputs)
    lowered = observed("lower", traced.lower)
    compiled = observed("compile", lowered.compile)
    values.append(observed("first_run", compiled, *inputs))
    values.append(observed("repeat", compiled, *inputs))
    jax.clear_caches()  # and the same in one call:
    values.append(observed("first_call", fresh(), *inputs))

events = [[seconds for *_, seconds in seen] for seen in reports["first_call"]]
for stage, parts in zip(STEPS, zip(*events)):
    samples[f"event_{stage}"] = list(parts)
wholes = zip(samples["first_call"], events)
samples["event_rest"] = [whole - sum(parts) for whole, parts in wholes]

results = {"stage_traces": len(traces) - before}
for step in STEPS:
    stages = [[stage for stage, *_ in seen] for seen in reports[step]]
    assert stages == stages[:1] * 5  # the same in each round
    print(f"{step:<10} JAX reports: {', '.join(stages[0]) or 'nothing'}")
    results[f"reported_{step}"] = len(stages[0])
assert list(results.values()) == [10, 1, 1, 1, 0, 0, 3]
largest = max(abs(float(value) - exact) for value in values)
assert largest < 1e-6
print(f"traces {results['stage_traces']}, loss {values[0]}, expected {exact}")
results["largest_distance"] = largest


# %% ahead
@contextlib.contextmanager
def compile_log():
    """Collects what the log says was compiled: a second count."""
    names = []
    keeper = logging.Handler()
    said = re.compile(r"XLA compilation of jit\((\w+)\)")
    keeper.emit = lambda record: names.extend(said.findall(record.getMessage()))
    logging.getLogger("jax").addHandler(keeper)
    try:
        with jax.log_compiles():
            yield names
    finally:
        logging.getLogger("jax").removeHandler(keeper)


AHEAD = {
    "nothing": lambda walk: None,
    "trace": lambda walk: walk.trace(*inputs),
    "lower": lambda walk: walk.trace(*inputs).lower(),
    "compile": lambda walk: walk.trace(*inputs).lower().compile(),
}
left = {}
for done, build in AHEAD.items():
    walk = fresh()
    build(walk)  # and drop what it returns
    with watch("walk") as seen, compile_log() as log:
        walk(*inputs)
    assert log.count("walk") == count(seen, "compile")
    left[done] = [stage for stage, *_ in seen]
    print(f"done: {done:<8} left for the call: {', '.join(left[done]) or '-'}")
    results[f"left_{done}"] = len(seen)
assert list(left.values()) == [list(STEPS[k:3]) for k in range(4)]

# %% eager
jax.clear_caches()  # as if no operation had run before
with watch() as seen, compile_log() as log:
    value = unrolled(*inputs)
programs = [name for stage, name, _ in seen if stage == "compile"]
assert log == programs
with watch() as seen, compile_log() as log:
    longer = unrolled(*inputs, steps=16)
new_programs = count(seen, "compile")
assert len(log) == new_programs == 0
print(f"4 steps, 15 operations: {len(programs)} programs")
print(f"  {', '.join(programs)}")
print(f"16 steps, 51 operations: {new_programs} new programs")
assert abs(float(value) - exact) + abs(float(longer) - 5.5 / 4**16) < 1e-6
results |= {"programs": len(programs), "new_programs": new_programs}


# %% growth
def looped(p, target, steps=4):
    def one(_, p):
        return p - 0.5 * (p - target)

    return jnp.mean(jnp.square(lax.fori_loop(0, steps, one, p) - target))


for code in (unrolled, looped):
    for steps in (4, 64):
        start = time.perf_counter()
        traced = fresh(code, steps).trace(*inputs)
        lowered = traced.lower()
        compiled = lowered.compile()
        name = f"{code.__name__}_{steps}"
        samples[f"build_{code.__name__}"] = [time.perf_counter() - start]
        equations = str(traced.jaxpr).count(" = ")
        minus = lowered.as_text().count("stablehlo.subtract")
        results |= {f"eqns_{name}": equations, f"minus_{name}": minus}
        print(f"{name:<11} equations {equations:3d}, subtractions {minus:3d}")
        assert abs(float(compiled(*inputs)) - 5.5 / 4**steps) < 1e-6
assert results["eqns_unrolled_64"] == 3 * 64 + 4  # by hand
assert results["minus_unrolled_64"] == 2 * 64 + 1
assert results["eqns_looped_64"] == results["eqns_looped_4"] == 1 + 4 + 4
assert results["minus_looped_64"] == results["minus_looped_4"] == 3

# %% persistent
CHILD = """
import json
import jax, jax.monitoring, jax.numpy as jnp, numpy as np

said, took = [], {}

def walk(p, target):
    for _ in range(4):
        p = p - 0.5 * (p - target)
    return jnp.mean(jnp.square(p - target))

jax.jit(lambda x: x + 1)(1.0)  # pays for the start of JAX
jax.monitoring.register_event_listener(lambda event, **_: said.append(event))
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **_: took.update({event: seconds})
)
value = jax.jit(walk)(np.arange(8, dtype="float32"), np.float32(3))  # no jnp
print(json.dumps([float(value), said, took]))
"""
seconds, files = {}, {}
with tempfile.TemporaryDirectory() as folder:
    variables = os.environ | {
        "JAX_PLATFORMS": "cpu",  # this process may hold the accelerator
        "JAX_LOG_COMPILES": "1",
        "JAX_COMPILATION_CACHE_DIR": folder,
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    for name in ("first", "second"):
        command = [sys.executable, "-c", CHILD]
        child = subprocess.run(command, env=variables, capture_output=True)
        assert child.returncode == 0, child.stderr.decode()
        value, said, took = json.loads(child.stdout)
        assert abs(value - exact) < 1e-6
        seconds[name] = times = [took[event] for event in STAGES if event in took]
        files[name] = found = sorted(Path(folder).glob("jit_walk-*"))
        hits = said.count("/jax/compilation_cache/cache_hits")
        misses = said.count("/jax/compilation_cache/cache_misses")
        results |= {f"hits_{name}": hits, f"misses_{name}": misses}
        results[f"stages_{name}"] = len(times)
        logged = child.stderr.count(b"XLA compilation of jit(walk)")
        results[f"logged_{name}"] = logged
        counts = f"hits {hits}, misses {misses}, files {len(found)}"
        print(f"{name}: stages {len(times)}, in the log {logged}, {counts}")
assert results["stages_first"] == results["stages_second"] == 3
assert (results["hits_first"], results["misses_first"]) == (0, 1)
assert (results["hits_second"], results["misses_second"]) == (1, 0)
assert len(files["first"]) == 1 and files["second"] == files["first"]

# %% even tags=["varies"]
def calls_to_even(first_eager, eager, first_jit, jit):
    if first_jit <= first_eager:
        return 1.0  # ahead at once
    if jit >= eager:
        return np.inf  # never
    return 1 + (first_jit - first_eager) / (eager - jit)


assert calls_to_even(8, 8, 62, 2) == 10  # by hand


def in_turns(f, g, args, n):
    """Samples of n completed calls each, taken in turns."""
    pairs = [(timed(f, *args)[1], timed(g, *args)[1]) for _ in range(n)]
    return [list(samples) for samples in zip(*pairs)]


N = 512
EVEN = ("even", "even_counted", "even_mistaken", "even_big")
samples |= {name: [] for name in ("first_eager", *EVEN)}
prices = []
totals = []
for _ in range(3):
    jax.clear_caches()
    first_eager = timed(unrolled, *inputs)[1]
    walk = fresh()
    first_jit = timed(walk, *inputs)[1]
    eager, jit = in_turns(unrolled, walk, inputs, N)
    rows = ([first_eager, *eager], eager, [first_jit, *jit])
    totals.append([np.cumsum(row)[:N] for row in rows])
    e, j = np.mean(eager), np.mean(jit)  # a total is a sum: no medians here
    prices.append((first_eager, e, first_jit, j))
    samples["first_eager"].append(first_eager)
    samples["even"].append(calls_to_even(e, e, first_jit, j))
    wrong = calls_to_even(e, first_eager, first_jit, j)
    samples["even_mistaken"].append(wrong)
    _, warm, jitted = totals[-1]
    samples["even_counted"].append(1 + int(np.sum(jitted > warm)))

big = jax.device_put(np.tile(np.float32(points), 2**15))  # 2**18 points
unrolled(big, target)  # compiled before
for _ in range(3):
    walk = fresh()
    first_jit = timed(walk, big, target)[1]
    e, j = map(np.mean, in_turns(unrolled, walk, (big, target), 5))
    samples["even_big"].append(calls_to_even(e, e, first_jit, j))

x = [1, 8, 64, 512]
ms = 1e3 * np.array(totals)[..., [n - 1 for n in x]]
drawn = (f(ms, axis=0).round(2).tolist() for f in (np.median, np.min, np.max))
names = ("eager, nothing compiled", "eager, compiled before", "jit")
band = {"low": min(samples["even"]), "high": max(samples["even"])}
visual_data = {
    "kind": "line",
    "xlabel": "calls so far",
    "ylabel": "milliseconds so far",
    "xscale": "log",
    "yscale": "log",
    "series": [
        {"label": name, "x": x, "y": y, "low": low, "high": high}
        for name, y, low, high in zip(names, *drawn)
    ],
    "bands": [{"label": "break-even", "axis": "x"} | band],
}

# %% timings tags=["varies"]
one = {"inputs": inputs, "wait": "each call", "warmup": 0}
one["excludes"] = "start of JAX in the process, input construction"
samples["miss_compile"] = seconds["first"][2:]
samples["hit_compile"] = seconds["second"][2:]
samples["hit_others"] = [sum(seconds["second"][:2])]  # trace and lower
measurements = {
    name: one | {"samples": parts, "calls": len(parts)}
    for name, parts in samples.items()
}
measurements["repeat"]["warmup"] = 1
for name in EVEN:
    measurements[name] |= {"unit": "calls", "calls": 3 * N}
measurements["even_big"] |= {"inputs": (big, target), "calls": 5}
print("prices", *(f"{1e3 * price:.3g}" for price in prices[0]), "ms")
for names in (STEPS, ("miss_compile", "hit_compile", "hit_others")):
    medians = (f"{name} {1e3 * np.median(samples[name]):.3g}" for name in names)
    print(*medians, "ms")
print(*(f"{name} {np.median(samples[name]):.0f}" for name in EVEN), "calls")
parts = {stage: [stage, f"event_{stage}"] for stage in STEPS[:3]}
parts["execution and rest"] = ["first_run", "event_rest"]
dots = ["first_call", "first_run", "repeat"]
visual_data = [
    {
        "kind": "stack",
        "labels": ["by hand, with a clock", "in one call, by its events"],
        "ylabel": "time",
        "series": [{"label": k, "measurement": v} for k, v in parts.items()],
    },
    {
        "kind": "interval",
        "labels": ["whole first call", "first execution", "second execution"],
        "ylabel": "time",
        "yscale": "log",
        "series": [{"label": "one call", "measurement": dots}],
    },
]

# %% verdict
print("PASS: values, stages and programs as derived or counted twice")

# %% exercise-stages tags=["solution"]
# Exercise 1: build a program without running it; then run it.
def spread(p):
    return jnp.max(p) - jnp.min(p)


traced = jax.jit(spread).trace(p)  # TODO: the first stage, for p
lowered = traced.lower()  # TODO: the second
compiled = lowered.compile()  # TODO: the third
left_over = 0  # TODO: how many stages will the call below report?
with watch("spread") as seen:
    value = compiled(p)

assert isinstance(compiled, jax.stages.Compiled), "no finished program"
assert str(traced.jaxpr).count(" = ") == 3  # max, min, minus
assert lowered.as_text().count("stablehlo.subtract") == 1
assert len(seen) == left_over, f"JAX reported {len(seen)}"
assert float(value) == 7  # 7 - 0
print(f"exercise 1: spread {float(value)}, stages left {len(seen)}")

# %% exercise-kinds tags=["solution"]
# Exercise 2: data in several shapes, each with a first call of its own.
import math


def needed(kinds, first, later, eager):
    if later >= eager:
        return math.inf  # TODO: what if a later call saves nothing?
    return math.ceil(kinds * (first - later) / (eager - later))  # TODO: least n


for case in ((1, 105, 5, 10), (1, 12, 5, 8), (3, 38, 5, 9)):
    kinds, first, later, eager = case
    n = needed(kinds, first, later, eager)
    total = kinds * first + (n - kinds) * later
    assert n % 1 == 0 and total <= n * eager, f"{case}: {n} calls are too few"
    assert total - later > (n - 1) * eager, f"{case}: {n} is not the least"
assert needed(1, 105, 10, 10) == math.inf, "it never pays"
print(f"exercise 2: {n} calls for {kinds} kinds")

# %% exercise-any-steps tags=["solution"]
# Exercise 3: one program for every number of steps.
def any_steps(p, target, steps):
    def one(_, p):
        return p - 0.5 * (p - target)

    p = lax.fori_loop(0, steps, one, p)  # TODO: a loop that is traced as a loop
    return jnp.mean(jnp.square(p - target))


walker = jax.jit(any_steps)  # TODO: compiled, and steps is data
programs_wanted = 1  # TODO: how many programs for the three calls?
with watch("any_steps") as seen, compile_log() as log:
    found = [float(walker(*inputs, steps)) for steps in (2, 3, 10)]

assert np.allclose(found, [5.5 / 4**2, 5.5 / 4**3, 5.5 / 4**10], atol=1e-6)
assert count(seen, "compile") == log.count("any_steps") == 1, "not one program"
assert programs_wanted == 1
assert "while" in str(jax.jit(any_steps).trace(*inputs, 2).jaxpr), "no loop"
print(f"exercise 3: losses {found[:2]}, programs {len(log)}")
