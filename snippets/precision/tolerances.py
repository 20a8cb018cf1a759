# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 3e-5
# timeout = 60
# ///
"""Choose rtol and atol from the rounding of one operation and their number."""

# %% inputs
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

N, D = 1024, 4
rng = np.random.default_rng(0)
x = rng.standard_normal((N, D)).astype(np.float32)
y = rng.standard_normal(N).astype(np.float32)
w = np.float32([-1, -1 / 16, 1 / 2, 1])
u = {t: float(jnp.finfo(t).eps) / 2 for t in ("float32", "bfloat16")}
assert u == {"float32": 2.0**-24, "bfloat16": 2.0**-8}  # 24 and 8 bits
print(f"backend {jax.default_backend()}: x {x.dtype}{list(x.shape)}")
for dtype, value in u.items():
    print(f"{dtype:<8}  eps {2 * value:.3g}  u {value:.3g}")


# %% expected
def by_formula(w, x, y):
    """The gradient 2/N X'(Xw - y), in NumPy's float64: no JAX takes part."""
    w, x, y = (np.asarray(a, np.float64) for a in (w, x, y))
    return 2 / len(x) * x.T @ (x @ w - y)


small = np.arange(12).reshape(4, 3) / 10  # on paper: (0.36, 0.34, 0.32)
by_hand = by_formula([1, 2, -1], small, np.ones(4))
assert np.abs(by_hand - [0.36, 0.34, 0.32]).max() < 1e-15
exact = by_formula(w, x, y)


# %% gradient
@jax.jit
def gradient(w, x, y):
    def loss(w):
        return jnp.mean((jnp.sum(x * w, axis=1) - y) ** 2)

    return jax.grad(loss)(w)


found = np.asarray(gradient(w, x, y))
print(" in float64    in float32    one ulp")
for right, value in zip(exact, found):
    print(f"{right:11.8f}  {value:12.9f}  {np.spacing(abs(value)):.2e}")
results = {"largest_error": float(np.abs(found - exact).max())}
assert results["largest_error"] < 1e-5  # the tolerance is derived below
calls = [np.asarray(gradient(w, x, y)) for _ in range(20)]
patterns = len({found.tobytes(), *(call.tobytes() for call in calls)})
print(f"21 calls, different bit patterns: {patterns}")


# %% adding
@jax.jit
def running(v):  # one after another: n - 1 additions in a row
    return lax.scan(lambda total, term: (total + term, None), v[0], v[1:])[0]


blocked = jax.jit(jnp.sum)  # in an order that XLA chooses


# %% sums tags=["varies"]
def errors(f, rows):
    """Each sum's distance from the exact one, in units of u sum|v|."""
    sums = ((float(f(v)), v.astype(float).tolist()) for v in rows)
    off = [(s - math.fsum(v)) / math.fsum(map(abs, v)) for s, v in sums]
    return [abs(error) / u["float32"] for error in off]


lengths = [2**k for k in range(4, 17, 3)]
worst = {blocked: [], running: []}
for n in lengths:
    rows = rng.random((8, n)).astype(np.float32)
    last = {f: errors(f, rows) for f in worst}
    for f, off in last.items():
        worst[f].append(max(off))
conditions, relative = [], {blocked: [], running: []}
for k in range(0, 25, 6):
    cases = []
    for _ in range(8):
        v, rest = np.split(rng.random(3 * 2**11).astype(np.float32), [2**11])
        cases.append(rng.permutation(np.concatenate([v, -v, rest / 2**k])))
    terms = np.array(cases, float)
    condition = np.abs(terms).sum(1) / terms.sum(1)  # float64 is exact enough
    conditions.append(float(np.median(condition)))
    for f, offs in relative.items():
        offs.append(float(max(errors(f, cases) * condition)))
ns = np.array(lengths)
bounds = {"(n - 1)": ns - 1, "√n": np.sqrt(ns)}
for n, a, b, root in zip(lengths, *worst.values(), bounds["√n"]):
    print(f"n {n:5d}: jnp.sum {a:4.2f}  running {b:6.2f}  √n {root:5.1f}")
for condition, *off in zip(conditions, *relative.values()):
    a, b = (each * u["float32"] for each in off)
    print(f"condition {condition:7.1e}: jnp.sum {a:.1e}  running {b:.1e}")
every, root = bounds.values()
results["over_worst_case"] = float(max(np.max(o / every) for o in worst.values()))
results["running_over_root"] = float(np.max(worst[running] / root))
results["sum_over_root"] = float(np.max(worst[blocked] / root))
results["relative_easy"] = relative[blocked][0] * u["float32"]
results["relative_hard"] = relative[blocked][-1] * u["float32"]
assert results["over_worst_case"] < 1  # this one is a theorem
assert running(rows[0]) == np.cumsum(rows[0])[-1]  # float32, one order
ulp = float(np.spacing(np.float32(abs(exact[1]))))
samples = {"running_error": last[running], "sum_error": last[blocked]}
samples["second_entry"] = [float(abs(c[1] - exact[1])) / ulp for c in calls]
terms = x * ((x * w).sum(1) - y)[:, None] * np.float32(2 / N)  # NumPy's float32
windows = terms.reshape(-1, 32, D).cumsum(1)[:, -1].cumsum(0)[-1]  # of 32 rows
samples["windows"] = [float(np.sum(call == windows)) for call in calls]
one = {"wait": "each call", "warmup": 0, "excludes": "the reference"}
measurements = {
    name: one | {"samples": values, "calls": len(values), "unit": "u"}
    for name, values in samples.items()
}
for name in ("running_error", "sum_error"):
    measurements[name]["inputs"] = (rows[0],)
for name, unit in (("second_entry", "ulp"), ("windows", "of 4")):
    measurements[name] |= {"inputs": (w, x, y), "unit": unit}


def drawn(xs, named):
    return [
        {"label": label, "x": xs, "y": (np.array(y) * u["float32"]).tolist()}
        for label, y in named.items()
    ]


logs = {"kind": "line", "xscale": "log", "yscale": "log"}
NAMES = ("jnp.sum", "running sum")
shown = dict(zip(NAMES, worst.values()))
shown |= {f"{growth} u": value for growth, value in bounds.items()}
hard = dict(zip(NAMES, relative.values()))
hard["(n - 1) u × condition"] = 8191 * np.array(conditions)
visual_data = [
    logs
    | {"xlabel": "length of the sum", "ylabel": "relative error"}
    | {"series": drawn(lengths, shown)},
    logs
    | {"xlabel": "condition of the sum", "ylabel": "relative error"}
    | {"series": drawn(conditions, hard)}
    | {"references": [{"label": "as large as the sum", "y": 1.0}]},
]


# %% choose
def growth(n, extra):
    """What stands before u: √n for the sum, and `extra` for what came before."""
    return math.sqrt(n) + extra


def scale(w, x, y):
    """The gradient's formula with every term made positive: what may cancel."""
    w, x, y = (np.abs(np.asarray(a, np.float64)) for a in (w, x, y))
    return 2 / len(x) * x.T @ (x @ w + y)


def derived(w, x, y, last=0.0):
    """For a result in float32; `last` is the u of one more rounding of it."""
    atol = growth(len(x), extra=len(w) + 3) * u["float32"] * scale(w, x, y)
    return {"rtol": last, "atol": atol * (1 + last)}


chosen = derived(w, x, y)
results["atol"] = float(chosen["atol"].min())
print(f"growth {growth(N, D + 3):g}")
print("scale", *(f"{size:.3f}   " for size in scale(w, x, y)))
print("atol ", *(f"{atol:.2e}" for atol in chosen["atol"]))


# %% mutants
def passes(value, right, rtol=0.0, atol=0.0):
    """The formula of the test; here `atol` may be one number for each entry."""
    far = np.abs(np.asarray(value, float) - right)
    return bool(np.all(far <= atol + rtol * np.abs(right)))


def lost(w, x, y):  # the mistake: the last row is missing
    return np.asarray(gradient(w, x[:-1], y[:-1])) * (N - 1) / N


TOLERANCES = {
    "1e-2": {"rtol": 1e-2, "atol": 1e-2},
    "1e-5": {"rtol": 1e-5, "atol": 1e-8},  # the defaults of jnp.allclose
    "derived": chosen,
    "1e-8": {"rtol": 1e-8},
}
rounded = x.astype(jnp.bfloat16).astype(np.float32)
CASES = {  # a value, and by hand: which tolerances let it pass?
    "right": (found, "yes yes yes no"),
    "not times 2": (found / 2, "no no no no"),
    "N - 1 for N": (found * N / (N - 1), "yes no no no"),
    "last row lost": (lost(w, x, y), "yes no no no"),
    "x in bfloat16": (gradient(w, rounded, y), "yes no no no"),
}
heads = [f"{name:>8}" for name in TOLERANCES]
print(f"{'passes with':<14}", *heads, "  error/atol")
passed = {}
for case, (value, by_hand) in CASES.items():
    row = [passes(value, exact, **t) for t in TOLERANCES.values()]
    passed[case] = ["yes" if entry else "no" for entry in row]
    words = [f"{word:>8}" for word in passed[case]]
    ratio = np.max(np.abs(value - exact) / chosen["atol"])
    print(
        f"{case:<14}", *words, f"{ratio:12.2f}" if ratio < 1 else f"{ratio:12.2g}"
    )
    assert passed[case] == by_hand.split(), case


# %% finest
def finest(tolerance):
    """The largest k for which a factor of 1 + 2^-k is refused."""
    values = [exact * (1 + 2.0**-k) for k in range(40)]
    return [passes(v, exact, **tolerance) for v in values].index(True) - 1


refused = [finest(tolerance) for tolerance in TOLERANCES.values()]
print(f"{'refuses 2^-k':<14}", *(f"{k:8d}" for k in refused))
columns = list(zip(*passed.values()))  # one a tolerance, the right case first
results["missed_loose"] = columns[0][1:].count("yes")
results["missed_derived"] = columns[2][1:].count("yes")
results["right_passes_derived"] = columns[2][0] == "yes"

# %% zero
best = np.linalg.lstsq(x.astype(float), y.astype(float), rcond=None)[0]
best = best.astype(np.float32)  # here the gradient is zero, but for rounding
large = (best, x * 2**4, y * 2**4)  # in another unit: exact
unit = np.float32([1, 2**-24, 1, 1])
column = (w / unit, x * unit, y)  # one column in another unit
flip = np.float32([1, -1, 1, 1])  # the mistake: the sign of its entry
near = np.asarray(gradient(*large))
brief = [v.astype(jnp.bfloat16) for v, _ in CASES.values()]
ROWS = {  # is it right, the value, the arguments
    "right, at the minimum": (True, near, large),
    "halved, at the minimum": (False, near / 2, large),
    "a wrong sign, tiny column": (False, flip * gradient(*column), column),
    "right, as bfloat16": (True, brief[0], (w, x, y)),
    "last row lost, as bfloat16": (False, brief[3], (w, x, y)),
    "N - 1 for N, as bfloat16": (False, brief[2], (w, x, y)),
}
verdicts = {"default": [], "derived": []}
for name, (good, value, arguments) in ROWS.items():
    last = u["bfloat16"] if value.dtype == jnp.bfloat16 else 0
    tried = TOLERANCES["1e-5"], derived(*arguments, last)
    ours = [passes(value, by_formula(*arguments), **t) for t in tried]
    for pairs, verdict in zip(verdicts.values(), ours):
        pairs.append((good, verdict))
    words = ["passes" if verdict else "refused" for verdict in ours]
    print(f"{name:<26}  default: {words[0]:<7}  derived: {words[1]}")

# %% verdict
for each, pairs in verdicts.items():
    results[f"right_refused_{each}"] = pairs.count((True, False))
    results[f"wrong_passed_{each}"] = pairs.count((False, True))
assert refused == [6, 16, 17, 26]  # by hand, in the first experiment
assert results["right_refused_default"] == 2
assert results["wrong_passed_default"] == 1
assert results["right_refused_derived"] == 0
assert results["wrong_passed_derived"] == 2  # the first by hand, the other seen
print("PASS: sums within bounds, right admitted, wrong refused, as derived")


# %% exercise-units tags=["solution"]
# Exercise 1: the worst case of a sum of n positive numbers, as rtol.
def worst_rtol(dtype, n):
    unit = float(jnp.finfo(dtype).eps) / 2  # TODO: the error of one rounding
    roundings = n - 1  # TODO: how many, one after another?
    return roundings * unit


assert worst_rtol("float32", 2) == 2.0**-24, "one addition"
assert worst_rtol("float32", 1025) == 2.0**-14, "1024 additions"
assert worst_rtol("bfloat16", 17) == 2.0**-4, "16 additions in bfloat16"
tenths = np.full(1024, 0.1, np.float32)
sums = float(np.cumsum(tenths)[-1]), math.fsum(tenths.tolist())
off = abs(sums[0] / sums[1] - 1)
assert 0 < off <= worst_rtol("float32", 1024)
print(f"exercise 1: error {off:.1e}, bound {worst_rtol('float32', 1024):.1e}")


# %% exercise-scale tags=["solution"]
# Exercise 2: atol for a sum with cancellation, in whatever unit.
def sum_atol(v):
    v = v.astype(np.float64)
    size = np.abs(v).sum()  # TODO: what of v does the error grow with?
    return math.sqrt(len(v)) * 2.0**-24 * size


half = rng.random(4000).astype(np.float32)
half[0] = 2.0**-5  # the term that will be lost
mixed = np.concatenate([half, -half, np.float32([2.0**-12])])
for unit in (2.0**-40, 1.0, 2.0**40):  # exact: other exponents only
    v = np.float32(unit) * mixed
    right = math.fsum(v.tolist())
    value = float(np.cumsum(v)[-1])  # one after another, in float32
    short = math.fsum(v[1:].tolist())  # the mistake: a term is lost
    assert abs(value - right) <= sum_atol(v), f"unit {unit}: refuses a right sum"
    assert abs(short - right) > sum_atol(v), f"unit {unit}: admits a wrong sum"
three = sum_atol(np.float32([3, -1, 1]))
assert three == math.sqrt(3) * 2.0**-24 * 5, "three terms, by hand"
print(f"exercise 2: atol {sum_atol(mixed):.1e}")


# %% exercise-hidden tags=["solution"]
# Exercise 3: from which length can a lost row hide in a tolerance?
def hides(u, growth):
    """The first power of two n at which 1 / n is at most growth(n) * u."""
    for n in (2**k for k in range(1, 60)):
        hidden = 1 / n <= growth(n) * u  # TODO: does the mistake pass at n?
        if hidden:
            return n


asked = [(2.0**-24, float), (2.0**-24, math.sqrt), (2.0**-8, float)]
by_hand = [2**12, 2**16, 2**4]  # TODO: n for n u, for sqrt(n) u, for bfloat16
assert [hides(*case) for case in asked] == by_hand, "not what you derived"
for (unit, grows), n in zip(asked, by_hand):
    for length, hidden in ((n // 2, False), (n, True)):
        rtol = grows(length) * unit
        assert passes(length - 1.0, float(length), rtol=rtol) is hidden, length
print("exercise 3: a lost row hides from", *by_hand, "rows")
