# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# cold = true
# ///
"""Three ways to time the wrong thing, each beside the truth, and a harness."""

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

# %% device
from unittest import mock


class Device:
    """A made-up device: a call takes 1 tick, its work 5, the first 40 more."""

    def __init__(self):
        self.now = self.free = 0  # its clock, and when all its work is done
        self.first = 40

    def call(self, *args):
        self.now += 1 + self.first
        self.first = 0
        self.free = max(self.now, self.free) + 5  # one piece of work at a time
        return Pending(self)


class Pending:
    """The output of a call, which is ready when its work is done."""

    def __init__(self, device):
        self.device, self.ready = device, device.free

    def block_until_ready(self):
        self.device.now = max(self.device.now, self.ready)


def ticks(device, timer, *args, **options):
    """What a timer says while the device's clock stands in for the real one."""
    with mock.patch.object(time, "perf_counter", lambda: device.now):
        return timer(*args, **options)


# %% clocks
def two_clocks(f, *args, n=1):
    """Per call: seconds until n calls have returned, and until all are done."""
    start = time.perf_counter()
    for _ in range(n):
        output = f(*args)
    returned = time.perf_counter() - start  # the lie
    jax.block_until_ready(output)
    done = time.perf_counter() - start
    return returned / n, done / n


device, new = Device(), Device()
f = device.call
results = {"tick_first": ticks(device, timed, f)[1]}
results["tick_returned"], results["tick_done"] = ticks(device, two_clocks, f)
results["tick_each"] = max(ticks(device, bench_each, f, args=(), n=10)[0])
results["tick_bench"] = ticks(device, bench, f, n=10)
results["tick_cold"] = ticks(new, bench, new.call, n=10, warmup=0)
assert list(results.values()) == [46, 1, 6, 6, 5.1, 9.1]  # by hand

# %% inputs
import jax.numpy as jnp
import numpy as np
from jax import lax

SIZES = (4, 7, 16, 128, 512)
traces = []


def product(a, b):
    traces.append(a.shape)  # Python runs this line only while JAX traces
    return a @ b


def matrices(n):
    a, b = np.arange(n) % 3, np.arange(n) % 4
    return np.float32(np.tile(a, (n, 1)).T), np.float32(np.tile(b, (n, 1)))


matmul = jax.jit(product)
host = {n: matrices(n) for n in SIZES}
put = jax.device_put(host)  # the same dict, with arrays of JAX
jax.block_until_ready(put)
cpu = jax.default_backend() == "cpu"

# %% expected
worst = 0.0
for n in SIZES:
    a, b = (matrix.astype(np.float64) for matrix in host[n])
    exact = n * np.outer(np.arange(n) % 3, np.arange(n) % 4)  # by hand
    assert np.array_equal(a @ b, exact)  # NumPy only: no JAX takes part
    worst = max(worst, float(np.abs(matmul(*put[n]) - exact).max()))
assert worst == 0
results |= {"cpu": int(cpu), "largest_error": worst}

# %% waits
@jax.jit
def slow(a):
    return lax.fori_loop(0, 6 if cpu else 600, lambda _, x: x @ a, a)[0, :2]


even = jnp.full((512, 512), 1 / 512)  # its product with itself is itself
ASKED = """
x.shape
x.dtype
len(x)
x.is_ready()
x.copy_to_host_async()
x[0]
repr(x)
str(x)
float(x[0])
x.tolist()
np.asarray(x)
jax.device_get(x)
jax.block_until_ready([x, None])
"""


def pending_after(code, f, *args):
    """Whether an array is still being computed after the code has used it."""
    x = f(*args)
    eval(code)
    pending = not x.is_ready()
    jax.block_until_ready(x)
    return pending


waiting = []
for code in ASKED.split("\n")[1:-1]:
    pending_after(code, slow, even)  # warm-up
    left = any(pending_after(code, slow, even) for _ in range(4))
    waiting.append(not left)
    print(f"{code:<32} {'does not wait' if left else 'waits'}")
assert np.array_equal(slow(even), [1 / 512] * 2)  # by hand
assert not cpu or waiting == [False] * 6 + [True] * 7
results["waiting"] = sum(waiting)


# %% inline
@jax.jit
def loop(x):
    return lax.fori_loop(0, 20_000, lambda _, x: x / 2 + 1, x)


sine = jax.jit(jnp.sin)
sixth = jnp.full(2**20, np.pi / 6)
eight = jnp.ones(8)
assert np.allclose(sine(sixth), 0.5) and np.all(loop(eight) == 2)  # by hand
PROGRAMS = {f"matmul_{n}": (matmul, *put[n]) for n in (4, 7, 128, 512)}
PROGRAMS |= {"sine": (sine, sixth), "loop": (loop, eight)}


def always_ready(f, *args):
    return not any(pending_after("x", f, *args) for _ in range(99))


def behind(f, *args):
    """Calls f right after a product that f has nothing to do with."""
    matmul(*put[512])
    return f(*args)


results |= {"inline": 0, "behind": 0}
print("program       counted  always ready  behind a product")
for name, (f, *args) in PROGRAMS.items():
    counts = f.lower(*args).compile().cost_analysis()
    counted = int(counts.get("flops", 0))
    alone, after = always_ready(f, *args), always_ready(behind, f, *args)
    print(f"{name:<10} {counted:>10}  {alone!s:<12}  {after}")
    assert not cpu or (alone, after) == (counted < 1000, False)
    results["inline"] += alone
    results["behind"] += after

# %% guard
def message(arguments, make):
    """What the guard says to three calls; counts traces a second way."""
    before = len(traces)
    try:
        with steady():
            for args in arguments:
                make()(*args)
        text = "silent"
    except RuntimeError as error:
        text = str(error)
    compiled = 0 if text == "silent" else text.count(",") + 1
    assert len(traces) - before == compiled
    return text, compiled


same = [put[128]] * 3
shapes = [jax.device_put(matrices(n)) for n in (5, 6, 128)]
GUARDED = {
    "steady": (same, lambda: matmul),
    "shapes": (shapes, lambda: matmul),
    "function": (same, lambda: jax.jit(lambda a, b: product(a, b))),
}
for name, case in GUARDED.items():
    text, results[f"compiled_{name}"] = message(*case)
    print(f"{name:<8} {text}")
assert list(results.values())[-3:] == [0, 2, 3]

# %% lie-wait tags=["varies"]
samples = {}
for n in SIZES:
    bench(matmul, *put[n])  # warm-up
    pairs = [two_clocks(matmul, *put[n]) for _ in range(20)]
    samples[f"dispatch_{n}"], samples[f"done_{n}"] = map(list, zip(*pairs))
pairs = [two_clocks(sine, sixth) for _ in range(20)]
samples["dispatch_sine"], samples["done_sine"] = map(list, zip(*pairs))
samples |= {"loop_16": [], "loop_128": []}
for n in (16, 128) * 5:
    returned, _ = two_clocks(matmul, *put[128], n=n)
    samples[f"loop_{n}"].append(returned)

# %% lie-first tags=["varies"]
samples |= {"first_call": [], "next_call": []}
for _ in range(5):
    fresh = jax.jit(lambda a, b: product(a, b))  # nothing is compiled for it
    samples["first_call"].append(timed(fresh, *put[128])[1])
    samples["next_call"].append(timed(fresh, *put[128])[1])

# %% lie-once tags=["varies"]
def trip(*_):
    """From NumPy's host[128] to an array of NumPy; its arguments stay unused."""
    return np.asarray(matmul(*jax.device_put(host[128])))


def apart(values):
    """By how many percent neighbours in a ring differ."""
    ring = np.roll(values, 1)
    ratios = np.maximum(values, ring) / np.minimum(values, ring)
    return (100 * (ratios - 1)).round(2).tolist()


bench(trip)  # warm-up
with steady():
    latency, end_to_end = bench_each(matmul, trip, args=put[128], n=120)
    throughput = [bench(matmul, *put[128]) for _ in range(8)]
medians = np.median(np.reshape(latency, (-1, 20)), axis=1)
samples |= {"latency": latency, "throughput": throughput}
samples |= {"end_to_end": end_to_end, "apart_one": apart(latency)}
samples["apart_median"] = apart(medians)

# %% timings tags=["varies"]
TRIP = "input construction, compilation"
DONE = f"{TRIP}, copies to NumPy"
LATE = f"{DONE}, unfinished work"
EACH = "each call"
METHODS = {  # inputs, warm-up, calls in a sample, wait, excludes, unit
    "dispatch_sine": ((sixth,), 20, 1, "none", LATE),
    "done_sine": ((sixth,), 20, 1, EACH, DONE),
    "loop_16": (put[128], 20, 16, "none", LATE),
    "loop_128": (put[128], 20, 128, "none", LATE),
    "first_call": (put[128], 0, 1, EACH, "input construction"),
    "next_call": (put[128], 1, 1, EACH, DONE),
    "latency": (put[128], 20, 1, EACH, DONE),
    "throughput": (put[128], 20, 20, "once at the end", DONE),
    "end_to_end": (host[128], 20, 1, EACH, TRIP),
    "apart_one": (put[128], 20, 1, EACH, DONE, "%"),
    "apart_median": (put[128], 20, 20, EACH, DONE, "%"),
}
for n in SIZES:
    METHODS[f"dispatch_{n}"] = (put[n], 40, 1, "none", LATE)
    METHODS[f"done_{n}"] = (put[n], 40, 1, EACH, DONE)
KEYS = ("inputs", "warmup", "calls", "wait", "excludes", "unit")
measurements = {name: dict(zip(KEYS, how)) for name, how in METHODS.items()}
for name, item in measurements.items():
    item["samples"] = samples[name]
    item["calls"] *= len(samples[name])
curves = {"until it returns": "dispatch", "until it is done": "done"}
zone = {"label": "inline on a CPU", "axis": "x", "low": 4, "high": 7.9}
visual_data = {
    "kind": "line",
    "xlabel": "N, for N x N matrices",
    "ylabel": "time of one call",
    "xscale": "log",
    "yscale": "log",
    "series": [
        {"label": k, "x": list(SIZES), "measurement": [f"{v}_{n}" for n in SIZES]}
        for k, v in curves.items()
    ],
    "bands": [zone] if cpu else [],
}

# %% verdict
print("PASS: values by hand, the clocks on a made-up device, the guard")

# %% exercise-mend tags=["solution"]
# Exercise 1: mend a timer, on a device whose true numbers are known.
def mended(f, *args):
    before = jax.block_until_ready(f(*args))  # TODO: what has to be over?
    start = time.perf_counter()
    output = jax.block_until_ready(f(*args))  # TODO: what is a sample of?
    return time.perf_counter() - start


device = Device()
said = ticks(device, mended, device.call)
assert said == 6, f"it said {said} ticks; the call takes 1 and its work 5"
both = ticks(device, mended, lambda: (device.call(), device.call()))
assert both == 11, "two calls: the second work follows the first"
print(f"exercise 1: {said} ticks")

# %% exercise-report tags=["solution"]
# Exercise 2: a step with two outputs; latency and throughput, told apart.
import itertools


def report(step, n):
    each = []
    for _ in range(n):
        start = time.perf_counter()
        output = jax.block_until_ready(step())  # TODO: one completed step
        each.append(time.perf_counter() - start)
    start = time.perf_counter()
    outputs = [step() for _ in range(n)]  # TODO: n steps for a throughput
    jax.block_until_ready(outputs)
    return each, (time.perf_counter() - start) / n


device = Device()
device.first = 0  # it is warm


turns = itertools.cycle((1, -1))


def step():
    loss, state = (device.call(), device.call())[:: next(turns)]
    return {"loss": loss, "state": (state, None)}


each, share = ticks(device, report, step, n=10)
expected = (11, 10.1)  # TODO: by hand: the latency, and the throughput
assert sum(expected) == 21.1, "the two numbers by hand"
assert each == [expected[0]] * 10, "the latencies"
assert share == expected[1], "the throughput"
print(f"exercise 2: latency {each[0]} ticks, throughput {share}")

# %% exercise-guarded tags=["solution"]
# Exercise 3: samples, or an error if one of them timed the compiler.
def guarded(f, *args, n=20):
    warm = timed(f, *args)  # TODO: what may compile?
    guard = steady()  # TODO: what fails if anything compiles after that?
    with guard:
        times = [timed(f, *args)[1] for _ in range(n)]  # TODO: n samples
    return times


device = Device()
said = ticks(device, guarded, device.call, n=3)
assert said == [6, 6, 6], said
assert len(guarded(jax.jit(lambda a, b: product(a, b)), *put[4])) == 20
try:
    guarded(lambda a, b: jax.jit(lambda a, b: a @ b)(a, b), *put[4], n=5)
    text = "nothing"
except RuntimeError as error:
    text = str(error)
assert text.count("<lambda>") == 5, f"it said {text}"
print("exercise 3: 5 compilations in 5 timed calls were noticed")
