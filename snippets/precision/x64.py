# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# cold = true
# ///
"""Ask for float64 and see what comes, what it doubles, and what it costs."""

# %% imports
import contextlib
import os
import textwrap
import threading
import time
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, monitoring

# %% expected
clock = np.array([1_700_000_000, 1_700_000_090], np.float64)  # two times, in s
apart = 2.0 ** (30 - 23)  # between float32 numbers from 2**30 to 2**31
rounded = np.round(clock / apart) * apart  # 13281250 and 13281251, times 128
assert rounded.tolist() == clock.astype(np.float32).tolist()
assert np.diff(clock)[0] == 90 and np.diff(rounded)[0] == 128
print(f"elapsed {np.diff(clock)[0]}, of float32 times {np.diff(rounded)[0]}")


# %% ways
@contextlib.contextmanager
def setting(name):
    """One of default, error, allow, enable_x64, until the block ends."""
    explicit = name if name in ("error", "allow") else "warn"
    jax.config.update("jax_explicit_x64_dtypes", explicit)
    try:
        with jax.enable_x64(name == "enable_x64"):
            yield
    finally:
        jax.config.update("jax_explicit_x64_dtypes", "warn")


def received(ask):
    """What came: dtype, ! if JAX warned, and the elapsed seconds; or raises."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")  # by default: once for each place in code
        try:
            a = ask()
        except ValueError:
            return "raises", said
    seconds = np.diff(np.asarray(a, np.float64))[0]  # NumPy subtracts
    return f"f{8 * a.dtype.itemsize}{'!' * bool(said)} {seconds:.0f}", said


unchanged = jax.jit(lambda c: c)
SETTINGS = ("default", "error", "allow", "enable_x64")
SILENT = ["f32 128", "f32 128", "f32 128", "f64 90"]
WAYS = {  # how float64 is asked for, and what comes, in each setting
    'jnp.asarray(c, "float64")': (
        lambda: jnp.asarray(clock, "float64"),
        ["f32! 128", "raises", "f64 90", "f64 90"],
    ),
    'jnp.zeros(2, "float64") + c': (
        lambda: jnp.zeros(2, "float64") + clock,
        ["f32! 128", "raises", "f64 128", "f64 90"],
    ),
    "jnp.array(c, float)": (lambda: jnp.array(clock, float), SILENT),
    "jnp.asarray(c)": (lambda: jnp.asarray(clock), SILENT),
    "jax.jit(f)(c)": (lambda: unchanged(clock), SILENT),
}
came = {name: [] for name in SETTINGS}
print(f"{'':<29}" + "".join(f"{name:<12}" for name in SETTINGS).rstrip())
for way, (ask, expected) in WAYS.items():
    row = []
    for name in SETTINGS:
        with setting(name):
            cell, said = received(ask)
        row.append(cell)
        came[name].append(cell)
        text = str(said[0].message) if said else text
    assert row == expected, (way, row)
    print(f"{way:<29}" + "".join(f"{cell:<12}" for cell in row).rstrip())
print(textwrap.fill(text.split(". ")[0], 80))
with warnings.catch_warnings(action="error"):
    ms = jnp.asarray(np.array([1_700_000_000_000])).tolist()[0]  # int64
assert ms == 1_700_000_000_000 - 396 * 2**32
print(f"the first time in milliseconds: {ms}, no warning")
wrong = {name: sum("128" in cell for cell in came[name]) for name in SETTINGS}
silent = came["default"].count("f32 128")
results = {"wrong": wrong, "silent": silent}
results |= {"raises": came["error"].count("raises"), "ms": ms}

# %% inputs
x = jnp.ones(4, jnp.float32)
ints, key = jnp.ones(4, jnp.int32), jax.random.key(0)

# %% doubles
DTYPES = {  # by hand: with the flag off, and on
    "jnp.zeros(4)": "float32 float64",
    "jnp.array([1j])": "complex64 complex128",
    "jnp.arange(4)": "int32 int64",
    "jnp.argmax(x)": "int32 int64",
    "ints.sum()": "int32 int64",
    "ints * 2.0": "float32 float64",
    "jax.random.normal(key, 4)": "float32 float64",
    "x * np.float64(2)": "float32 float64",
    "x * 2.0": "float32 float32",
    "x + jnp.arange(4)": "float32 float32",
    "ints / 2": "float32 float32",
}
doubled = kept = 0
for code, dtypes in DTYPES.items():
    widths = []
    for flag, dtype in zip((False, True), dtypes.split()):
        with jax.enable_x64(flag):
            a = eval(code)
        assert a.dtype == dtype, (code, a.dtype)
        widths.append(len(np.asarray(a).tobytes()) // a.size)  # counted: bytes
        assert widths[-1] == np.dtype(dtype).itemsize
    print(f"{code:<27}{dtypes:<22}bytes {widths[0]} -> {widths[1]}")
    doubled += widths[1] == 2 * widths[0]
    kept += widths[1] == widths[0]
assert doubled == 8 and kept == 3
draws = jax.random.normal(key, 4)
with jax.enable_x64(True):
    wide = jax.random.normal(key, 4)
    asked = jax.random.normal(key, 4, jnp.float32)
redrawn = bool(np.max(np.abs(np.asarray(wide) - np.asarray(draws))) > 0.1)
same = asked.tolist() == draws.tolist()
print(f"normal: other numbers {redrawn}, float32 named: the same {same}")
results |= {"doubled": doubled, "kept": kept, "redrawn": redrawn, "same": same}


# %% survives
def in_thread():
    thread = threading.Thread(target=lambda: seen.append(jnp.zeros(3).dtype))
    thread.start()
    thread.join()


seen = []
with jax.enable_x64(True):
    d, w = jnp.array([0.1, 0.2, 0.3]), jnp.full(3, 0.1)
    in_thread()
OUTSIDE = {  # by hand: the dtype outside, ! if JAX warns; the first number
    "jnp.array(d)": ("float64", 0.1),
    "d + d": ("float64", 0.2),
    "jnp.sin(d)": ("float64", np.sin(0.1)),
    "d @ d": ("float64!", 0.14),
    "d * 2.0": ("float32!", 0.2),
    "d.sum()": ("float32!", 0.6),
    "jax.jit(lambda d: d + 1)(d)": ("float32!", 1.1),
    "w + w": ("float32!", 0.2),
}
stays = digits = 0
for code, (expected, exact) in OUTSIDE.items():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        a = eval(code)
    found, first = f"{a.dtype}{'!' * bool(said)}", float(np.ravel(a)[0])
    assert found == expected, (code, found)
    print(f"{code:<29}{found:<10}{first:.12f}")
    stays += bool(a.dtype == jnp.float64)
    digits += bool(abs(first - exact) < 1e-12)
assert stays == 4 and digits == 3
jax.config.update("jax_enable_x64", True)
in_thread()
jax.config.update("jax_enable_x64", False)
print(f"another thread: {seen[0]} in a block, {seen[1]} after config.update")
os.environ["JAX_ENABLE_X64"] = "1"  # after the import: nobody reads it
late = jnp.zeros(3).dtype
del os.environ["JAX_ENABLE_X64"]
print(f"variable set after the import: {late}")
block, update, late = (dtype == jnp.float64 for dtype in (*seen, late))
results |= {"stays": stays, "digits": digits}
results |= {"block": block, "update": update, "late": late}

# %% program
events, traces = [], []
monitoring.register_event_duration_secs_listener(
    lambda event, _, **more: events.append((event, more.get("fun_name", "")))
)


@jax.jit
def scale(x):
    traces.append(x.dtype)  # Python runs this line only while JAX traces
    return 0.5 * x + 1


values = []
for flag in (False, True, False, True):
    with jax.enable_x64(flag):
        values.append(scale(x).tolist())
told = sum("jaxpr_trace" in event and "scale" in name for event, name in events)
assert len(traces) == told == 2 and values == [[1.5] * 4] * 4
print(f"flag off, on, off, on: traces {told}")
masked = jax.jit(lambda x: jnp.where(x > 0, x, 0.0))
same_text, wide_text = [], []
for f in scale, masked:
    lowered = []
    for flag in (False, True):
        with jax.enable_x64(flag):
            lowered.append(f.lower(x))
    texts = [stage.as_text() for stage in lowered]
    same_text.append(texts[0] == texts[1])
    wide_text.append("f64" in texts[1])
compiled_wide = "f64" in lowered[1].compile().as_text()
print(f"same lowered text: scale {same_text[0]}, where {same_text[1]}")
print(f"f64 for where: lowered {wide_text[1]}, compiled {compiled_wide}")
same_program = same_text[0] and not wide_text[0]
results |= {"traces": told, "same_program": same_program}
results |= {"where_wide": wide_text[1], "compiled_wide": compiled_wide}


# %% total
def total(xs):
    start = jnp.zeros((), jnp.float32)  # the dtype is named
    return lax.scan(lambda c, x: (c + x, None), start, xs)[0]


# %% carry
raised = ""
print(f"flag off: {total(jnp.ones(3))}")
with jax.enable_x64(True):
    try:
        total(jnp.ones(3))
    except TypeError as error:
        raised = str(error)
        for part in raised.split("\n\n")[:2]:
            print(textwrap.fill(part, 80))
assert "float32[]" in raised and "float64[]" in raised

# %% cost tags=["varies"]
try:
    import resource
except ImportError:  # there is none on Windows
    resource = None

CALLS, WARMUP = 5, 1
common = {"warmup": WARMUP, "calls": CALLS, "wait": "each call"}
common["excludes"] = "inputs, compilation, freeing the output, counting faults"
measurements = {}


def faults():
    """Page faults of this process so far, without those that read a disk."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt if resource else 0


def in_turns(calls, flags=()):
    """Times completed calls in turns; a donated input is the last output."""
    order = list(zip(calls, flags or [True] * len(calls)))
    samples, counts = {n: [] for n in calls}, {n: [] for n in calls}
    for _ in range(WARMUP + CALLS):
        for name, flag in order:
            f, args = calls[name]
            with jax.enable_x64(flag):
                before, start = faults(), time.perf_counter()
                out = jax.block_until_ready(f(*args))
                samples[name].append(time.perf_counter() - start)
                counts[name].append(faults() - before)
            if "donated" in name:
                calls[name] = f, (out,)
            del out
        order.reverse()
    for name, (_, args) in calls.items():
        given = {"inputs": args, "samples": samples[name][WARMUP:]}
        measurements[name] = common | given
        ms, count = 1e3 * np.median(given["samples"]), np.median(counts[name])
        mib = args[0].nbytes / 2**20
        print(f"{name:<14} {mib:4.0f} MiB {ms:7.2f} ms, page faults {count:.0f}")


give = jax.jit(lambda x: 0.5 * x + 1, donate_argnums=0)
matmul = jax.jit(jnp.matmul)
jnp.zeros(31 * 2**18, jnp.float32).block_until_ready()  # see the text
PAIRS = ("f32_23 f64_22", "f32_22 f64_21", "f32_21 f64_20", "f32_20 f64_19")


def call(name):
    """The call behind a name: its dtype, and how many zeros: f32_23 has 2**23."""
    dtype, size = "float" + name[1:3], 2 ** int(name[4:6])
    zeros = jax.block_until_ready(jnp.zeros(size, dtype))
    return give if "donated" in name else scale, (zeros,)


with jax.enable_x64(True):
    for names in (*PAIRS, "f32_22_donated f64_22_donated"):
        in_turns({name: call(name) for name in names.split()})
    given = np.random.default_rng(0).standard_normal((512, 512))
    calls = {}
    for width in "32", "64":
        a = jax.device_put(given.astype("float" + width))
        calls[f"matmul_{width}"] = (matmul, (a, a))
        far = np.max(np.abs(np.asarray(matmul(a, a)) - given @ given))
        assert far < {"32": 1, "64": 1e-9}[width], far  # float32 by device
    in_turns(calls)
small = call("f32_20")
in_turns({"flag_off": small, "flag_on": small}, flags=(False, True))

lines = {"float32": [20, 21, 22, 23], "float64": [19, 20, 21, 22]}
by_elements, by_bytes = [], []
for label, sizes in lines.items():
    width = {"float32": 2, "float64": 3}[label]  # 2**2 or 2**3 bytes
    line = {"label": label, "measurement": [f"f{label[-2:]}_{n}" for n in sizes]}
    by_elements.append(line | {"x": sizes})
    by_bytes.append(line | {"x": [n + width for n in sizes]})
panel = {"kind": "line", "ylabel": "time of a call", "yscale": "log"}
visual_data = [
    panel | {"xlabel": "elements: 2 to the power of", "series": by_elements},
    panel | {"xlabel": "bytes: 2 to the power of", "series": by_bytes},
]
visual_data[1]["references"] = [{"label": "32 MiB", "x": 25}]

# %% verdict
print("PASS: dtypes, bytes, digits and traces as derived or counted twice")


# %% exercise-dtypes tags=["solution"]
# Exercise 1: the dtypes of a small step, by hand, with the flag off and on.
def step(w, lr):
    grid = jnp.linspace(0, 1, 4)
    best = jnp.argmin(w)
    return w * 0.5, w - lr * w, w + grid, best, w + best


w = jnp.ones(4, jnp.float32)
off = "float32 float32 float32 int32 float32"  # TODO: in one string, flag off
on = "float32 float64 float64 int64 float32"  # TODO: and with it on
for flag, predicted in ((False, off), (True, on)):
    with jax.enable_x64(flag):
        outputs = jax.jit(step)(w, np.float64(0.1))
    pairs = enumerate(zip(outputs, predicted.split(), strict=True), 1)
    wrong = [place for place, (a, dtype) in pairs if str(a.dtype) != dtype]
    assert not wrong, f"flag {flag}: wrong at {wrong}"
print(f"exercise 1: {sum(a.nbytes for a in outputs)} bytes with the flag on")


# %% exercise-offset tags=["solution"]
# Exercise 2: exact elapsed times in float32, and no flag.
def elapsed(times):
    shifted = times - times[0]  # TODO: still NumPy, still float64
    return jnp.asarray(shifted, jnp.float32)  # TODO: what goes to the device


names = elapsed.__code__.co_names
assert not {"config", "enable_x64", "setting"} & set(names), "no flag needed"
for times in (clock, np.array([1.7e9 + 0.25, 1.7e9 + 60, 1.7e9 + 5000.5])):
    for flag in (False, True):  # the same whatever the caller has set
        with jax.enable_x64(flag), warnings.catch_warnings(action="error"):
            on_device = elapsed(times)
        assert isinstance(on_device, jax.Array), type(on_device)
        assert on_device.dtype == jnp.float32, f"flag {flag}: {on_device.dtype}"
        assert on_device.tolist() == (times - times[0]).tolist(), on_device
print(f"exercise 2: {on_device.tolist()} in {on_device.dtype}")


# %% exercise-island tags=["solution"]
# Exercise 3: float64 inside one function, and nowhere else.
def variance(x):
    inside = jax.enable_x64(True)  # TODO: a context in which float64 exists
    with inside:
        wide = x.astype(jnp.float64)  # TODO: x, with more digits
        spread = jnp.mean(wide * wide) - jnp.mean(wide) ** 2
        return spread.astype(jnp.float32)  # TODO: what the caller expects


near = np.array([4095, 4097, 4095, 4097], np.float32)  # 4096 - 1, 4096 + 1
tiny = near - 4096 + 2  # 1, 3, 1, 3
tiny *= np.float32(2.0**-13)  # and the variance is 2**-26
with warnings.catch_warnings(action="error"):
    for f, given, by_hand in (
        (variance, near, 1),
        (jax.jit(variance), near, 1),
        (jax.jit(variance), tiny, 2**-26),
    ):
        value = f(jnp.asarray(given))
        assert value.dtype == jnp.float32, value.dtype
        assert abs(float(value) / by_hand - 1) < 1e-6, f"{value}, {by_hand}"
text = str(jax.make_jaxpr(variance)(jnp.asarray(near)))
assert "mul" in text and "f64[4]" in text, "not computed in float64"
assert jnp.zeros(1).dtype == jnp.float32  # nothing leaks out
assert jax.jit(jax.grad(variance))(near).dtype == jnp.float32
plain = np.mean(near * near) - np.mean(near) ** 2  # NumPy's float32
print(f"exercise 3: variance 1 in float64, in float32 alone {plain}")
