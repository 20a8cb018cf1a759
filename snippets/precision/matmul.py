# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# ///
"""What float32 means in a matrix product; other devices' rounding is emulated."""

# %% inputs
import random
import re
import textwrap
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

N = 256
rng = np.random.default_rng(0)


def signed():
    """Numbers of size 1 to 2, half of them negative: float32 stores each."""
    size = rng.uniform(1, 2, (N, N)).astype(np.float32)
    return size * rng.choice(np.float32([-1, 1]), (N, N))


a, b = signed(), signed()
print(f"backend {jax.default_backend()}: a @ b, both {a.dtype}{list(a.shape)}")

# %% reference
exact = a.astype(np.float64) @ b.astype(np.float64)  # NumPy: no JAX takes part
ints = zip((a[0] * 2.0**23).tolist(), (b[:, 0] * 2.0**23).tolist())
first = sum(int(x) * int(y) for x, y in ints)  # whole numbers: no rounding
assert abs(exact[0, 0] - first / 2**46) < 1e-12


def error(c, reference=exact):
    """The norm of the difference over the norm of the reference."""
    c = np.asarray(c).astype(np.float64)
    return float(np.linalg.norm(c - reference) / np.linalg.norm(reference))


by_hand = {"bf16 x1": 2**-7 / 14**0.5, "bf16 x3": 3**0.5 / 7 * 2**-16}
by_hand |= {"bf16 x6": 2**-23 / 7 / 14**0.5, "TF32": 2**-10 / 14**0.5}


def rounded_in_numpy(x, bits):
    """To the nearest with this many bits of fraction, a tie to the even one."""
    cut = 23 - bits
    raw = x.view(np.uint32)
    raw = raw + np.uint32(2 ** (cut - 1) - 1) + (raw >> cut & 1)
    return (raw >> cut << cut).view(np.float32)


# %% emulated
def rounded(x, bits):
    return lax.reduce_precision(x, exponent_bits=8, mantissa_bits=bits)


def dot(x, y):
    return jnp.matmul(x, y, precision="highest")  # what is emulated: rounding


def split(x, parts):
    """bfloat16 numbers that add up to x, the largest first."""
    found = []
    for _ in range(parts):
        found.append(rounded(x, 7))
        x = x - found[-1]  # what is left, exactly
    return found


def passes(x, y, parts):
    xs, ys = split(x, parts), split(y, parts)
    pairs = [(i, j) for i in range(parts) for j in range(parts)]
    return sum(dot(xs[i], ys[j]) for i, j in pairs if i + j < parts)


MODES = {
    "bf16 x1": jax.jit(lambda x, y: passes(x, y, 1)),
    "bf16 x3": jax.jit(lambda x, y: passes(x, y, 2)),
    "bf16 x6": jax.jit(lambda x, y: passes(x, y, 3)),
    "TF32": jax.jit(lambda x, y: dot(rounded(x, 10), rounded(y, 10))),
}
emulated, results, off = {}, {}, []
for mode, f in MODES.items():
    emulated[mode] = error(f(a, b))
    dots = str(f.trace(a, b).jaxpr).count("dot_general[")
    errors = f"error {emulated[mode]:.1e}, by hand {by_hand[mode]:.1e}"
    print(f"emulated {mode}: products {dots}, {errors}")
    off.append(abs(emulated[mode] / by_hand[mode] - 1))
    name = mode.replace(" ", "_").lower()
    results |= {f"dots_{name}": dots, f"emulated_{name}": emulated[mode]}
assert [results[f"dots_bf16_x{n}"] for n in (1, 3, 6)] == [1, 3, 6]
del off[list(MODES).index("bf16 x6")]  # there the additions round more
assert max(off) < 0.01
results["largest_off"] = max(off)

results["rounded_apart"] = sum(
    int(np.sum(np.asarray(rounded(x, bits)) != rounded_in_numpy(x, bits)))
    for bits in (7, 10)
    for x in (a, b)
)
assert results["rounded_apart"] == 0
one = MODES["bf16 x1"](a, b)
pair = [rounded_in_numpy(x, 7).astype(np.float64) for x in (a, b)]
assert np.array_equal(one, pair[0] @ pair[1])  # added up without rounding
worst = np.max(np.abs(one - exact) / np.abs(exact))
print(f"emulated bf16 x1: worst single element off by {worst:.0f} times itself")
results["worst_element"] = float(worst)

# %% threads
x = np.float32([[0.3744, 0.1656], [0.4707, 0.1663]])
y = np.float32([[0.3946, 0.1186], [0.1569, 0.3145]])
z = np.float32([[1.1111111, 2.2222222], [3.3333333, 4.4444444]])
tpu = [[0.17405128, 0.09669876], [0.21180916, 0.10805416]]
a100 = [[6.175251, 13.585552], [13.585552, 30.876255]]
DIGITS = {  # inputs, and what their devices printed
    "TPU, jax-ml/jax #9973": (7, x, y, tpu),
    "A100, jax-ml/jax #14157": (10, z, z.T, a100),
}
results |= {"posted_emulated": 0, "posted_float32": 0}
for device, (bits, x, y, posted) in DIGITS.items():
    for name, n in (("emulated", bits), ("float32", 23)):
        c = dot(rounded(x, n), rounded(y, n))
        equal = int(np.sum(np.asarray(c) == np.float32(posted)))
        print(f"{device}: {equal} of 4 numbers equal, {name}")
        results[f"posted_{name}"] += equal
assert (results["posted_emulated"], results["posted_float32"]) == (8, 0)


# %% levels
def carried(f, *args):
    """The levels that the products of a program carry, in StableHLO."""
    text = jax.jit(f).lower(*args).as_text()
    return re.findall(r"dot_general.*precision = \[(\w+),", text)


def product(level):
    return lambda x, y: jnp.matmul(x, y, precision=level)


ALIASES = {"default": "bfloat16", "high": "tensorfloat32", "highest": "float32"}
LEVELS = tuple(ALIASES)
native, programs, products = {}, set(), set()
for level, alias in ALIASES.items():
    for name in (level, alias):
        programs.add(*carried(product(name), a, b))
        c = np.asarray(jax.jit(product(name))(a, b))  # as an argument
        with jax.default_matmul_precision(name):
            d = np.asarray(jax.jit(lambda x, y: x @ y)(a, b))  # as a setting
        assert error(d, reference=c) < 1e-6
        products |= {c.tobytes(), d.tobytes()}
    native[level] = error(c)
    print(f"native {level}: error {native[level]:.1e}")
    results[f"native_{level}"] = native[level]
print(f"levels in programs {len(programs)}, different products {len(products)}")
results |= {"programs": len(programs), "products": len(products)}
assert programs == {level.upper() for level in LEVELS}
if jax.default_backend() == "cpu":
    assert len(products) == 1  # bit for bit
assert native["highest"] < 1e-6

# %% reach
traces = []


@jax.jit
def traced(x, y):
    traces.append(1)  # Python runs this line only while JAX traces
    return x @ y


with jax.default_matmul_precision("highest"):
    defined = jax.jit(lambda x, y: x @ y)  # the definition is in the block
pinned = jax.default_matmul_precision("highest")(lambda x, y: x @ y)
gradient = jax.grad(lambda x, y: jnp.sum(pinned(x, y)))
found = {
    "nothing": carried(lambda x, y: x @ y, a, b),
    "definition": carried(defined, a, b),
    "decorator": carried(pinned, a, b),
    "gradient": carried(gradient, a, b),
}
with jax.default_matmul_precision("highest"):
    found["call"] = carried(defined, a, b)
    found["argument"] = carried(product("default"), a, b)
for where, levels in found.items():
    print(f"{where:<10} {', '.join(levels)}")
    results[f"reach_{where}"] = levels.count("HIGHEST")
for level in (*LEVELS, *LEVELS):
    with jax.default_matmul_precision(level):
        traced(a, b)
print(f"traces {len(traces)} for {2 * len(LEVELS)} calls at {len(LEVELS)} levels")
results["traces"] = len(traces)
assert found["definition"] == found["argument"] == found["nothing"] == ["DEFAULT"]
assert found["call"] == found["decorator"] == ["HIGHEST"]
assert set(found["gradient"]) == {"HIGHEST"} and len(traces) == 3

# %% presets
same, other, refused = [], [], []
plain = jax.jit(product("highest"))(a, b)
for preset in lax.DotAlgorithmPreset:
    if not re.match("BF16|TF32|F32|F64", preset.name):
        continue  # 8 bits, and float16
    try:
        c = jax.jit(product(preset))(a, b)
    except (ValueError, RuntimeError):
        refused.append(preset.name)
    else:
        if np.array_equal(c, plain):
            same.append(preset.name)
        else:
            other.append(f"{preset.name} (error {error(c):.1e})")
answers = {"as highest": same, "other": other, "refused": refused}
for title, names in answers.items():
    print(textwrap.fill(f"{title}: {', '.join(names)}", 78))
if jax.default_backend() == "cpu":
    assert "BF16_BF16_F32" in same and "TF32_TF32_F32" in refused
results |= {"presets_same": len(same), "presets_refused": len(refused)}

# %% wrong-reference
wrong = np.asarray(plain)  # the mistake: a reference in float32
judged = {"float32": plain, "bf16 x6": MODES["bf16 x6"](a, b)}
for name, c in judged.items():
    right, mistaken = error(c), error(c, reference=wrong.astype(np.float64))
    print(f"{name}: error {right:.1e}, against float32 {mistaken:.1e}")
    results[f"mistaken_{name.replace(' ', '_')}"] = mistaken
assert results["mistaken_float32"] == 0 < results["native_highest"]

# %% whole-numbers
whole = [rng.integers(-8, 9, (N, N)).astype(np.float32) for _ in "ab"]
small = whole[0].astype(np.int64) @ whole[1].astype(np.int64)
results["whole_error"] = error(MODES["bf16 x1"](*whole), reference=small)
print(f"emulated bf16 x1 on small whole numbers: error {results['whole_error']}")
assert results["whole_error"] == 0

# %% meaning
devices = {
    "native, on this backend": list(native.values()),
    "emulated, as a TPU": [emulated[f"bf16 x{n}"] for n in (1, 3, 6)],
    "emulated, as a GPU with TF32": [emulated["TF32"]] * 2 + [error(dot(a, b))],
}
lines = {"u of bfloat16": 2**-8, "u of TF32": 2**-11, "u of float32": 2**-24}
visual_data = {
    "kind": "interval",
    "labels": list(LEVELS),
    "ylabel": "error against float64",
    "yscale": "log",
    "series": [{"label": name, "y": y} for name, y in devices.items()],
    "references": [{"label": name, "y": y} for name, y in lines.items()],
}

# %% times tags=["varies"]
TIMED = {
    "default": jax.jit(product("default")),
    "highest": jax.jit(product("highest")),
    "emulated_one": MODES["bf16 x1"],
    "emulated_six": MODES["bf16 x6"],
}
placed = jax.device_put((a, b))
samples = {name: [] for name in TIMED}
order = list(TIMED)
for _ in range(25):
    random.shuffle(order)  # they take turns
    for name in order:
        start = time.perf_counter()
        jax.block_until_ready(TIMED[name](*placed))
        samples[name].append(time.perf_counter() - start)
how = {"inputs": placed, "warmup": 5, "calls": 20, "wait": "each call"}
how["excludes"] = "input construction, transfer, compilation"
measurements = {name: how | {"samples": s[5:]} for name, s in samples.items()}
for name, item in measurements.items():
    print(f"{name} {1e3 * np.median(item['samples']):.3g} ms")

# %% verdict
print("PASS: errors as derived by hand, rounding as in NumPy, levels as counted")

# %% exercise-pin tags=["solution"]
# Exercise 1: a product that no setting around it can change.
def safe(x, y):
    return jnp.matmul(x, y, precision="highest")  # TODO: pin this product


expected_traces = 3  # TODO: how many traces for the four calls below?
seen = []
counted = jax.jit(lambda x, y: (seen.append(1), safe(x, y))[1])
for level in ("default", "bfloat16", "high", "default"):
    with jax.default_matmul_precision(level):
        assert carried(safe, a, b) == ["HIGHEST"], f"{level} reached the product"
        counted(a, b)

assert len(seen) == expected_traces, f"{len(seen)} traces"
print(f"exercise 1: pinned under every setting, traces {len(seen)}")

# %% exercise-mixed tags=["solution"]
# Exercise 2: the two inputs are rounded to different formats.
def expected_error(p, q):
    """For p bits of fraction in a, and q in b, inputs as on this page."""
    return ((4.0**-p + 4.0**-q) / 28) ** 0.5  # TODO: derive it


for p, q in ((7, 7), (7, 10), (4, 5), (3, 16), (9, 8)):
    c = dot(rounded(a, p), rounded(b, q))
    measured, derived = error(c), expected_error(p, q)
    assert abs(derived / measured - 1) < 0.02, f"measured {measured:.2e}"
print(f"exercise 2: error for 9 and 8 bits {derived:.2e}")

# %% exercise-tf32 tags=["solution"]
# Exercise 3: float32 from three products of TF32 numbers.
@jax.jit
def three(x, y):
    x0, y0 = rounded(x, 10), rounded(y, 10)
    x1, y1 = rounded(x - x0, 10), rounded(y - y0, 10)  # TODO: what is left
    return dot(x0, y0) + dot(x0, y1) + dot(x1, y0)  # TODO: three products


jaxpr = str(three.trace(a, b).jaxpr)
kept = error(three(a, b))
assert jaxpr.count("dot_general[") == 3, "not three products"
assert jaxpr.count("mantissa_bits=10") == jaxpr.count("reduce_precision[") == 4
assert kept < emulated["TF32"] / 500, f"error {kept:.1e}"
print(f"exercise 3: error {kept:.1e}, of one product {emulated['TF32']:.1e}")
