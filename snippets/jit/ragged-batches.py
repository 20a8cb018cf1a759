# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# cold = true
# ///
"""A training loop on batches of many lengths: padded, masked, and silent."""

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


# %% data
import itertools
import logging
import time

import jax
import jax.numpy as jnp
import numpy as np

RATE, EPOCHS, BATCH = 0.5, 20, 4
START = np.array([0.0, 1.0])  # slope, intercept
x64 = np.arange(10) / 10  # float64: ten rows, in batches of four
y64 = x64**2


def cut(x, y, lengths):
    """Cuts the rows into batches of these lengths, in their order."""
    ends = np.cumsum(lengths)[:-1]
    return list(zip(np.split(x, ends), np.split(y, ends)))


batches = cut(x64, y64, [4, 4, 2])
print("rows in each batch:", [len(x) for x, _ in batches])

# %% expected
# NumPy in float64, by the formula on the page: no JAX array takes part.


def numpy_train(batches, epochs=1):
    w = START
    for _ in range(epochs):
        for x, y in batches:
            residual = w[0] * x + w[1] - y
            gradient = 2 / len(x) * np.array([residual @ x, residual.sum()])
            w = w - RATE * gradient
    return w


tail_step = numpy_train(batches[2:])
expected = numpy_train(batches, EPOCHS)
assert np.allclose(tail_step, [-0.2295, 0.725])  # by hand
print(f"one step on the tail: {np.round(tail_step, 4).tolist()}")
print(f"after {EPOCHS} epochs: {np.round(expected, 4).tolist()}")

# %% step
start = jax.device_put(np.float32(START))


def pad(x, y, size):
    """Fills a batch up with rows of zeros; valid says which rows are data."""
    extra = size - len(x)
    valid = np.arange(size) < len(x)
    x, y = (np.pad(a, [(0, extra)] + [(0, 0)] * (a.ndim - 1)) for a in (x, y))
    return jax.device_put((np.float32(x), np.float32(y), valid))


def loss(w, x, y, valid):
    squared = (w[0] * x + w[1] - y) ** 2
    return jnp.sum(jnp.where(valid, squared, 0)) / jnp.sum(valid)


def make_step(loss=loss):
    """A compiled step, and the list of the shapes that it was traced for."""
    traces = []

    @jax.jit
    def step(w, x, y, valid):
        traces.append(x.shape)  # Python runs this line only while JAX traces
        return w - RATE * jax.grad(loss)(w, x, y, valid)

    return step, traces


# %% counts
@contextlib.contextmanager
def compile_log():
    """Collects what JAX logs about compilation, and keeps it off the screen."""
    lines, logger, keep = [], logging.getLogger("jax._src"), logging.Handler()
    keep.emit = lambda record: lines.append(record.getMessage())
    logger.addHandler(keep)
    logger.propagate = False
    try:
        with jax.log_compiles():
            yield lines
    finally:
        logger.removeHandler(keep)
        logger.propagate = True


def train(batches, epochs=1, loss=loss):
    """Trains with a step of its own: weights, compilations after each call."""
    step, traces = make_step(loss)
    w, compiled = start, []
    with watch("step") as seen, compile_log() as lines:
        for _ in range(epochs):
            for batch in batches:
                w = step(w, *batch)
                compiled.append(count(seen, "compile"))
    logged = [line for line in lines if line.startswith("Compiling jit(step) ")]
    assert len(traces) <= len(logged) == compiled[-1]  # the log, the events
    return np.asarray(w, dtype=np.float64), compiled


def distance(w, expected):
    return float(np.max(np.abs(w - expected)))


# %% forms
ragged = [pad(x, y, len(x)) for x, y in batches]
masked = [pad(x, y, BATCH) for x, y in batches]
unmasked = [(x, y, np.ones(len(x), bool)) for x, y, _ in masked]
forms = {"ragged": ragged, "masked": masked, "unmasked": unmasked}
results = {}
print("form      slope   intercept  distance  compiled at calls")
for name, form in (forms | {"dropped": masked[:2]}).items():
    w, compiled = train(form, EPOCHS)
    far, at = distance(w, expected), np.flatnonzero(np.diff(compiled, prepend=0))
    print(f"{name:<8}  {w[0]:.4f}  {w[1]:9.4f}  {far:8.4f}  {(at + 1).tolist()}")
    results |= {f"{name}_compiles": compiled[-1], f"{name}_distance": far}

results["dropped_itself"] = distance(w, numpy_train(batches[:2], EPOCHS))
unmasked_tail = train(unmasked[2:])[0]
assert (results["ragged_compiles"], results["masked_compiles"]) == (2, 1)
assert max(results["ragged_distance"], results["masked_distance"]) < 1e-5
assert np.allclose(unmasked_tail, [-0.11475, 0.3625], atol=1e-6)  # by hand
assert results["unmasked_distance"] > 0.2 and results["dropped_itself"] < 1e-5
results["unmasked_intercept"] = float(unmasked_tail[1])

# %% lengths
LENGTHS = [3, 17, 9, 30, 5, 12, 21, 7, 3, 26]


def power(n):
    """The next power of two."""
    return 1 << (n - 1).bit_length()


def rows_of(lengths):
    x = np.arange(sum(lengths)) / sum(lengths)
    return cut(x, x**2, lengths)


paddings = {
    "each length": LENGTHS,
    "powers of two": [power(n) for n in LENGTHS],
    "one size": [32] * len(LENGTHS),
}
many = rows_of(LENGTHS)
series = []
print("padding        compiles  extra rows  distance")
for name, padded in paddings.items():
    w, compiled = train([pad(*rows, size) for rows, size in zip(many, padded)])
    far, extra = distance(w, numpy_train(many)), sum(padded) - sum(LENGTHS)
    print(f"{name:<13}  {compiled[-1]:8}  {extra:10}  {far:8.4f}")
    assert far < 1e-5 and compiled[-1] == len(set(padded))
    key = name.split()[0]
    results |= {f"{key}_compiles": compiled[-1], f"{key}_extra": extra}
    results[f"{key}_distance"] = far
    series.append({"label": name, "x": [*range(1, 11)], "y": compiled})

visual_data = {
    "kind": "line",
    "title": "Compilations in the first epoch",
    "xlabel": "call of the step",
    "ylabel": "compilations so far",
    "series": series,
}

# %% guard
step, traces = make_step()
bucketed = [pad(*rows, power(len(rows[0]))) for rows in many]
as_numpy = [tuple(np.asarray(a) for a in batch) for batch in bucketed]
committed = [jax.device_put(bucketed[1], jax.devices()[0])]


def epoch(step, batches):
    w = start
    for batch in batches:
        w = step(w, *batch)
    return jax.block_until_ready(w)


epoch(step, bucketed)  # warm-up: every bucket,
epoch(step, as_numpy[:1])  # and one batch as NumPy arrays
trials = [
    ("steady", "all buckets again", bucketed),
    ("no_tracing", "all buckets again", bucketed),
    ("no_tracing", "NumPy, warmed up", as_numpy[:1]),
    ("no_tracing", "NumPy, unseen", as_numpy[1:2]),
    ("steady", "NumPy, unseen", as_numpy[1:2]),
    ("no_tracing", "20 rows", [pad(*many[1], 20)]),
    ("steady", "20 rows", [pad(*many[1], 20)]),
    ("steady", "committed", committed),
]
print("guard       batches            traces  log  it raises")
found = []
for guard, what, given in trials:
    known, raised = len(traces), ""
    with compile_log() as lines:
        try:
            with steady() if guard == "steady" else jax.no_tracing(True):
                epoch(step, given)
        except RuntimeError as error:
            raised = str(error).partition(" at ")[0]  # without the path
    logged = sum(line.startswith("Compiling") for line in lines)
    found.append((len(traces) - known, logged, raised))
    print(f"{guard:<11} {what:<18} {found[-1][0]:6} {logged:4}  {raised or '-'}")

missed = (0, 0, "re-tracing function step")
assert found[:5] == [(0, 0, "")] * 3 + [missed, (0, 0, "")]
compiled = "compiled in steady state: step"
assert found[5:] == [missed, (1, 1, compiled), (0, 1, compiled)]
for name, row in {"again": 0, "numpy": 3, "new": 6, "committed": 7}.items():
    traced, logged, raised = found[row]
    results |= {f"{name}_traced": traced, f"{name}_logged": logged}
    results[f"{name}_raised"] = bool(raised)

# %% divisor


def size_loss(w, x, y, valid):
    squared = (w[0] * x + w[1] - y) ** 2
    return jnp.sum(jnp.where(valid, squared, 0)) / valid.size  # padding counts


divided_tail = train(masked[2:], loss=size_loss)[0]
w, compiled = train(masked, EPOCHS, loss=size_loss)
print(f"one step on the tail: {np.round(divided_tail, 5).tolist()}")
print(f"after {EPOCHS} epochs: distance {distance(w, expected):.4f}")
assert np.allclose(divided_tail, [-0.11475, 0.8625], atol=1e-6)  # by hand
results["divided_distance"] = distance(w, expected)
results["divided_compiles"] = compiled[-1]

# %% nans


def clean_loss(w, x, y, valid):
    x, y = jnp.where(valid, x, 0), jnp.where(valid, y, 0)
    return loss(w, x, y, valid)


x, y, valid = map(np.asarray, masked[2])
spoilt = [np.where(valid, a, np.float32("nan")) for a in (x, y)]
for name, f in {"loss": loss, "clean": clean_loss}.items():
    value, gradient = jax.jit(jax.value_and_grad(f))(start, *spoilt, valid)
    shown = ", ".join(f"{g:.3f}" for g in gradient.tolist())
    print(f"{name:<5}  value {value:.5f}  gradient {shown}")
    results[f"{name}_error"] = abs(float(value) - 0.08285)  # by hand
    results[f"{name}_nans"] = int(np.isnan(gradient).sum())
assert results["loss_nans"] == 2
assert np.isclose(value, 0.08285) and np.allclose(gradient, [0.459, 0.55])

# %% moved
step, traces = make_step()
with watch() as seen, compile_log() as lines:
    for (x, y), size in list(zip(many, paddings["powers of two"]))[:4]:
        valid = np.arange(size) < len(x)
        x, y = jax.device_put((np.float32(x), np.float32(y)))
        x, y = (jnp.pad(a, (0, size - len(a))) for a in (x, y))
        step(start, x, y, valid)
programs = [function for stage, function, _ in seen if stage == "compile"]
logged = [line.split()[1] for line in lines if line.startswith("Compiling")]
assert logged == [f"jit({name})" for name in programs]
print("compiled:", ", ".join(programs))
step_count, pads = programs.count("step"), programs.count("_pad")
assert (step_count, len(traces), pads, len(programs)) == (3, 3, 4, 7)
results |= {"moved_step": step_count, "moved_pads": pads}

# %% timings tags=["varies"]
wide = rows_of([8192 * n for n in LENGTHS])
ready = {}
for name, padded in paddings.items():
    pairs = zip(wide, padded)
    ready[name] = [pad(*rows, 8192 * size) for rows, size in pairs]
steps = {name: make_step()[0] for name in paddings}
samples = {name: [] for name in paddings}
for turn in range(11):  # the first turn compiles
    for name in paddings if turn % 2 else reversed(paddings):
        begin = time.perf_counter()
        epoch(steps[name], ready[name])
        samples[name].append(time.perf_counter() - begin)

common = {"wait": "end of each epoch", "excludes": "making the batches"}
measurements = {}
print("milliseconds   first epoch  later ones")
for name, seconds in samples.items():
    common["inputs"] = ready[name][3]  # the longest batch
    first = {"samples": seconds[:1], "warmup": 0, "calls": 1}
    later = {"samples": seconds[1:], "warmup": 1, "calls": 10}
    for when, method in {"first": first, "later": later}.items():
        measurements[f"{when}_{name.split()[0]}"] = common | method
    median = 1e3 * np.median(seconds[1:])
    print(f"{name:<13}  {1e3 * seconds[0]:11.1f}  {median:10.2f}")

# %% verdict
print("PASS: weights as in float64; compiles 2, 1 and 9, 4, 1; then silence")

# %% exercise-rows tags=["solution"]
# Exercise 1: sequences of several lengths as one array and its mask.


def pad_rows(rows, size):
    """An array of shape (len(rows), size), and a mask of the same shape."""
    filled = np.zeros((len(rows), size), dtype=np.float32)
    for index, row in enumerate(rows):
        filled[index, : len(row)] = row  # TODO: what stands before the zeros?
    lengths = np.array([len(row) for row in rows])
    valid = np.arange(size) < lengths[:, None]  # TODO: which elements are data?
    return filled, valid


shapes = []


@jax.jit
def mean(values, valid):
    shapes.append((values.shape, valid.shape))
    return jnp.sum(jnp.where(valid, values, 0)) / jnp.sum(valid)


first, second = [[0, 4], [1, 2, 3]], [[8, 0], [0, 0, 1]]
means = [float(mean(*pad_rows(rows, 4))) for rows in (first, second)]
assert np.allclose(means, [2, 1.8])  # 10 / 5 and 9 / 5: a zero can be data
assert shapes == [((2, 4), (2, 4))]  # one trace for both
print(f"exercise 1: means {means}, traces {len(shapes)}")

# %% exercise-relative tags=["solution"]
# Exercise 2: a masked mean of relative errors that no padding can spoil.


def relative_loss(w, x, y, valid):
    """The mean of (w x / y - 1) squared over the rows that are data."""
    x = jnp.where(valid, x, 0)  # TODO: harmless where the row is padding
    y = jnp.where(valid, y, 1)  # TODO: harmless, also as a divisor
    squared = (w * x / y - 1) ** 2
    return jnp.sum(jnp.where(valid, squared, 0)) / jnp.sum(valid)  # TODO: mean


both = jax.jit(jax.value_and_grad(relative_loss))
data = np.float32([[1, 2, 3, 4], [2, 4, 6, 8]])  # every ratio is 1 / 2
for valid in np.array([[True, True, False, False], [False, True, True, True]]):
    for fill in np.float32([0, 1e30, np.nan, np.inf]):
        x, y = np.where(valid, data, [[fill], [fill / 1e38]])
        found = [*both(1.0, x, y, valid), *both(3.0, x, y, valid)]
        assert np.allclose(found, [0.25, -0.5, 0.25, 0.5])  # by hand
    print(f"exercise 2: {valid.sum()} rows: right, whatever pads them")

# %% exercise-sizes tags=["solution"]
# Exercise 3: the sizes with the fewest extra rows, under a limit of compiles.


def padded_to(sizes, lengths):
    return [min(s for s in sizes if s >= n) for n in lengths]  # TODO: the next


def choose(lengths, limit):
    """At most `limit` sizes, those that need the fewest rows."""
    *shorter, longest = sorted(set(lengths))
    most = min(limit - 1, len(shorter))
    others = itertools.combinations(shorter, most)  # TODO: all that can help
    options = [(*some, longest) for some in others]
    return min(options, key=lambda s: sum(padded_to(s, lengths)))  # TODO: best


assert sum(padded_to((4, 8, 16, 32), LENGTHS)) == 184  # as in the lesson
assert choose([1, 5, 8, 8, 10], 3) == (1, 8, 10)  # by hand: three rows
assert choose([3, 5, 5], 4) == (3, 5)  # fewer lengths than sizes
best = choose(LENGTHS, 4)
padded = padded_to(best, LENGTHS)
w, compiled = train([pad(*rows, size) for rows, size in zip(many, padded)])
assert compiled[-1] == len(best) == 4  # the sizes are the programs
assert distance(w, numpy_train(many)) < 1e-5
extra = sum(padded) - sum(LENGTHS)
assert extra == 20
print(f"exercise 3: sizes {best}, compiles {compiled[-1]}, extra rows {extra}")
