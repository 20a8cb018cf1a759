# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# ///
"""Look at every sample: warm-up, tail, interval, latency, throughput, queue."""

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


# %% inputs
import math
import statistics
import threading
from resource import RUSAGE_SELF, getrusage  # not on Windows

import jax.monitoring
import jax.numpy as jnp
from jax import lax

traces, built = [], []


def listen(event, seconds, fun_name="", **_):
    if event.endswith("backend_compile_duration"):
        built.append(fun_name)


jax.monitoring.register_event_duration_secs_listener(listen)


@jax.jit
def squares(x):
    traces.append(x.shape)  # Python runs this line only while JAX traces
    return jnp.sum(x * x)


@jax.jit
def product(a):
    return a @ a


x = jax.device_put(np.arange(8, dtype=np.float32))  # 0, 1, ..., 7
small, large = jax.device_put(
    [np.full((n, n), 0.5, dtype=np.float32) for n in (64, 384)]
)
print(f"backend {jax.default_backend()}: x {x.dtype}{list(x.shape)}")

# %% expected
x64 = np.arange(8, dtype=np.float64)  # NumPy only: no JAX takes part
exact = float(x64 @ x64)
assert exact == 7 * 8 * 15 / 6 == 140  # by hand
entries = [float(np.sum(np.full(n, 0.5) ** 2)) for n in (64, 384)]
assert entries == [64 / 4, 384 / 4] == [16, 96]  # by hand


# %% spike
def mad(samples):
    """The median distance from the median."""
    return np.median(np.abs(np.array(samples) - np.median(samples)))


results = {}
quiet = [7, 5, 6, 9, 8]
for name, samples in {"quiet": quiet, "spiked": [7, 5, 6, 109, 8]}.items():
    row = [f(samples) for f in (np.min, np.median, mad, np.mean)]
    lowest, middle, distance, mean = map(float, row)
    print(f"{name:<7} min {lowest} median {middle} MAD {distance} mean {mean}")
    results |= {f"median_{name}": middle, f"mean_{name}": mean}
    results |= {f"min_{name}": lowest, f"mad_{name}": distance}
assert list(results.values()) == [7, 7, 5, 1, 7, 27, 5, 1]  # by hand

# %% bootstrap
ten = [14, 10, 17, 12, 19, 11, 16, 13, 18, 15]  # as if of ten processes
rng = np.random.default_rng(0)
places = rng.integers(len(ten), size=(2000, len(ten)))
drawn = np.array(ten)[places]  # 2000 rows, each of ten draws
medians = np.median(drawn, axis=1)
low, high = np.percentile(medians, [2.5, 97.5])
assert (low, high) == interval(np.median, ten)  # does these lines
print(f"row 1 {drawn[0].tolist()}, median {medians[0]}")
print(f"median {np.median(ten)}, 95% of the drawn ones in {low} to {high}")

# without drawing: a value lies below the true median as a coin falls
outside = 2 * sum(math.comb(10, k) for k in (0, 1)) / 2**10
inner = sorted(ten)[1:-1]  # from the second to the last but one
assert outside == 22 / 1024 and inner[0] <= low < high <= inner[-1]
print(f"{inner[0]} to {inner[-1]} holds it in {1 - outside:.1%} of the cases")

assert interval(np.median, [1, 2, 6]) == (1, 6)  # by hand: 7/27 > 2.5%
results |= {"low_ten": float(low), "high_ten": float(high)}

# %% calls tags=["varies"]
def first_warm(samples, block=10, within=0.1):
    """How many calls come before the first block that is like the last half.

    A median forgives up to four slow calls of ten. len(samples) means: never.
    """
    level = np.median(samples[len(samples) // 2 :])
    for k in range(len(samples) - block + 1):
        if np.median(samples[k : k + block]) <= (1 + within) * level:
            return k
    return len(samples)


value = jax.block_until_ready(squares(x))  # compiles
compiled = len(built)
seconds = [timed(squares, x)[1] for _ in range(300)]  # no output is kept
results |= {"traces": len(traces), "built_later": len(built) - compiled}
results["sum_of_squares"] = float(value)
assert results["traces"] == 1 and results["built_later"] == 0

print(*(f"{1e6 * s:.1f}" for s in seconds[:12]), "us ...")

kept, fresh = [], []
for _ in range(150):
    pages = getrusage(RUSAGE_SELF).ru_minflt
    kept.append(timed(squares, x))  # the mistake: each output stays
    fresh.append(getrusage(RUSAGE_SELF).ru_minflt > pages)
assert {float(output) for output, _ in kept} == {exact}
new_page = [s for (_, s), new in zip(kept, fresh) if new] or [0]

cold, steady = seconds[:150], seconds[150:]
own = interval(np.median, steady)

# %% samples tags=["varies"]
def described(samples, inputs, warmup, wait="each call", **more):
    """A measurement, as this site's recorder wants it."""
    base = {"samples": [float(s) for s in samples], "calls": len(samples)}
    base |= {"inputs": inputs, "warmup": warmup, "wait": wait}
    return base | {"excludes": "inputs, compilation, NumPy copies"} | more


measurements = {
    "cold": described(cold, (x,), 1),
    "one_warmup": described(cold[:1], (x,), 1),
    "steady": described(steady, (x,), 151),
    "one_sample": described(steady[:1], (x,), 151),
    "kept": described([s for _, s in kept], (x,), 301),
}
for name, number in {
    "steady_mean": np.mean(steady),
    "own_width": own[1] - own[0],
}.items():
    measurements[name] = described([number], (x,), 151, calls=150)
new = [np.median(new_page)]
measurements["new_page"] = described(new, (x,), 301, calls=150)
k = first_warm(seconds)
measurements["first_warm"] = described([k], (x,), 1, calls=300, unit="calls")
visual_data = [
    {
        "kind": "scatter",
        "xlabel": xlabel,
        "ylabel": "time of one call",
        "yscale": "log",
        "series": [{"label": "one call", "measurement": name}],
    }
    for name, xlabel in (
        ("cold", "call after the one that compiled"),
        ("kept", "call of the loop that keeps each output"),
    )
]
visual_data.append(
    {
        "kind": "step",
        "xlabel": "time of one call",
        "ylabel": "fraction of calls at or below",
        "xscale": "log",
        "series": [
            {"label": "calls 1 to 150", "measurement": "cold"},
            {"label": "calls 151 to 300", "measurement": "steady"},
        ],
    }
)


# %% in-flight
@jax.jit
def rounds(a, n):
    return lax.fori_loop(0, n, lambda _, b: b @ a, a)


@jax.jit
def plus(a):
    return a + 1


a = jax.device_put(np.full((256, 256), 1 / 256, dtype=np.float32))  # a @ a == a
jax.block_until_ready(plus(rounds(a, 2)))


def fill(calls=40):
    """How many calls had returned, asked again and again while the first ran,
    and which call took longest to return.
    """
    looked, took = [1], []
    first = last = rounds(a, 150)

    def look():
        while not first.is_ready():
            looked.append(1 + len(took))
            time.sleep(1e-3)

    watcher = threading.Thread(target=look)
    watcher.start()
    for _ in range(calls - 1):
        start = time.perf_counter()
        last = plus(last)  # has to wait for the one before
        took.append(time.perf_counter() - start)
    watcher.join()
    assert np.all(np.asarray(last) == calls - 1 + 1 / 256)
    return looked, 2 + int(np.argmax(took))


fills = [fill() for _ in range(5)]
returned = statistics.mode(n for looked, _ in fills for n in looked)
stuck = statistics.mode(n for _, n in fills)
print(f"returned while the first ran: {returned}; call {stuck} took longest")
if jax.default_backend() == "cpu":
    assert returned == 32 and stuck == 33
results |= {"returned": returned, "stuck": stuck}

# %% rates tags=["varies"]
bench_each(product, args=(small,), warmup=100)
latency, throughput = [], []
for _ in range(20):
    throughput.append(bench(product, small, warmup=0))
    latency += bench_each(product, args=(small,), n=5, warmup=0)[0]
assert np.all(np.asarray(product(small)) == entries[0])

# %% loops tags=["varies"]
NS = [8, 24, 40, 64, 128]
back, done = {n: [] for n in NS}, {n: [] for n in NS}
for _ in range(5):
    jax.block_until_ready(product(large))
for _ in range(5):
    for n in NS:
        start = time.perf_counter()
        for _ in range(n):
            output = product(large)
        back[n].append((time.perf_counter() - start) / n)  # no wait yet
        jax.block_until_ready(output)
        done[n].append((time.perf_counter() - start) / n)
assert np.all(np.asarray(output) == entries[1])

for n in NS:
    ms = [1e3 * np.median(row[n]) for row in (back, done)]
    print(f"{n:>4} calls: {ms[0]:.3f} ms a call at return, {ms[1]:.3f} when done")

# %% queue tags=["varies"]
once = {"wait": "once at the end", "calls": 400}
measurements |= {
    "latency": described(latency, (small,), 120),
    "throughput": described(throughput, (small,), 120, **once),
}
for n in NS:
    loop = described(back[n], (large,), 5, "none", calls=5 * n)
    measurements[f"loop_{n}"] = loop | {"excludes": "work, NumPy copies"}
for n in NS[1::3]:
    true = described(done[n], (large,), 5, **once | {"calls": 5 * n})
    measurements[f"true_{n}"] = true
visual_data = {
    "kind": "line",
    "xlabel": "calls in the loop",
    "ylabel": "time per call",
    "xscale": "log",
    "yscale": "log",
    "series": [
        {"label": label, "x": x, "measurement": [f"{name}_{n}" for n in x]}
        for label, name, x in (
            ("loop returned", "loop", NS),
            ("all done", "true", NS[1::3]),
        )
    ],
}

# %% verdict
print("PASS: values, statistics and counts as derived by hand")

# %% exercise-middle tags=["solution"]
# Exercise 1: the median and the MAD, with Python's own functions only.
def middle(values):
    row = sorted(values)  # TODO: the values in their order
    n = len(row)
    return (row[(n - 1) // 2] + row[n // 2]) / 2  # TODO: for odd and even n


def around(values):
    distances = [abs(v - middle(values)) for v in values]  # TODO: one for each
    return middle(distances)


for values, *wanted in (
    ([7], 7, 0),
    ([4, 1, 3, 2], 2.5, 1),  # distances 1.5, 1.5, 0.5, 0.5
    ([3, 3, 7, 1, 100], 3, 2),  # distances 0, 0, 4, 2, 97
):
    found = [middle(values), around(values)]
    assert found == wanted, f"{values}: {found}, not {wanted}"
    assert found == [np.median(values), mad(values)]
    assert not any(isinstance(v, np.generic) for v in found), "NumPy's, not yours"
print(f"exercise 1: median {found[0]}, MAD {found[1]}")

# %% exercise-warm tags=["solution"]
# Exercise 2: a stricter rule: from there on, every block must fit.
def settled(samples, block=3, within=0.1):
    level = np.median(samples[len(samples) // 2 :])
    starts = range(len(samples) - block + 1)
    blocks = [np.median(samples[k : k + block]) for k in starts]
    off = [abs(b - level) / level for b in blocks]  # TODO: how far off, each?
    ks = [k for k in starts if max(off[k:]) <= within]  # TODO: all fit from k on
    return ks[0] if ks else None


for head, wanted in (
    ([30, 9, 6.4, 6.4], 1),
    ([12, 6, 6, 50, 6, 6], 0),  # a spike is no warm-up
    ([20, 6, 20, 20], 3),  # neither is a lucky call its end
    (30 * [6] + 4 * [20], 33),  # a slow stretch that comes late
    ([1, 1, 1, 1, 1], 4),  # too fast: calls that nobody waited for
):
    found = settled(head + 20 * [6])
    assert found == wanted, f"{head} and then 6s: {found}, not {wanted}"
for within, wanted in ((0.15, 2), (0.2, 0)):  # 7 is 1/6 above 6
    assert settled(3 * [7] + 20 * [6], within=within) == wanted, "not `within`"
assert settled(list(range(40, 0, -1))) is None, "it never settles"
print(f"exercise 2: settled after {found} calls")

# %% exercise-processes tags=["solution"]
# Exercise 3: the interval of a statistic over processes.
def over_processes(statistic, *runs):
    """Each run is a list of processes, each of them a list of samples."""
    rows = [[np.median(p) for p in run] for run in runs]  # TODO: what is drawn
    return interval(statistic, *rows)


levels = [10, 17, 12, 15, 11, 16, 13, 14]
factors = [1.5, 1.1, 1.3, 1.2, 1.4, 1.1, 1.3, 1.2]  # f over g in each process
jitter = np.tile([-0.2, 0, 0.1, -0.1, 50], 5)  # a spike in each five
g = [level + np.roll(jitter, k) for k, level in enumerate(levels)]
f = [factor * p for factor, p in zip(factors, g)]
pooled = interval(np.median, np.ravel(g))
narrower = "pooled"  # TODO: which is narrower, "pooled" or "processes"?

low, high = over_processes(np.median, g)
assert high - low > 4, f"{low:.1f} to {high:.1f}: luck was left out"
assert (low, high) == interval(np.median, levels), "wide enough, wrong place"
assert (high - low > pooled[1] - pooled[0]) == (narrower == "pooled"), "widths"
pair = interval(ratio, np.multiply(factors, levels), levels)
assert np.allclose(over_processes(ratio, f, g), pair), "not drawn together"
print(f"exercise 3: {low:.1f} to {high:.1f}, pooled {np.round(pooled, 1)}")
