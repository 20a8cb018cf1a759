# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# ///
"""Read one program at three levels, and count what it moves and computes."""

# %% chain
import math
import random
import re
import textwrap
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

N = 2**24  # elements of the state that is timed: 64 MiB of float32
M, ROUNDS = 64, 100  # rows and columns of the matrices, rounds of the loop


def chain(x):
    gap = x - 0.5
    square = gap * gap
    return square + x


def returned(x):
    gap = x - 0.5
    return gap * gap + x, gap  # the caller wants to see the gap, too


def looped(a, b, rounds=ROUNDS, unroll=1):
    def one(a, _):
        return a @ b, None

    return lax.scan(one, a, None, length=rounds, unroll=unroll)[0]


def unrolled(a, b, rounds=ROUNDS):
    for _ in range(rounds):
        a = a @ b
    return a


def copies(a, b):
    total = a @ b
    for _ in range(7):
        total = total + a @ b  # the same product again
    return total


def floats(*shape):
    return jax.ShapeDtypeStruct(shape, jnp.float32)


print(f"backend {jax.default_backend()}, state float32[{N}]: {4 * N >> 20} MiB")

# %% expected
ks = np.arange(32).reshape(4, 8)  # x is k/8: each value is exact in float32
chain_exact = (ks / 8) ** 2 + 1 / 4  # NumPy in float64
rows = np.tile(np.arange(M) % 8, (M, 1))
shift = np.roll(np.eye(M), 1, axis=1)  # moves every column one to the right
loop_exact = np.roll(rows, ROUNDS, axis=1)

x = np.float32(ks / 8)
a, b = jax.device_put((np.float32(rows), np.float32(shift)))
tried = [(f(x), chain_exact) for f in (chain, jax.jit(chain))]
tried += [(returned(x)[0], chain_exact), (returned(x)[1], ks / 8 - 0.5)]
loops = {f.__name__: jax.jit(f) for f in (looped, unrolled)}
tried += [(f(a, b), loop_exact) for f in loops.values()]
tried.append((jax.jit(copies)(a, b), 8 * np.roll(rows, 1, axis=1)))
error = max(float(np.max(np.abs(np.float64(f) - e))) for f, e in tried)
print(f"{len(tried)} results, largest distance from float64: {error}")
assert error < 1e-6
results = {"error": error}


# %% levels
def show(title, lines):
    print(f"{title}:")
    for line in lines:
        print(textwrap.fill(line, 80, subsequent_indent=" " * 8))


def plain(compiled):
    """The optimised program as text, without where its lines come from."""
    text = re.sub(r", metadata=\{[^}]*\}|/\*.*?\*/", "", compiled.as_text())
    text = re.sub(r"\n(File|Function|Stack)\w+\n(\d.*\n)*", "", text)
    return text.replace("%", "")  # a mark before every name


traced = jax.jit(chain).trace(floats(4, 8))
lowered = traced.lower()
compiled = lowered.compile()
show("jaxpr", str(traced.jaxpr).splitlines())
show("StableHLO", lowered.as_text().splitlines()[1:-1])
show("optimised HLO", filter(None, plain(compiled).splitlines()[1:]))

# %% walker
WORK = {"add": 1, "sub": 1, "mul": 1}
HOLDS = ("scan", "jit", "remat2", "custom_jvp_call", "custom_vjp_call")


def work(eqn):
    """FLOPs of one equation that holds no other jaxpr."""
    out, name = eqn.outvars[0].aval, eqn.primitive.name
    if name == "dot_general":  # multiply and add along an axis
        ((axis,), _), _ = eqn.params["dimension_numbers"]
        return 2 * eqn.invars[0].aval.shape[axis] * out.size
    return WORK[name] * out.size  # a KeyError: to be added


def walk(jaxpr, price):
    """The prices of all equations, added up."""
    total = 0
    for eqn in jaxpr.eqns:
        name, params = eqn.primitive.name, eqn.params
        if name in HOLDS:
            rounds = params["length"] if name == "scan" else 1
            inner = params["call_jaxpr" if "custom" in name else "jaxpr"]
            total += rounds * walk(inner, price)
        elif name == "cond" or any("jaxpr" in key for key in params):
            raise ValueError(f"what {name} runs is not known here")
        else:
            total += price(eqn)
    return total


def flops(jaxpr):
    return walk(jaxpr, work)


# %% alone
def size(variables):
    """Bytes of variables, each once."""
    kept = {v for v in variables if not hasattr(v, "val")}
    return sum(v.aval.size * v.aval.dtype.itemsize for v in kept)


def op_by_op(jaxpr):
    return walk(jaxpr, lambda eqn: size(eqn.invars) + size(eqn.outvars))


def least(jaxpr):
    return size(jaxpr.invars) + size(jaxpr.outvars)


# %% entry
ITEM = {"f32": 4, "bf16": 2, "s32": 4, "pred": 1}  # KeyError: to be added
FREE = ("parameter", "constant", "tuple", "get-tuple-element", "bitcast")


def entry(text):
    """The instructions below ENTRY that move something: name and bytes."""
    sizes, moved = {}, {}
    for line in text.split("\nENTRY")[1].split("\n}")[0].splitlines()[1:]:
        name, rest = line.replace("ROOT", "").strip().split(" = ", 1)
        shape, opcode, operands = re.match(
            r"(.+?) ([a-z][\w-]*)\(([^)]*)\)", rest
        ).groups()
        sizes[name] = sum(
            ITEM[dtype] * math.prod(int(n) for n in dims.split(",") if n)
            for dtype, dims in re.findall(r"(\w+)\[([\d,]*)\]", shape)
        )
        if opcode not in FREE:
            read = set(operands.split(", "))
            moved[name] = sizes[name] + sum(sizes[operand] for operand in read)
    return moved


# %% bytes
def said(stage, key):
    return (stage.cost_analysis() or {}).get(key, math.nan)


print("bytes an element    chain  returned")
table = {}
for f in (chain, returned):
    traced = jax.jit(f).trace(floats(N))
    lowered = traced.lower()
    compiled = lowered.compile()
    instructions = entry(plain(compiled))
    row = {
        "op_by_op": op_by_op(traced.jaxpr.jaxpr),
        "lowered": said(lowered, "bytes accessed"),
        "compiled": said(compiled, "bytes accessed"),
        "entry": sum(instructions.values()),
        "least": least(traced.jaxpr.jaxpr),
    }
    table[f.__name__] = {name: round(n / N) for name, n in row.items()}
    table[f.__name__] |= {"instructions": len(instructions)}
    table[f.__name__] |= {"flops": round(said(compiled, "flops") / N)}
    assert flops(jax.make_jaxpr(jax.jit(f))(floats(N)).jaxpr) == 3 * N
for name in table["chain"]:
    print(f"{name:<16}", *(f"{row[name]:8d}" for row in table.values()))
results |= {"chain": table["chain"], "returned": table["returned"]}
assert table["chain"]["op_by_op"] == (4 + 4) + (4 + 4) + (4 + 4 + 4)  # by hand
assert table["chain"]["least"] == 4 + 4
assert table["returned"]["least"] == 4 + 4 + 4
assert table["chain"]["lowered"] == 28 + 4 + 4 + 4
for row in table.values():
    assert row["compiled"] >= row["least"]
    assert row["entry"] == row["compiled"] or jax.default_backend() != "cpu"

# %% loops
PRODUCT = 2 * M**3  # by hand: multiply and add, for each of M**3 pairs
square = floats(M, M), floats(M, M)
lengths = [1, 10, 100]
counted, believed = {}, {}
print("FLOPs     rounds: by hand, jaxpr, cost_analysis; known_trip_count")
for f in (looped, unrolled):
    name = f.__name__
    counted[name], believed[name] = [], []
    for rounds in lengths:
        traced = jax.jit(lambda a, b: f(a, b, rounds)).trace(*square)
        lowered = traced.lower()
        counted[name].append(flops(traced.jaxpr.jaxpr))
        believed[name].append(round(said(lowered, "flops")))
        row = rounds * PRODUCT, counted[name][-1], believed[name][-1]
        text = plain(lowered.compile())
        trips = re.findall(r'known_trip_count":{"n":"(\d+)"', text)
        print(f"{name:<9} {rounds:3d}:", *(f"{n:8d}" for n in row), *trips)
    both = op_by_op(traced.jaxpr.jaxpr), said(lowered, "bytes accessed")
    arrays = [round(n / (4 * M**2)) for n in both]  # of 64 by 64
    print(f"{name:<9} {rounds:3d}: arrays op by op, lowered:", *arrays)
    results[f"{name}_arrays"] = dict(zip(("op_by_op", "lowered"), arrays))
    assert arrays[0] == 100 * (2 + 1)  # by hand
assert arrays[0] == arrays[1]  # unrolled: a second count agrees
by_hand = [rounds * PRODUCT for rounds in lengths]
assert counted["looped"] == counted["unrolled"] == by_hand
assert believed["unrolled"] == counted["unrolled"]  # a second count agrees


def by_data(a, b, rounds):
    return lax.fori_loop(0, rounds, lambda _, a: a @ b, a)


def by_five(a, b):
    return looped(a, b, unroll=5)


cases = {by_five: square, by_data: (*square, 100), copies: square}
for f, args in cases.items():
    traced = jax.jit(f).trace(*args)
    lowered = traced.lower()
    stages = {"lowered": lowered, "compiled": lowered.compile()}
    row = {name: said(stage, "flops") for name, stage in stages.items()}
    try:
        row["jaxpr"] = flops(traced.jaxpr.jaxpr)
    except ValueError as refusal:
        print(f"by_data: {refusal}")
    print(f"{f.__name__}:", *(f"{k} {n:.0f}" for k, n in row.items()))
    results[f.__name__] = {k: round(n) for k, n in row.items() if n == n}
results |= {f"{name}_counted": n[-1] for name, n in counted.items()}
results |= {f"{name}_believed": n[-1] for name, n in believed.items()}
assert results["by_five"]["jaxpr"] == 100 * PRODUCT
assert results["copies"]["jaxpr"] == 8 * PRODUCT + 7 * M**2  # by hand
assert "jaxpr" not in results["by_data"]
series = {
    "jaxpr, scan": counted["looped"],
    "cost_analysis, unrolled": believed["unrolled"],
    "cost_analysis, scan": believed["looped"],
}
visual_data = {
    "kind": "line",
    "xlabel": "rounds of the loop",
    "ylabel": "FLOPs counted",
    "xscale": "log",
    "yscale": "log",
    "series": [{"label": k, "x": lengths, "y": y} for k, y in series.items()],
}

# %% timings tags=["varies"]
try:
    from resource import RUSAGE_SELF, getrusage
except ImportError:  # there is none on Windows
    RUSAGE_SELF = getrusage = None


def into(f):
    """f, compiled; its outputs take the memory of old arrays."""
    return jax.jit(
        lambda old, *args: f(*args), donate_argnums=0, keep_unused=True
    )


minus = into(lambda x: x - 0.5)
times = into(lambda gap: gap * gap)
plus = into(lambda square, x: square + x)
chained, pair = into(chain), into(returned)
own = jax.jit(chain, donate_argnums=0)


def three_programs(x, p, q):
    gap = minus(p, x)
    square = times(q, gap)
    return plus(gap, square, x), square, x


def gap_returned(x, p, q):
    return *pair((p, q), x), x


def one_program(x, p, q):
    return chained(p, x), q, x


def in_place(x, p, q):
    return own(x), p, q


def faults():
    """Page faults of this process so far."""
    return getrusage(RUSAGE_SELF).ru_minflt if getrusage else np.nan


def in_turns(functions, args, n, warmup, handed_on=False):
    """Seconds and page faults of completed calls, and the last arguments."""
    taken = {f: [] for f in functions}
    for _ in range(warmup + n):
        for f in random.sample(functions, len(functions)):  # a new order
            before, start = faults(), time.perf_counter()
            output = jax.block_until_ready(f(*args))
            seconds = time.perf_counter() - start
            taken[f].append((seconds, faults() - before))
            args = output if handed_on else args
    return [zip(*kept[warmup:]) for kept in taken.values()], args


measurements = {}


def keep(name, samples, inputs, warmup, **more):
    measurements[name] = more | {
        "samples": list(samples),
        "inputs": inputs,
        "warmup": warmup,
        "calls": len(samples),
        "wait": "each call",
        "excludes": "inputs, compilation, checks",
    }


chains = [three_programs, gap_returned, one_program, in_place]
state = tuple(jnp.full(N, value) for value in (0.0, 1.0, 2.0))
taken, state = in_turns(chains, state, 11, 2, handed_on=True)
known = 0.0
for _ in range(13 * len(chains)):
    known = known**2 + 1 / 4  # in float64
assert float(jnp.max(jnp.abs(state[0] - known))) < 1e-6  # after all calls
for f, (seconds, paged) in zip(chains, taken):
    keep(f.__name__, seconds, state[0], 2)
    ms = f"{1e3 * np.median(seconds):5.1f} ms"
    print(f"{f.__name__:<14} {ms}, page faults {min(paged)} to {max(paged)}")

((seconds, _),), _ = in_turns([loops["looped"]], (a, b), 20, 5)
keep("looped", seconds, (a, b), 5)
for name, count in (
    ("rate", results["looped_counted"]),
    ("rate_believed", results["looped_believed"]),  # the mistake
):
    rates = [count / s / 1e9 for s in seconds]
    keep(name, rates, (a, b), 5, unit="GFLOP/s")
    print(f"{name:<14} {np.median(rates):5.2f} GFLOP/s")

kinds = ("op_by_op", "lowered", "compiled", "least")
one = table["chain"]["compiled"]
moved = [table["chain"]["op_by_op"], table["returned"]["compiled"], one, one]
visual_data = [
    {
        "kind": "bar",
        "labels": [kind.replace("_", " ") for kind in kinds],
        "ylabel": "bytes an element",
        "series": [
            {"label": name, "y": [row[kind] for kind in kinds]}
            for name, row in table.items()
        ],
    },
    {
        "kind": "interval",
        "labels": [f.__name__.replace("_", " ") for f in chains],
        "ylabel": "ratio to one program",
        "series": [
            {"label": "bytes", "y": [n / one for n in moved]},
            {"label": "time", "measurement": [f.__name__ for f in chains]}
            | {"over": "one_program"},
        ],
    },
]

# %% reduced tags=["varies"]
compiled = jax.jit(lambda x: jnp.sum(chain(x))).lower(floats(N)).compile()
moved = entry(plain(compiled)).values()
print(f"{sum(moved) / N:.0f} bytes an element, instructions: {len(moved)}")

# %% verdict
print("PASS: values, FLOPs and bytes as derived or counted twice")


# %% exercise-bytes tags=["solution"]
# Exercise 1: bytes an element, by hand; every array is float32.
def centred(x, y):
    middle = 0.5 * (x + y)
    return x - middle, middle


alone = 12 + 8 + 12  # TODO: op by op
fused = 8 + 8  # TODO: at least

jaxpr = jax.make_jaxpr(centred)(floats(1), floats(1)).jaxpr
assert op_by_op(jaxpr) == alone, f"op by op not {alone}"
assert least(jaxpr) == fused, f"at least not {fused}"
print(f"exercise 1: {alone} and {fused} bytes an element")


# %% exercise-products tags=["solution"]
# Exercise 2: FLOPs of any dot_general.
def product_flops(eqn):
    (summed, _), _ = eqn.params["dimension_numbers"]  # axes of the first input
    shape = eqn.invars[0].aval.shape
    pairs = math.prod(shape[axis] for axis in summed)  # TODO: for each number
    return 2 * pairs * eqn.outvars[0].aval.size  # TODO: of all numbers


p, q = floats(5, 6, 7), floats(5, 7, 8)
known = {  # by hand
    (((2,), (1,)), ((), ())): 2 * (5 * 6 * 5 * 8) * 7,
    (((2,), (1,)), ((0,), (0,))): 5 * (2 * 6 * 8 * 7),  # 5 products
    (((0, 2), (0, 1)), ((), ())): 2 * (6 * 8) * (5 * 7),  # two axes summed
}
for axes, by_hand in known.items():
    jaxpr = jax.make_jaxpr(lambda p, q: lax.dot_general(p, q, axes))(p, q)
    found = product_flops(jaxpr.eqns[0])
    assert found == by_hand, f"{axes}: {found}, not {by_hand}"
    print(f"exercise 2: {axes} {found} FLOPs")


# %% exercise-pieces tags=["solution"]
# Exercise 3: the right FLOPs of a loop, with cost_analysis.
def body(c, b):
    return lax.max(c @ b, c)  # no price in WORK


def whole(a, b, rounds):
    c = a @ b  # before the loop
    c = lax.scan(lambda c, _: (body(c, b), None), c, length=rounds)[0]
    return c - a + b  # after it


def corrected(rounds):
    everything = jax.jit(lambda a, b: whole(a, b, rounds)).lower(*square)
    once = said(everything, "flops")  # the loop counts once
    piece = said(jax.jit(body).lower(*square), "flops")  # TODO: its body alone
    return once + (rounds - 1) * piece  # TODO: all FLOPs of the whole


for rounds in (2, 7, 50):
    exact = (rounds + 1) * PRODUCT + (rounds + 2) * M**2
    off = corrected(rounds) - exact
    assert abs(off) < 1000, f"{rounds} rounds: off by {off}"
    print(f"exercise 3: {rounds} rounds, {exact} FLOPs, off by {off:.0f}")
