# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# cold = true
# ///
"""Keep apart what bfloat16 stores, computes and adds; then bytes against time."""

# %% expected
import numpy as np


def rounded(x):
    """x in bfloat16, by NumPy and whole numbers: half of a float32's bits."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    half = 0x7FFF + ((bits >> 16) & 1)  # so a tie goes to the even neighbour
    return ((bits + half) & 0xFFFF0000).view(np.float32).astype(np.float64)


assert rounded([255, 257, 258, 259, 1001]).tolist() == [255, 256, 258, 260, 1000]
total = 0.0
for _ in range(1001):
    total = float(rounded(total + 1))  # stored after each addition
assert total == 256
print(f"1001 ones: {total:.0f} stored at each step, {rounded(1001):.0f} once")

# %% formats
import jax
import jax.numpy as jnp
from jax import lax

BF16, F32 = jnp.bfloat16, jnp.float32
on_cpu = jax.default_backend() == "cpu"
FORMATS = {"bfloat16": (8, 7), "float16": (5, 10), "float32": (8, 23)}
print("dtype      exponent  fraction        eps    largest  70000 is  stops at")
for name, (exponent, fraction) in FORMATS.items():
    eps = 2.0**-fraction  # by hand: the last bit of a number in [1, 2)
    largest = (2 - eps) * 2.0 ** (2 ** (exponent - 1) - 1)
    stop = 2 ** (fraction + 1)  # from here on numbers are 2 apart
    info = jnp.finfo(name)
    assert (float(info.eps), float(info.max)) == (eps, largest)
    above = jnp.asarray([stop - 1, stop], name) + 1
    assert above.tolist() == [stop, stop]
    seventy = float(jnp.float32(70000).astype(name))
    print(f"{name:<9}{exponent:10d}{fraction:10d}{eps:11.3g}", end="")
    print(f"{largest:11.3g}{seventy:10.0f}{stop:10d}")

# %% probe
x, zeros = jnp.ones(1001, BF16), jnp.zeros(1001, jnp.int32)
lost = jnp.asarray([256, 1, -256] + 998 * [0], BF16)  # their sum is 1


def running(x):
    start = jnp.zeros((), x.dtype)  # the dtype in which it adds
    return lax.fori_loop(0, x.size, lambda i, total: total + x[i], start)


def look_up(table, x):
    return jnp.sum(table[zeros].astype(F32) * x)  # its first entry, times sum(x)


PROBES = {
    "running": running,
    "segment_sum": lambda x: jax.ops.segment_sum(x, zeros, 1)[0],
    "gradient": lambda x: jax.grad(look_up)(x[:3], x)[0],
    "cumsum": lambda x: jnp.cumsum(x)[-1],
    "sum": jnp.sum,
    "sum_f32": lambda x: jnp.sum(x, dtype=F32),
    "sum_bf16": lambda x: jnp.sum(x, dtype=BF16),
    "dot": lambda x: jnp.dot(x, x != 0),
    "dot_f32": lambda x: jnp.dot(x, x != 0, preferred_element_type=F32),
}
ones, kept = {}, {}
print("sum of        1001 ones   256, 1, -256")
for name, f in PROBES.items():
    f = jax.jit(f)
    ones[name], kept[name] = float(f(x)), float(f(lost))
    print(f"{name:<12}{ones[name]:11.0f}{kept[name]:15.0f}  {f(x).dtype}")
assert ones["running"] == total == 256 and kept["running"] == 0
assert ones["sum_f32"] == ones["dot_f32"] == 1001
assert kept["sum_f32"] == kept["dot_f32"] == 1
assert jnp.bfloat16(1000) == 1001  # the literal is rounded, too
if on_cpu:
    assert list(ones.values()) == 3 * [256] + [1000, 1000, 1001, 1000, 1000, 1001]
    assert list(kept.values()) == 4 * [0] + [1, 1, 0, 1, 1]


def added_in(dtype=None):
    """The bits of the numbers that jnp.sum asks XLA to add."""
    jaxpr = jax.make_jaxpr(lambda x: jnp.sum(x, dtype=dtype))(x)
    sums = [eqn for eqn in jaxpr.eqns if eqn.primitive.name == "reduce_sum"]
    return sums[0].invars[0].aval.dtype.itemsize * 8


results = {"ones": ones, "kept": kept}
results |= {"bits": added_in(), "bits_bf16": added_in(BF16)}
print(f"bits that are added: sum {added_in()}, sum_bf16 {added_in(BF16)}")
assert (results["bits"], results["bits_bf16"]) == (32, 16)

# %% product
n = 256


def wide(a, b):
    return jnp.matmul(a, b, preferred_element_type=F32)


def error(found, true):
    gap = np.asarray(found, np.float64) - true
    return float(np.linalg.norm(gap) / np.linalg.norm(true))


# %% errors
draws = np.random.default_rng(0).standard_normal((2, n, n)).astype(np.float32)
a64, b64 = draws.astype(np.float64)
exact = a64 @ b64  # NumPy in float64
stored = rounded(a64) @ rounded(b64)  # the same, of rounded inputs
a, b = jnp.asarray(draws, BF16)
assert np.array_equal(np.asarray(a, np.float64), rounded(a64))


def narrow(a, b):
    """The product, its terms added one by one in the dtype of a."""

    def add(k, total):
        return total + a[:, k, None] * b[k]

    return lax.fori_loop(0, n, add, jnp.zeros((n, n), a.dtype))


ROWS = {
    "inputs": stored,
    "wide": wide(a, b),
    "default": jnp.matmul(a, b),
    "cast": jnp.matmul(a, b).astype(F32),
    "narrow": jax.jit(narrow)(a, b),
}
print("product     error from stored    from exact")
for name, found in ROWS.items():
    errors = error(found, stored), error(found, exact)
    results |= {f"{name}_stored": errors[0], f"{name}_exact": errors[1]}
    print(f"{name:<10}{errors[0]:19.1e}{errors[1]:14.1e}")
assert results["wide_stored"] < 1e-6
if on_cpu:
    assert results["default_stored"] <= 2.0**-8 + 1e-6 < results["narrow_stored"]

# %% updates
ends = {}
for name in FORMATS:
    w = jnp.ones((), name)
    ends[name] = float(lax.fori_loop(0, 1024, lambda _, w: w + 2**-10, w))
assert ends == {"bfloat16": 1, "float16": 2, "float32": 2}
print("1 and 1024 updates of 1/1024:", ends)
results["ends"] = ends


# %% converts
def affine(x):
    return 0.5 * x + 1


plain = jax.jit(affine)
converts, texts = {}, []
for dtype, size in ((F32, 2**16), (BF16, 2**16), (BF16, 2**16 + 1)):
    text = plain.lower(jax.ShapeDtypeStruct((size,), dtype)).compile().as_text()
    texts.append(text.replace(str(size), "size"))
    name = f"{jnp.dtype(dtype)}[{size}]"
    converts[name] = text.count(" convert(")
    print(f"{name:<16} conversions in the compiled program: {converts[name]}")
results |= {"converts": converts, "odd_is_even": texts[1] == texts[2]}
if on_cpu:
    assert list(converts.values()) == [0, 4, 4]  # by hand: 2 an operation
    assert results["odd_is_even"]  # but for the size, one program

# %% sizes tags=["varies"]
import random
import time

try:
    import resource
except ImportError:  # there is none on Windows
    resource = None


def faults():
    """Page faults of this process so far, without those that read a disk."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt if resource else 0


measurements = {}
faulted = {}  # page faults of a call
DTYPES = {"f32": F32, "bf16": BF16}


def in_turns(calls, shape, true, n=5, warmup=1):
    """Times completed calls, in turns; also counts the page faults of each."""
    found, order = {name: [] for name in calls}, list(calls)
    for _ in range(warmup + n):
        random.shuffle(order)
        for name in order:
            before, start = faults(), time.perf_counter()
            output = jax.block_until_ready(calls[name]())
            seconds = time.perf_counter() - start
            found[name].append((seconds, faults() - before))
            assert abs(np.asarray(output).flat[-1] - true) < 0.01 * true
            del output  # its memory is given back outside the clock
    size = ",".join(map(str, shape))
    for name, rows in found.items():
        samples, counts = zip(*rows[warmup:])
        faulted[name] = float(np.median(counts))
        measurements[name] = {
            "samples": list(samples),
            "inputs": f"{np.dtype(DTYPES[name.split('_')[0]])}[{size}]",
            "warmup": warmup,
            "calls": n,
            "wait": "each call",
            "excludes": "inputs, compilation, freeing the output",
        }
        ms = 1e3 * np.median(samples)
        print(f"{name:<13}{ms:9.3f} ms  page faults a call{faulted[name]:7.0f}")


def pair(tag, f, shape, true, n=5):
    """One function of ones, in float32 and in bfloat16."""
    inputs = {name: jnp.ones(shape, dtype) for name, dtype in DTYPES.items()}
    calls = {f"{name}_{tag}": lambda x=x: f(x) for name, x in inputs.items()}
    in_turns(calls, shape, true, n)


jnp.zeros(31 * 2**18).block_until_ready()  # 31 MiB, made and freed
for power in (24, 23, 22, 20):  # from large to small: a free block is used
    pair(f"{power}", plain, (2**power,), 1.5, n=3 if power == 24 else 5)
for power in (22, 20):
    pair(f"{power}_odd", plain, (2**power + 1,), 1.5)
pair("sum", jax.jit(jnp.sum), (2**24,), 2**24)
pair("product", jax.jit(lambda x: x @ x), (512, 512), 512)

donate = jax.jit(affine, donate_argnums=0)
# 0.5 * 2 + 1 is 2 again, so a call can take the output of the last
state = {name: jnp.full(2**23, 2, dtype) for name, dtype in DTYPES.items()}


def step(name):
    state[name] = donate(state[name])  # into the memory of the old one
    return state[name]


calls = {f"{name}_donated": lambda name=name: step(name) for name in state}
in_turns(calls, (2**23,), 2)

panel = {"kind": "line", "xlabel": "elements: 2 to the power of"}
panel["references"] = [
    {"label": "float32: 32 MiB", "x": 23},
    {"label": "bfloat16: 32 MiB", "x": 24},
]
above = {"ylabel": "time of a call", "yscale": "log", "series": []}
below = {"ylabel": "page faults of a call", "series": []}
for odd, powers in (("", (20, 22, 23, 24)), ("_odd", (20, 22))):
    for name, dtype in DTYPES.items():
        names = [f"{name}_{power}{odd}" for power in powers]
        label = np.dtype(dtype).name + (", odd" if odd else "")
        line = {"label": label, "x": powers}
        above["series"].append(line | {"measurement": names})
        below["series"].append(line | {"y": [faulted[name] for name in names]})
visual_data = [panel | above, panel | below]

# %% verdict
print("PASS: roundings, sums, products and conversions are as derived by hand")

# %% exercise-stops tags=["solution"]
# Exercise 1: where does a running sum of equal steps stop?
ones_bf16 = 256  # TODO: 1 + 1 + 1 + ..., in bfloat16
ones_f16 = 2048  # TODO: the same in float16
halves_bf16 = 128  # TODO: 0.5 + 0.5 + ..., in bfloat16
threes_bf16 = 1024  # TODO: 3 + 3 + 3 + ..., in bfloat16

for by_hand, dtype, step in (
    (ones_bf16, "bfloat16", 1),
    (ones_f16, "float16", 1),
    (halves_bf16, "bfloat16", 0.5),
    (threes_bf16, "bfloat16", 3),
):
    zero = jnp.zeros((), dtype)
    found = lax.fori_loop(0, 3000, lambda _, total: total + step, zero)
    assert float(found) == by_hand, f"{step} in {dtype}: not {by_hand}"
print("exercise 1: four sums stop where the steps are lost")


# %% exercise-look-up tags=["solution"]
# Exercise 2: a table stays bfloat16, and its gradient counts all look-ups.
def counted(table, indices):
    rows = table.astype(F32)[indices]  # TODO: look the rows up, as float32
    return jnp.sum(rows)


first_entry = 1000  # TODO: the gradient of table[0], as it is stored
table = jnp.asarray([1, 2, 4], BF16)
found = float(jax.jit(counted)(table, jnp.asarray([1, 2] + 999 * [0])))
gradient = jax.jit(jax.grad(counted))(table, zeros)

assert gradient.dtype == BF16
assert found == 2 + 4 + 999, f"the sum is {found}"
assert first_entry == rounded(1001), "what does bfloat16 make of 1001?"
assert gradient.tolist() == [first_entry, 0, 0], f"found {gradient.tolist()}"
print(f"exercise 2: gradient {gradient.tolist()}")

# %% exercise-rest tags=["solution"]
# Exercise 3: 64 updates in bfloat16 only, and none of them lost.
w, rest = jnp.asarray([1, 0], BF16)
update = jnp.asarray(2**-10, BF16)
for _ in range(64):
    wanted = update + rest  # TODO: what is to be added now
    new = w + wanted
    rest = wanted - (new - w)  # TODO: what that addition lost
    w = new

assert w.dtype == rest.dtype == BF16
assert float(w) == 1.0625, f"w is {float(w)}"
assert float(w) + float(rest) == 1 + 64 / 1024  # nothing is lost
print(f"exercise 3: w {float(w)}, rest {float(rest)}")
