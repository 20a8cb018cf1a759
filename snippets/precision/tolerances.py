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
ulp = float(np.spacing(np.float32(abs(exact[1]))))
samples = {"second_entry": [float(abs(c[1] - exact[1])) / ulp for c in calls]}


# %% sums tags=["varies"]
@jax.jit
def running(v):  # one after another: n - 1 additions in a row
    return lax.scan(lambda total, term: (total + term, None), v[0], v[1:])[0]


blocked = jax.jit(jnp.sum)  # in an order that XLA chooses


def errors(f, rows):
    """Each sum's distance from the exact one, in units of u sum|v|."""
    sums = ((float(f(v)), v.astype(float).tolist()) for v in rows)
    off = [(s - math.fsum(v)) / math.fsum(map(abs, v)) for s, v in sums]
    return [abs(error) / u["float32"] for error in off]


lengths = [2**k for k in range(4, 17, 2)]
worst = {running: [], blocked: []}
for n in lengths:
    rows = rng.random((8, n)).astype(np.float32)
    last = {f: errors(f, rows) for f in worst}
    for f, off in last.items():
        worst[f].append(max(off))
conditions, relative = [], []
for k in range(0, 25, 4):
    cases = []
    for _ in range(8):
        v, rest = np.split(rng.random(3072).astype(np.float32), [1024])
        cases.append(rng.permutation(np.concatenate([v, -v, rest / 2**k])))
    terms = np.array(cases, float)
    condition = np.abs(terms).sum(1) / terms.sum(1)  # float64 is exact enough
    conditions.append(float(np.median(condition)))
    relative.append(float(max(errors(blocked, cases) * condition)))
ns = np.array(lengths)
bounds = {"(n - 1)": ns - 1, "√n": np.sqrt(ns)}
for n, a, b, root in zip(lengths, *worst.values(), bounds["√n"]):
    print(f"n {n:5d}: running {a:6.2f}  jnp.sum {b:4.2f}  √n {root:5.1f}")
for condition, off in zip(conditions, relative):
    print(f"condition {condition:7.1e}: jnp.sum {off * u['float32']:.1e}")
every, root = bounds.values()
results["over_worst_case"] = float(max(np.max(o / every) for o in worst.values()))
results["running_over_root"] = float(np.max(worst[running] / root))
results["sum_over_root"] = float(np.max(worst[blocked] / root))
results["relative_easy"] = relative[0] * u["float32"]
results["relative_hard"] = relative[-1] * u["float32"]
assert results["over_worst_case"] < 1  # this one is a theorem
itself = float(np.cumsum(rows[0])[-1])  # float32, in the same order
results["running_against_itself"] = float(running(rows[0])) - itself
samples |= {"running_error": last[running], "sum_error": last[blocked]}
one = {"wait": "each call", "warmup": 0, "excludes": "the reference"}
measurements = {
    name: one | {"samples": values, "calls": len(values), "unit": "u"}
    for name, values in samples.items()
}
for name in ("running_error", "sum_error"):
    measurements[name]["inputs"] = (rows[0],)
measurements["second_entry"] |= {"inputs": (w, x, y), "unit": "ulp"}


def drawn(xs, named):
    return [
        {"label": label, "x": xs, "y": (np.array(y) * u["float32"]).tolist()}
        for label, y in named.items()
    ]


logs = {"kind": "line", "xscale": "log", "yscale": "log"}
shown = {"running sum": worst[running], "jnp.sum": worst[blocked]}
shown |= {f"{growth} u": value for growth, value in bounds.items()}
hard = {"jnp.sum": relative}
hard["4095 u times the condition"] = 4095 * np.array(conditions)
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
    """Roundings of a sum of n terms that were rounded `extra` times before."""
    return math.sqrt(n) + extra


def scale(w, x, y):
    """The gradient's formula with every term made positive: what may cancel."""
    w, x, y = (np.abs(np.asarray(a, np.float64)) for a in (w, x, y))
    return 2 / len(x) * x.T @ (x @ w + y)


def derived(w, x, y, dtype="float32"):
    errs = growth(len(x), extra=len(w) + 3) * u[dtype]
    return {"rtol": 0, "atol": errs * scale(w, x, y).max()}


chosen = derived(w, x, y)
results["atol"] = chosen["atol"]
print(f"growth {growth(N, D + 3):g}, scale {scale(w, x, y).max():.3f}")
print(f"atol {chosen['atol']:.2e}")


# %% mutants
def passes(value, right, **tolerance):
    try:
        np.testing.assert_allclose(np.asarray(value, float), right, **tolerance)
    except AssertionError:
        return False
    return True


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
    "a row lost": (gradient(w, x[:-1], y[:-1]) * (N - 1) / N, "yes no no no"),
    "x in bfloat16": (gradient(w, rounded, y), "yes no no no"),
}
print(f"{'passes with':<14}", *(f"{name:>8}" for name in TOLERANCES))
passed = {}
for case, (value, by_hand) in CASES.items():
    row = [passes(value, exact, **t) for t in TOLERANCES.values()]
    passed[case] = ["yes" if entry else "no" for entry in row]
    print(f"{case:<14}", *(f"{word:>8}" for word in passed[case]))
    assert passed[case] == by_hand.split(), case
columns = list(zip(*passed.values()))  # one a tolerance, the right case first
results["missed_loose"] = columns[0][1:].count("yes")
results["missed_derived"] = columns[2][1:].count("yes")
results["right_passes_derived"] = columns[2][0] == "yes"
results["right_passes_tight"] = columns[3][0] == "yes"


def finest(tolerance):
    """The largest k for which a factor of 1 + 2^-k is refused."""
    values = [exact * (1 + 2.0**-k) for k in range(40)]
    return [passes(v, exact, **tolerance) for v in values].index(True) - 1


refused = [finest(tolerance) for tolerance in TOLERANCES.values()]
print(f"{'refuses 2^-k':<14}", *(f"{k:8d}" for k in refused))
assert refused == [6, 16, 17, 26]  # by hand: the page says how
results |= {"finest_loose": refused[0], "finest_derived": refused[2]}

# %% zero
best = np.linalg.lstsq(x.astype(float), y.astype(float), rcond=None)[0]
best = best.astype(np.float32)  # here the gradient is zero, but for rounding
large = (best, x * 2**4, y * 2**4)  # in another unit: exact
tiny = (w, x / 2**16, y / 2**16)
lost = (w, x[:-1] / 2**16, y[:-1] / 2**16)
short = found.astype(jnp.bfloat16)
ROWS = {  # is it right, the value, the arguments, their dtype
    "right, at the minimum": (True, gradient(*large), large, "float32"),
    "a row lost, tiny unit": (False, gradient(*lost), tiny, "float32"),
    "right, as bfloat16": (True, short, (w, x, y), "bfloat16"),
}
results |= {"wrong_verdicts_default": 0, "wrong_verdicts_derived": 0}
for name, (good, value, arguments, dtype) in ROWS.items():
    goal = by_formula(*arguments)
    default = passes(value, goal, rtol=1e-5, atol=1e-8)
    ours = passes(value, goal, **derived(*arguments, dtype))
    results["wrong_verdicts_default"] += default is not good
    results["wrong_verdicts_derived"] += ours is not good
    words = ["passes" if verdict else "refused" for verdict in (default, ours)]
    print(f"{name:<22}  default: {words[0]:<7}  derived: {words[1]}")

# %% verdict
assert results["wrong_verdicts_default"] == 3
assert results["wrong_verdicts_derived"] == 0
print("PASS: sums within bounds, right admitted, wrong refused, as derived")


# %% exercise-units tags=["solution"]
# Exercise 1: the worst case of a sum of n positive numbers, as rtol.
def worst_rtol(dtype, n):
    unit = float(jnp.finfo(dtype).eps) / 2  # TODO: the error of one rounding
    roundings = n - 1  # TODO: how many, one after another?
    return roundings * unit


assert worst_rtol("float32", 2) == 2.0**-24, "one addition"
assert worst_rtol("float32", 1025) == 2.0**-14
assert worst_rtol("bfloat16", 17) == 2.0**-4
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
