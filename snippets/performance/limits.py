# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# ///
"""Measure two ceilings of this machine, and see which one limits a kernel."""

# %% kernels
import random
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

N = 2**24  # elements of the state: 64 MiB of float32
M = 1024  # rows and columns of the matrices that are multiplied


def pairs(terms):
    """A sum in pairs, and pairs of pairs: few additions wait for others."""
    while len(terms) > 1:
        sums = [a + b for a, b in zip(terms[::2], terms[1::2])]
        terms = sums + terms[2 * len(sums) :]  # and the odd one
    return terms[0]


def spread(x, d):
    """The mean squared distance of each element of x to d points around 0."""
    squares = []
    for k in range(d):
        gap = x - ((k + 0.5) / d - 0.5)
        squares.append(gap * gap)
    return pairs(squares) * (1 / d)


def scale(x):
    return 0.5 * x


def dead(x):
    spread(x, 32)  # nobody uses it
    return scale(x)


print(f"backend {jax.default_backend()}, state float32[{N}]: {4 * N >> 20} MiB")

# %% expected
DEPTHS = (2, 4, 32, 64)  # points
probe = np.linspace(-1, 1, 9)  # each has an exact form in float32


def exact(x, d):
    return x * x + (1 - 1 / d**2) / 12


for d in DEPTHS:  # NumPy in float64, point by point
    gaps = probe[:, None] - ((np.arange(d) + 0.5) / d - 0.5)
    assert np.allclose(np.mean(gaps**2, axis=1), exact(probe, d), atol=1e-15)
assert exact(0.5, 2) == 5 / 16  # by hand
eight = np.arange(M) % 8  # 0, ..., 7, again and again

# %% values
given = np.float32(probe)
tried = [(spread(given, d), exact(probe, d)) for d in (3, *DEPTHS)]
compiled = jax.jit(spread, static_argnums=1)
tried += [(compiled(given, d), exact(probe, d)) for d in DEPTHS]


def matmul(a, b, old):
    return lax.dot(a, b)  # written into the memory of old, which is donated


product = jax.jit(matmul, donate_argnums=2, keep_unused=True)
a = jnp.array(np.tile(eight[:, None], M), jnp.float32)
b = jnp.array(np.tile(eight / M, (M, 1)), jnp.float32)
old = product(a, b, jnp.zeros((M, M)))
tried.append((old, np.outer(eight, eight)))
error = max(float(np.max(np.abs(np.float64(f) - e))) for f, e in tried)
print(f"{len(tried)} results, all within 1e-6 of float64: {error < 1e-6}")
assert error < 1e-6
results = {"error": error}

# %% counts
WORK = {"add": 1, "sub": 1, "mul": 1}  # FLOPs for each element of the output


def size(variable):
    return variable.aval.size * variable.aval.dtype.itemsize


def counted(f, *args):
    """What f does, counted from its jaxpr.

    Returns:
        The FLOPs of all equations, those that the outputs need, the bytes of
        the inputs that they need and of the outputs, and the bytes if each
        equation ran by itself.
    """
    jaxpr = jax.make_jaxpr(f)(*args).jaxpr
    wanted, flops, needed, alone = set(jaxpr.outvars), 0, 0, 0
    for eqn in reversed(jaxpr.eqns):
        (out,) = eqn.outvars
        if eqn.primitive.name == "dot_general":  # multiply and add along an axis
            ((axis,), _), _ = eqn.params["dimension_numbers"]
            each = 2 * eqn.invars[0].aval.shape[axis]
        else:
            each = WORK[eqn.primitive.name]  # a KeyError: it has to be counted
        read = {v for v in eqn.invars if not hasattr(v, "val")}  # no constants
        flops += each * out.aval.size
        alone += sum(map(size, read)) + size(out)
        if out in wanted:
            needed += each * out.aval.size
            wanted |= read
    given = {*jaxpr.invars, *jaxpr.constvars}  # the latter: arrays from outside
    moved = (given & wanted) | set(jaxpr.outvars)
    return flops, needed, sum(map(size, moved)), alone


def floats(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


print(jax.make_jaxpr(lambda x: spread(x, 2))(floats(8)))
x, square = floats(N), floats(M, M)
by_hand = {"scale": (N, 8 * N)}  # FLOPs and bytes of a call
found = {"scale": counted(scale, x)}
for d in DEPTHS:
    by_hand[f"spread_{d}"] = (3 * d * N, 8 * N)
    found[f"spread_{d}"] = counted(lambda x: spread(x, d), x)
by_hand["matmul"] = (2 * M**3, 12 * M**2)
found["matmul"] = counted(lax.dot, square, square)
assert all(flops == needed for flops, needed, *_ in found.values())
counts = {name: (needed, moved) for name, (_, needed, moved, _) in found.items()}

for d in (2, 32):  # two calls
    by_hand[f"apart_{d}"] = (6 * d * N, 16 * N)
    counts[f"apart_{d}"] = tuple(2 * n for n in counts[f"spread_{d}"])
by_hand["op_by_op_2"] = (6 * N, (4 * 8 + 12 + 8) * N)
counts["op_by_op_2"] = found["spread_2"][::3]
assert counts == by_hand
said, needed, *_ = counted(dead, x)
assert (said, needed) == (97 * N, N)

intensity = {name: flops / moved for name, (flops, moved) in counts.items()}
print("              FLOPs    bytes   FLOP/byte")
for name, (flops, moved) in counts.items():
    print(f"{name:<10} {flops:>8.2e} {moved:>8.2e} {intensity[name]:>11.4f}")
results |= {"intensity": intensity, "dead_written": said // N}
results["dead_needed"] = needed // N

# %% timings tags=["varies"]
try:
    import resource
except ImportError:  # there is none on Windows
    resource = None

WARMUP, CALLS = 2, 5


def faults():
    """Page faults of this process so far, without those that read a disk."""
    if resource is None:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def call(programs, x):
    """One after another, and one wait: output, seconds and page faults."""
    before, start = faults(), time.perf_counter()
    for program in programs:
        x = program(x)
    jax.block_until_ready(x)
    return x, time.perf_counter() - start, faults() - before


def donated(f, *static):
    return jax.jit(lambda x: f(x, *static), donate_argnums=0)


def multiply(_):
    global old
    old = product(a, b, old)
    return old


halve = donated(scale)
kernels = {"scale": [halve]}
kernels |= {f"spread_{d}": [donated(spread, d)] for d in DEPTHS}
kernels |= {f"apart_{d}": 2 * kernels[f"spread_{d}"] for d in (2, 32)}
kernels["dead"] = [donated(dead)]
kernels["matmul"] = [multiply]

state, known = jnp.zeros(N), 0.0  # every element, in float64
samples = {name: [] for name in kernels}
faulted = {name: [] for name in kernels}
order = [*kernels, "scale", "matmul"]  # the ceilings twice a round
for _ in range(WARMUP + CALLS):
    random.shuffle(order)  # each round in an order drawn anew
    for name in order:
        output, seconds, n = call(kernels[name], state)
        samples[name].append(seconds)
        faulted[name].append(n)
        if output.shape != state.shape:
            continue  # the product leaves the state alone
        state = output
        for _ in kernels[name]:
            d = name.rpartition("_")[2]
            known = exact(known, int(d)) if d.isdigit() else known / 2
samples = {name: taken[WARMUP:] for name, taken in samples.items()}

samples["unwaited"] = []  # the mistake: the clock stops before the work does
for _ in range(CALLS):
    start = time.perf_counter()
    state = halve(state)
    samples["unwaited"].append(time.perf_counter() - start)
    jax.block_until_ready(state)
    known /= 2

samples["op_by_op_2"], faulted["op_by_op_2"] = [], []
for _ in range(3):
    state, seconds, n = call([lambda x: spread(x, 2)], state)  # no jit
    samples["op_by_op_2"].append(seconds)
    faulted["op_by_op_2"].append(n)
    known = exact(known, 2)
del samples["op_by_op_2"][0]  # a warm-up
assert float(jnp.max(jnp.abs(state - known))) < 1e-6  # after all these calls

for name, f, x in (
    ("cached", halve, jnp.ones(N // 8)),
    ("tiny", donated(spread, 2), jnp.ones(8)),
):
    taken = []
    for _ in range(51):  # in a row: no other kernel comes between
        x, seconds, _ = call([f], x)
        taken.append(seconds)
    samples[name] = taken[20:]

for name, n in faulted.items():
    ms = 1e3 * np.median(samples[name])
    paged = f"{min(n[1:])} to {max(n[1:])}" if resource else "not counted"
    print(f"{name:<10} {ms:8.2f} ms, page faults a call: {paged}")

# %% roofs tags=["varies"]
INPUTS = {"cached": f"float32[{N // 8}]", "tiny": "float32[8]", "matmul": (a, b)}
measurements = {
    name: {
        "samples": taken,
        "inputs": INPUTS.get(name, state),
        "warmup": 20 if name in ("cached", "tiny") else WARMUP,
        "calls": len(taken),
        "wait": "none" if name == "unwaited" else "each call",
        "excludes": "inputs, compilation, checks",
    }
    for name, taken in samples.items()
}
measurements["op_by_op_2"]["warmup"] = 1
for name in ("scale", "matmul", "cached"):  # of each process the fastest call
    best = {"samples": [min(samples[name])], "excludes": "all slower calls"}
    measurements[f"{name}_best"] = measurements[name] | best
del measurements["matmul"], measurements["cached"]

bandwidth = 8 * N / min(samples["scale"])
rate = 2 * M**3 / min(samples["matmul"])
print(f"bandwidth {bandwidth / 1e9:.1f} GB/s, rate {rate / 1e9:.1f} GFLOP/s")
print(f"ridge point {rate / bandwidth:.2f} FLOP/byte")


def dots(label, *names):
    flops, moved = zip(*(counts[name] for name in names))
    series = {"label": label, "measurement": list(names)}
    return series | {"flops": list(flops), "bytes": list(moved)}


counts |= {"tiny": (48, 64), "cached_best": (N // 8, N)}
counts |= {"unwaited": (N, 8 * N), "dead": (97 * N, 8 * N)}  # the mistakes
visual_data = {
    "kind": "roofline",
    "xlabel": "arithmetic intensity",
    "ylabel": "rate of arithmetic",
    "ceilings": [
        {"label": "scale", "measurement": "scale_best", "bytes": 8 * N},
        {"label": "matmul", "measurement": "matmul_best", "flops": 2 * M**3},
    ],
    "series": [
        dots("spread", *(f"spread_{d}" for d in DEPTHS)),
        dots("spread, two calls", "apart_2", "apart_32"),
        dots("spread, op by op", "op_by_op_2"),
        dots("spread of 8 elements", "tiny"),
        dots("misread", "cached_best", "unwaited", "dead"),
    ],
}

# %% verdict
print("PASS: values, FLOPs and bytes are as derived without JAX")

# %% exercise-count tags=["solution"]
# Exercise 1: FLOPs and bytes by hand, for one call of each kernel.
n, rows, columns = 1000, 200, 50


def blend(x, y):  # two inputs of n floats, one output
    return 0.25 * x + 0.75 * y


def layer(w, x, c):  # w has rows x columns, x columns, c rows
    return lax.dot(w, x) + c


blend_flops = 3 * n  # TODO: two products and a sum for each element
blend_bytes = 4 * 3 * n  # TODO: two arrays are read, one is written
layer_flops = rows * (2 * columns + 1)  # TODO: a dot product and a sum a row
layer_bytes = 4 * (rows * columns + columns + 2 * rows)  # TODO: w, x, c, output

told = counted(blend, floats(n), floats(n))
assert (told[1], told[2]) == (blend_flops, blend_bytes), "blend"
shapes = floats(rows, columns), floats(columns), floats(rows)
told = counted(layer, *shapes)
assert (told[1], told[2]) == (layer_flops, layer_bytes), "layer"
print(f"exercise 1: {blend_flops / blend_bytes}, {layer_flops / layer_bytes:.3f}")


# %% exercise-double tags=["solution"]
# Exercise 2: double one count, keep the other, and read the times.
def plain(x):
    return 0.5 * x + 1  # 2 FLOPs and 8 bytes an element


def more_flops(x):
    output = plain(x) * x + 1  # TODO: 4 FLOPs and 8 bytes an element
    return output


def more_bytes(x, y):
    outputs = 0.5 * x, y + 1  # TODO: 2 FLOPs and 16 bytes an element
    return outputs


def binds(once, flops_twice, bytes_twice):
    """What binds a kernel: its samples, and those with one count doubled."""
    by_flops = np.median(flops_twice) > 1.3 * np.median(once)  # TODO: slower?
    by_bytes = np.median(bytes_twice) > 1.3 * np.median(once)  # TODO: slower?
    if by_flops and by_bytes:
        return "near the ridge"
    return "FLOPs" if by_flops else "bytes" if by_bytes else "neither"


assert counted(more_flops, floats(1))[:3] == (4, 4, 8), "FLOPs"
assert counted(more_bytes, floats(1), floats(1))[:3] == (2, 2, 16), "bytes"
for case, known in {  # ticks of a clock, some calls held up
    ((10, 11, 40), (10, 11, 12), (20, 21, 22)): "bytes",
    ((20, 21, 22), (40, 41, 42), (21, 22, 90)): "FLOPs",
    ((10, 10, 11), (15, 15, 16), (16, 16, 50)): "near the ridge",
    ((8, 8, 9), (8, 9, 30), (8, 8, 9)): "neither",
}.items():
    assert binds(*case) == known, f"{case}: {binds(*case)}"
print("exercise 2: four answers")

# %% exercise-intensity tags=["solution"]
# Exercise 3: 1 + 2x + 3xx + 4xxx + 5xxxx + 6xxxxx, at 5/4 FLOP/byte.
weights = [1, 2, 3, 4, 5, 6]


def polynomial(x):
    total = weights[-1]  # TODO: where to start?
    for weight in reversed(weights[:-1]):
        total = total * x + weight  # TODO: two FLOPs for each weight
    return total


op_by_op = 10 / (5 * 8 + 4 * 12 + 8)  # TODO: its intensity op by op, by hand

where = np.float32([-1, -0.5, 0, 0.5, 1])
known = sum(w * np.float64(where) ** k for k, w in enumerate(weights))
assert np.allclose(polynomial(where), known, atol=1e-6), "another polynomial"
said, needed, moved, alone = counted(polynomial, floats(64))
assert needed / moved == 5 / 4, f"{needed / moved} FLOP/byte"
assert said == needed, "FLOPs that nobody needs"
assert needed / alone == op_by_op, "another intensity op by op"
print(f"exercise 3: {needed / moved} FLOP/byte, op by op {op_by_op:.4f}")
