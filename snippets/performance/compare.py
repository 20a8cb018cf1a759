# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# ///
"""Compare eager, jit and NumPy in turns, over fresh processes, with a control."""

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
import os
import subprocess
import sys


def cubic(x):
    return (x * x - 3) * x + 2  # the array's library does the work


jitted = jax.jit(cubic)
sizes = {"small": 8, "big": 2**20}
hosts = {k: np.tile(np.float32([0, 1, 2, 3]), n // 4) for k, n in sizes.items()}
devices = jax.device_put(hosts)
print(f"backend {jax.default_backend()}: float32 of {list(sizes.values())}")

# %% same
expected = np.array([2, 0, 4, 20])  # by hand, for x = 0, 1, 2, 3
assert np.array_equal(cubic(np.arange(4.0)), expected)  # NumPy in float64
outputs = {
    (path, size): f(inputs[size])
    for size in sizes
    for path, f, inputs in (
        ("eager", cubic, devices),
        ("NumPy", cubic, hosts),
        ("jit", jitted, devices),
    )
}
wrong = 0
for (path, size), output in outputs.items():
    values = np.asarray(output).reshape(-1, 4)
    wrong += int(np.sum(values != expected))
    kind = "a JAX array" if isinstance(output, jax.Array) else "a NumPy array"
    print(f"{size:<5} {path:<5} {values[0]} {output.dtype}, {kind}")
results = {
    "wrong_values": wrong,
    "float32_outputs": sum(a.dtype == "float32" for a in outputs.values()),
    "numpy_outputs": sum(type(a) is np.ndarray for a in outputs.values()),
}
assert list(results.values()) == [0, 6, 2]

# %% paths tags=["varies"]
common = {"wait": "each call", "warmup": 20, "calls": 20}
common["excludes"] = "input construction, compilation, copies to NumPy"
measurements = {}


def keep(name, samples, *inputs, **other):
    measurements[name] = common | {"samples": samples, "inputs": inputs} | other


def path(f, x):
    return lambda: f(x)  # each path with its own array; one price for all


for size in sizes:
    host, device = hosts[size], devices[size]
    paths = {
        "eager": (cubic, device),
        "jit": (jitted, device),
        "again": (jitted, device),  # the control: jit's own path
        "numpy": (cubic, host),
    }
    if size == "big":
        double = host.astype(np.float64)
        paths["numpy64"] = (cubic, double)  # a mistake: another dtype
        paths["host"] = (jitted, host)  # a mistake: on the other side
    calls = [path(f, x) for f, x in paths.values()]
    for name, samples in zip(paths, bench_each(*calls, args=())):
        keep(f"{name}_{size}", samples, paths[name][1])
        print(f"{1e6 * np.median(samples):8.1f} microseconds  {name}_{size}")


def forgetful():
    jitted(devices["big"])  # the mistake: nothing comes back to wait for


[dropped] = bench_each(forgetful, args=(), warmup=0)
timed(jitted, devices["big"])  # waits for all of it, before the next clock
keep("forgotten_big", dropped, devices["big"], wait="never", warmup=0)
shown = ("eager", "again", "numpy")
visual_data = {
    "kind": "interval",
    "labels": ["eager", "jit again", "NumPy"],
    "ylabel": "time over that of jit",
    "yscale": "log",
    "series": [
        {
            "label": f"{n:,} numbers",
            "measurement": [f"{k}_{size}" for k in shown],
            "over": f"jit_{size}",
        }
        for size, n in sizes.items()
    ],
    "references": [{"label": "as long as jit", "y": 1}],
}


# %% control
def fresh(code):
    def copy(x):
        return code(x)

    return jax.jit(copy)


def powers(x):
    return x * x * x - 3 * x + 2


x = jax.device_put(np.float32([0, 1, 2, 3] * 2))  # eight numbers
pair = a, b = fresh(cubic), fresh(cubic)  # A/A: one code, compiled twice
by_powers = fresh(powers)
multiplies = {}
for name, f in (("horner", a), ("powers", by_powers)):
    assert np.array_equal(f(x), [*expected] * 2)
    traced = f.trace(x)
    multiplies[name] = str(traced.jaxpr).count(" = mul ")
    lowered = traced.lower().as_text()
    assert lowered.count("stablehlo.multiply") == multiplies[name]
    results[f"multiplies_{name}"] = multiplies[name]

# %% drift tags=["varies"]
matrix = jax.device_put(np.ones((256, 256), np.float32))
product = jax.jit(lambda m: m @ m)
timed(product, matrix)


def ordered(order, functions, busy=0.35):
    """Samples in a given order, on a device that is busy at first."""
    samples = [[] for _ in functions]
    for call, index in enumerate(order):
        if call < busy * len(order):
            product(matrix)  # other work, which nobody waits for
        samples[index].append(timed(functions[index], x)[1])
    return samples


def turns(rounds):
    """Rounds of 0 and 1, each in an order drawn anew."""
    return [index for _ in range(rounds) for index in random.sample((0, 1), 2)]


quiet, low, high = compare(a, b, x)
print(f"A/A quiet: {quiet:.3f} [{low:.3f}, {high:.3f}]")
for name, order in (("rhythm", [0, 1, 1, 0] * 300), ("drawn", turns(600))):
    found = float(ratio(*ordered(order, (a, a), busy=0)))  # one object
    print(f"A/A {name}: {found:.3f}")
    keep(f"aa_{name}", [found], x, unit="times", calls=1200)
for name, order in (("turns", turns(80)), ("block", [0] * 80 + [1] * 80)):
    firsts, seconds = ordered(order, pair)
    keep(f"{name}_a", firsts, x, calls=80)
    keep(f"{name}_b", seconds, x, calls=80)
    low, high = interval(ratio, firsts, seconds)
    found = f"{ratio(firsts, seconds):.3f} [{low:.3f}, {high:.3f}]"
    print(f"A/A {name}, drift: {found}")
for name, samples in zip(multiplies, bench_each(a, by_powers, args=(x,))):
    keep(name, samples, x)

# %% processes tags=["varies"]
CHILD = """
import random, time
import jax, numpy as np

def cubic(x):
    return (x * x - 3) * x + 2

host = np.float32([0, 1, 2, 3, 0, 1, 2, 3])
device = jax.device_put(host)
jitted = jax.jit(cubic)
samples = [], []
for _ in range(40):
    for which in random.sample((0, 1), 2):
        start = time.perf_counter()
        jax.block_until_ready(jitted(device) if which else cubic(host))
        samples[which].append(time.perf_counter() - start)
print(*(np.median(s[20:]) for s in samples))
"""


def processes(code, n):
    """The numbers that each of n fresh processes prints, one after another."""
    command = [sys.executable, "-c", code]
    env = os.environ | {"JAX_PLATFORMS": "cpu"}  # an accelerator may be taken
    printed = [subprocess.check_output(command, env=env) for _ in range(n)]
    return np.array([line.split() for line in printed], float).T.tolist()


children = dict(zip(("numpy", "jit"), processes(CHILD, 2)))
ratios = [n / j for n, j in zip(children["numpy"], children["jit"])]
print("NumPy / jit:", *(f"{r:.2f}" for r in ratios))
for name, medians in children.items():
    keep(f"child_{name}", medians, hosts["small"], calls=40)


# %% simulation
def made_up(pairs, processes, rounds, luck=0.03, noise=0.05):
    """Ratios of A to A: a process draws its luck once, and noise each round."""
    draw = np.random.default_rng(1).normal
    shifts = luck * draw(size=(pairs, processes, 1))
    return 1 + shifts + noise * draw(size=(pairs, processes, rounds))


def intervals(rows, draws=300):
    """As `interval` of the median, of every row at once."""
    n = rows.shape[1]
    places = np.random.default_rng(0).integers(n, size=(draws, n))
    medians = np.median(rows[:, places], axis=2)
    return np.percentile(medians, [2.5, 97.5], axis=1)


def alarms(rows):
    """For each row, whether its interval leaves out 1."""
    low, high = intervals(rows)
    return (low > 1) | (high < 1)


def medians_of(pairs, processes, rounds):
    return np.median(made_up(pairs, processes, rounds), axis=2)


over_ten = medians_of(400, 10, 20)
by_hand = interval(np.median, over_ten[0], draws=300)
assert np.allclose(intervals(over_ten[:1])[:, 0], by_hand)  # a second way
false = {
    "ten": alarms(over_ten),
    "calm": alarms(made_up(400, 1, 20, luck=0)[:, 0]),
    "one": alarms(made_up(400, 1, 20)[:, 0]),
}
for name, label in zip(false, ("ten processes", "one without luck", "one")):
    results[f"alarms_{name}"] = n = int(np.sum(false[name]))
    print(f"{label:<16}  {n:3d} of 400 intervals leave out 1")
sets = np.sum(false["ten"].reshape(20, 20).any(axis=1))
results["alarmed_sets"] = int(sets)
print(f"of 20 sets of 20, {sets} have such a pair")


def width(processes, rounds):
    low, high = intervals(medians_of(40, processes, rounds))
    return float(np.mean(high - low))


print("width     by processes  by rounds")
gains = []
for k in (1, 16):  # times as many samples
    widths = width(10 * k, 20), width(10, 20 * k)
    gains.append(widths)
    print(f"times {k:<2}  {widths[0]:12.3f}  {widths[1]:9.3f}")
gained = np.array(gains[0]) / gains[-1]
results |= dict(zip(("gain_processes", "gain_rounds"), gained.tolist()))

# %% verdict
print("PASS: same values, dtype and side; controls as derived")

# %% exercise-fair tags=["solution"]
# Exercise 1: make the comparison fair. NumPy's defaults make it unfair.
values = np.linspace(0, 1, 1024)
calls = []


def watched(name, f):
    return lambda x: calls.append((name, x)) or f(x)


by_code, by_jit = watched("NumPy", cubic), watched("jit", jitted)
host = values.astype(np.float32)  # TODO: NumPy's array, in the dtype of JAX
device = jax.device_put(host)  # TODO: the same numbers, on JAX's side, once


def numpy_path():
    return by_code(host)  # TODO: NumPy's path


def jit_path():
    return by_jit(device)  # TODO: jit's path, and what a clock has to wait for


def same_work(*paths):
    arrays = {"NumPy": host, "jit": device}
    for (name, array), path in zip(arrays.items(), paths):
        assert array.dtype == "float32", f"{name}: not float32"
        calls.clear()
        with jax.transfer_guard("disallow"):
            output = path()  # raises if NumPy's array changes sides
        [(called, x)] = calls  # one call, and of this array
        assert called == name and x is array, f"{name}: other work"
        kind = np.ndarray if name == "NumPy" else jax.Array
        assert isinstance(x, kind), f"{name}: the array of another side"
        assert isinstance(output, kind), f"{name}: nothing to wait for"
        assert np.allclose(output, cubic(values), atol=1e-5), "wrong values"


same_work(numpy_path, jit_path)
print("exercise 1: one dtype, one side, one wait")


# %% exercise-verdict tags=["solution"]
# Exercise 2: from the medians of A and of B, one a process, to words.
def verdict(a, b):
    ratios = [x / y for x, y in zip(a, b)]  # TODO: one number a process
    low, high = interval(np.median, ratios)  # TODO: over the processes
    if low > 1:
        return "slower", low, high  # TODO: what may be said of A?
    word = "faster" if high < 1 else "no difference shown"  # TODO: and else?
    return word, low, high


b = [1.0, 1.2, 3.0, 1.1, 2.5, 1.4, 1.8, 4.0, 1.3, 2.2]  # by luck
wiggle = [0.7, 1.5, 0.8, 1.4, 0.9, 1.3, 1.6, 0.7, 1.2, 1.2]
cases = (  # the words, A, and the ends
    ("slower", [1.1 * y for y in b[:9]] + [2.0], 1.1),
    ("faster", [0.9 * y for y in b[:9]] + [24.0], 0.9),
    ("no difference shown", [w * y for w, y in zip(wiggle, b)], (0.8, 1.4)),
    ("no difference shown", [1.1 * y for y in b[::-1]], None),
)
for right, a, bounds in cases:
    word, *ends = verdict(a, b)
    assert word == right, f"{right}, not {word}"
    assert bounds is None or np.allclose(ends, bounds), "not the ratio's interval"
print("exercise 2:", ", ".join(case[0] for case in cases))


# %% exercise-order tags=["solution"]
# Exercise 3: calls of k functions, on a machine that gets slower at each call.
def clocked(order, costs):
    """Samples by function: the i-th call, from 1, takes i times its cost."""
    samples = [[] for _ in costs]
    for i, index in enumerate(order, 1):
        samples[index].append(i * costs[index])
    return samples


def found(order, costs=(1, 1)):
    return ratio(*clocked(order, costs)[:2])


block_says = 3 / 7  # TODO: A/A in the order 0 0 1 1, by hand
turns_say = 2 / 3  # TODO: A/A in the order 0 1 0 1, by hand


def fair(k, rounds):
    """An order of calls, each of k functions once a round; rounds are even."""
    forth = list(range(k))
    return (forth + forth[::-1]) * (rounds // 2)  # TODO: the drift cancels


assert np.isclose(found([0, 0, 1, 1]), block_says), "not what the block says"
assert np.isclose(found([0, 1, 0, 1]), turns_say), "not what the turns say"
for k, rounds in ((2, 2), (3, 4), (5, 20)):
    order = fair(k, rounds)
    rows = np.sort(np.reshape(order, (rounds, k)))
    assert (rows == np.arange(k)).all(), "not each once a round"
    samples = clocked(order, [1] * k)
    assert np.ptp(np.median(samples, axis=1)) == 0, "the drift is left"
    costs = [3, 2] + [1] * (k - 2)
    assert np.isclose(found(order, costs), 1.5), "not the true ratio"
print(f"exercise 3: block {block_says:.3f}, turns {turns_say:.3f}, fair 1")
