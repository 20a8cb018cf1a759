# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# ///
"""Compile one loss, prove that its value stays, and time its calls apart."""

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


# %% inputs
import jax
import jax.monitoring
import jax.numpy as jnp
import numpy as np

x = jnp.arange(12, dtype=jnp.float32).reshape(4, 3) / 10  # 4 rows, 3 features
w = jnp.array([1, 2, -1], dtype=jnp.float32)
y = jnp.ones(4, dtype=jnp.float32)
inputs = (w, x, y)

described = ", ".join(
    f"{name} {a.dtype}[{','.join(map(str, a.shape))}]"
    for name, a in zip("wxy", inputs)
)
print(f"backend {jax.default_backend()}: {described}")

# %% expected
# NumPy in float64, from the same decimal numbers: no JAX array takes part.
x64 = np.arange(12, dtype=np.float64).reshape(4, 3) / 10
w64 = np.array([1.0, 2.0, -1.0])
y64 = np.ones(4)

residuals = x64 @ w64 - y64
exact_loss = np.mean(residuals**2)
exact_gradient = 2 / len(y64) * x64.T @ residuals
assert np.allclose(residuals, [-1.0, -0.4, 0.2, 0.8])  # by hand
assert np.isclose(exact_loss, 0.46)
assert np.allclose(exact_gradient, [0.36, 0.34, 0.32])
print(f"expected loss {exact_loss:.2f}")
print(f"expected gradient {np.round(exact_gradient, 2).tolist()}")

# %% losses
traces = []  # counted by the function itself
reported = []  # counted by JAX: the name of each function that it traces


def listen(event, seconds, fun_name="", **_):
    if event == "/jax/core/compile/jaxpr_trace_duration":
        reported.append(fun_name)


jax.monitoring.register_event_duration_secs_listener(listen)


def loss(w, x, y):
    # "highest" asks for float32 accuracy on any backend.
    predictions = jnp.matmul(x, w, precision="highest")
    return jnp.mean((predictions - y) ** 2)


@jax.jit
def compiled_loss(w, x, y):
    traces.append(x.shape)  # Python runs this line only while JAX traces
    return loss(w, x, y)


eager = jax.block_until_ready(loss(w, x, y))
first, first_seconds = timed(compiled_loss, w, x, y)
repeated, repeated_seconds = timed(compiled_loss, w, x, y)

float32_step = float(np.spacing(np.float32(0.46)))
paths = ["eager", "first compiled", "repeated compiled"]
values = [float(value) for value in (eager, first, repeated)]
distances = [float(abs(value - exact_loss)) for value in values]
for path, value, distance in zip(paths, values, distances):
    assert distance < 1e-6
    print(f"{path:<18} loss {value:.6f}, distance from exact {distance:.1e}")
traces_reported = reported.count("compiled_loss")
assert len(traces) == traces_reported == 1
print(f"traces {len(traces)}, reported by JAX {traces_reported}")

results = {
    "eager_loss": values[0],
    "first_loss": values[1],
    "repeated_loss": values[2],
    "largest_distance": max(distances),
    "traces": len(traces),
    "traces_reported": traces_reported,
}
visual_data = [
    {
        "kind": "bar",
        "title": "Loss by path",
        "labels": paths,
        "ylabel": "mean squared loss",
        "series": [{"label": "evaluated loss", "y": values}],
    },
    {
        "kind": "bar",
        "title": "Distance from the exact loss",
        "labels": paths,
        "ylabel": "|evaluated - exact|",
        "yscale": "log",
        "series": [{"label": "distance from 0.46", "y": distances}],
        "references": [{"label": "float32 step at 0.46", "y": float32_step}],
    },
]

# %% gradient
value_and_gradient = jax.jit(jax.value_and_grad(loss))  # with respect to w
value, gradient = jax.block_until_ready(value_and_gradient(w, x, y))

errors = np.abs(np.asarray(gradient, dtype=np.float64) - exact_gradient)
gradient_error = float(np.max(errors))
assert abs(float(value) - exact_loss) < 1e-6
assert gradient_error < 1e-6
print(f"loss {float(value):.6f}")
print(f"gradient {[round(g, 6) for g in gradient.tolist()]}")
results |= {"gradient": gradient.tolist(), "gradient_error": gradient_error}

# %% timings tags=["varies"]
both_losses = (loss, compiled_loss)
eager_samples, compiled_samples = bench_each(*both_losses, args=inputs, n=20)
assert len(traces) == 1  # forty more compiled calls, and no new trace

common = {"inputs": inputs, "wait": "each call"}
warm = common | {"warmup": 20, "calls": 20}
warm["excludes"] = "input construction, compilation, copies to NumPy"
measurements = {
    "first_call": common
    | {
        "samples": [first_seconds],
        "warmup": 0,
        "calls": 1,
        "excludes": "import, input construction, start of the backend "
        "(an eager call ran before)",
    },
    "second_call": warm
    | {"samples": [repeated_seconds], "warmup": 1, "calls": 1},
    "eager": warm | {"samples": eager_samples},
    "compiled": warm | {"samples": compiled_samples},
}


def show(names):
    print(f"microseconds per completed call on {jax.default_backend()}")
    print(described)
    for name in names:
        us = 1e6 * np.array(measurements[name]["samples"])
        spread = f"min {us.min():8.1f}  max {us.max():8.1f}"
        median = f"median {np.median(us):8.1f}"
        print(f"{name:<14} n {us.size:2d}  {median}  {spread}")


show(measurements)

# %% broadcast
ramp = jnp.arange(4, dtype=jnp.float32)  # targets 0, 1, 2, 3
wrong_ones = float(loss(w, x, y[:, None]))
right_ones = float(loss(w, x, y))
wrong_ramp = float(loss(w, x, ramp[:, None]))
right_ramp = float(loss(w, x, ramp))
wrong_ramp_compiled = float(compiled_loss(w, x, ramp[:, None]))
print("loss with           y   y[:, None]")
print(f"targets all 1    {right_ones:.2f}         {wrong_ones:.2f}")
print(f"targets 0 to 3   {right_ramp:.2f}         {wrong_ramp:.2f}")
print(f"compiled                      {wrong_ramp_compiled:.2f}")
assert np.allclose([right_ones, wrong_ones], [0.46, 0.46], atol=1e-5)
assert np.allclose([right_ramp, wrong_ramp], [0.56, 2.06], atol=1e-5)
results |= {
    "ones_right": right_ones,
    "ones_broadcast": wrong_ones,
    "ramp_right": right_ramp,
    "ramp_broadcast": wrong_ramp,
    "ramp_broadcast_compiled": wrong_ramp_compiled,
}

# %% shapes
before = len(traces)
compiled_loss(w, x[:2], y[:2])  # two rows: shapes that are new to it
compiled_loss(w, x[2:], y[2:])  # two other rows: the same shapes
new_traces = len(traces) - before
print(f"new traces for two batches of two rows: {new_traces}")
assert new_traces == 1
assert len(traces) == reported.count("compiled_loss")
results["traces_for_two_rows"] = new_traces

# %% steps tags=["varies"]
rate = jnp.float32(0.1)


def step(w, x, y):
    residuals = jnp.matmul(x, w, precision="highest") - y
    gradient = 2 / len(y) * jnp.matmul(residuals, x, precision="highest")
    return w - rate * gradient


whole_step = jax.jit(step)


@jax.jit
def piece_residuals(w, x, y):
    return jnp.matmul(x, w, precision="highest") - y


@jax.jit
def piece_gradient(residuals, x):
    return 2 / len(residuals) * jnp.matmul(residuals, x, precision="highest")


@jax.jit
def piece_update(w, gradient):
    return w - rate * gradient


def pieces_step(w, x, y):
    return piece_update(w, piece_gradient(piece_residuals(w, x, y), x))


expected_step = w64 - 0.1 * exact_gradient  # 0.964, 1.966, -1.032
for one_step in (step, whole_step, pieces_step):
    assert np.allclose(one_step(w, x, y), expected_step, atol=1e-6)
results["stepped"] = whole_step(w, x, y).tolist()

steps = (whole_step, pieces_step)
whole_samples, pieces_samples = bench_each(*steps, args=inputs, n=20)
measurements |= {
    "whole_step": warm | {"samples": whole_samples},
    "pieces_step": warm | {"samples": pieces_samples},
}
show(["whole_step", "pieces_step"])

# %% verdict
print("PASS: losses, gradient, step and traces are as derived without JAX")

# %% exercise-value-and-grad tags=["solution"]
# Exercise 1: the loss and its gradient from one compiled function, and one wait.
runs = []


def counted(w, x, y):
    runs.append("Python ran")
    return loss(w, x, y)


class Leaf:
    """Stands in for an array, and counts how often somebody waits for one."""

    waits = 0

    def block_until_ready(self):
        Leaf.waits += 1
        return self


wait = jax.block_until_ready  # TODO: what waits for every array of a tuple?
both = jax.jit(jax.value_and_grad(counted))  # TODO: loss and gradient, compiled
pair = wait(both(w, x, y))
pair = wait(both(w, x, y))

wait((Leaf(), Leaf()))
assert Leaf.waits == 2  # it waited for both, not for the first only
assert hasattr(both, "lower")  # the outermost function is what jax.jit gave back
assert len(runs) == 1  # Python ran once, while JAX traced
assert abs(float(pair[0]) - 0.46) < 1e-6
assert np.allclose(pair[1], [0.36, 0.34, 0.32], atol=1e-6)
rounded = np.round(np.asarray(pair[1]), 2)
print(f"exercise 1: loss {float(pair[0]):.2f}, gradient {rounded}")

# %% exercise-new-weights tags=["solution"]
# Exercise 2: three sets of weights through one compiled function.
seen = []


@jax.jit
def counted_loss(w, x, y):
    seen.append(w.shape)
    return loss(w, x, y)


rows = [[1, 2, -1], [0, 0, 0], [-10, 10, 0]]
by_hand = [0.46, 1.0, 0.0]  # TODO: the three losses, by hand
batch = [jnp.array(row, dtype="float32") for row in rows]  # TODO: float32 each
traces_wanted = 1  # TODO: how often will JAX trace counted_loss?

assert {str(weights.dtype) for weights in batch} == {"float32"}
assert all(isinstance(weights, jax.Array) for weights in batch)
found = [float(counted_loss(weights, x, y)) for weights in batch]
assert np.allclose(found, by_hand, atol=1e-6)
assert len(seen) == traces_wanted
rounded = [round(value, 2) for value in found]
print(f"exercise 2: losses {rounded}, traces {len(seen)}")

# %% exercise-report tags=["solution", "varies"]
# Exercise 3: time twenty calls, and wait on every leaf of what each returns.


def report(f, *args, n=20, warmup=20):
    """Seconds of n completed calls, and what they leave out."""
    for _ in range(warmup):
        jax.block_until_ready(f(*args))
    samples = []
    for _ in range(n):
        start = time.perf_counter()
        done = jax.block_until_ready(f(*args))  # TODO: call, wait on all leaves
        seconds = time.perf_counter() - start  # TODO: the seconds since start
        samples.append(seconds)
    excluded = "input construction, compilation, copies"  # TODO: what is left out
    return samples, excluded


class SlowLeaf:
    """Stands in for an array that takes a millisecond to be ready."""

    def block_until_ready(self):
        time.sleep(0.001)
        return self


made = []


def slow_call():
    made.append("called")
    return SlowLeaf(), {"gradient": SlowLeaf()}


start = time.perf_counter()
slow, _ = report(slow_call, n=20, warmup=0)
assert len(made) == 20  # one call a sample
assert min(slow) >= 0.002  # each sample holds the wait for both leaves
assert sum(slow) <= time.perf_counter() - start  # and no more than there was
samples, excluded = report(value_and_gradient, w, x, y)
assert len(samples) == 20 and all(second > 0 for second in samples)
assert "compil" in excluded  # compilation, compiling
us = 1e6 * np.array(samples)
spread = f"min {us.min():.1f}  max {us.max():.1f}"
median = f"median {np.median(us):.1f}"
print(f"exercise 3: microseconds, n {us.size}  {median}  {spread}")
print(f"on {jax.default_backend()}; {described}")
print(f"not included: {excluded}")
