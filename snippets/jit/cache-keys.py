# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# cold = true
# timeout = 60
# ///
"""Change one thing about a call, and count who traces and who compiles again."""

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


# %% inputs
import functools
import logging
import re
import time

import jax
import jax.numpy as jnp
import numpy as np

a = jnp.array([1, 2, 3], dtype=jnp.float32)
b = jnp.array([4], dtype=jnp.float32)
one = jnp.float32(1)
ran = []  # one entry each time that Python runs a traced function


def new_total():
    """A function that no cache has seen, compiled."""

    def total(batch, scale, times=1):
        ran.append("total")
        leaves = jax.tree.leaves(batch)
        return times * scale * sum(leaf.sum() for leaf in leaves)

    return jax.jit(total, static_argnames="times")


# %% expected
def exact(batch, scale, times=1):
    """The same in NumPy and float64."""
    arrays = batch.values() if isinstance(batch, dict) else batch
    sums = [np.asarray(array, np.float64).sum() for array in arrays]
    return float(times * np.float64(scale) * sum(sums))


assert exact(([1, 2, 3], [4]), 1) == 10.0  # by hand
print(f"expected total of the first call: {exact(([1, 2, 3], [4]), 1):g}")


# %% counted
@contextlib.contextmanager
def logged():
    """Collects what JAX logs about tracing and compiling in the block."""
    messages = []
    handler, logger = logging.Handler(), logging.getLogger("jax")
    handler.emit = lambda record: messages.append(record.getMessage())
    logger.addHandler(handler)
    logger.propagate = False  # kept off the screen
    try:
        with jax.log_compiles(), jax.explain_cache_misses():  # that, and why
            yield messages
    finally:
        logger.propagate = True
        logger.removeHandler(handler)


def counted(name, call):
    """Counts for the function called `name`, which a call calls directly.

    Returns:
        The value, [traces, compiles, logged misses] and the messages.
    """
    before = len(ran)
    with logged() as messages, watch(name) as seen:
        value = jax.block_until_ready(call())
    compiling = [m for m in messages if m.startswith(f"Compiling jit({name})")]
    misses = [m for m in messages if m.startswith("TRACING CACHE MISS")]
    missed = sum(f" {name} " in message for message in misses)
    counts = [count(seen, "trace"), count(seen, "compile"), missed]
    runs, logs = len(ran) - before, len(compiling)
    assert counts[0] == runs, f"{name}: {counts[0]} trace events, {runs} runs"
    assert counts[1] == logs, f"{name}: {counts[1]} compile events, {logs} logged"
    return value, counts, messages


# %% changes
def call(*args, **kwargs):
    """A call of any function with these arguments."""
    return lambda f: f(*args, **kwargs)


def precisely(f):
    """A plain call, while a setting is another."""
    with jax.default_matmul_precision("high"):
        return plain(f)


plain = call((a, b), one)
keys = call({"a": a, "b": b}, one)
twice = call((a, b), one, times=2)
on_device = jax.device_put(a, jax.devices()[0])  # committed; else the same as a
b_on_device = jax.device_put(b, jax.devices()[0])
committed = call((on_device, b), one)

changes = {  # name: first call, changed call, its value by hand
    "nothing": (plain, plain, 10),
    "values": (plain, call((a + 1, b), jnp.float32(2)), 26),
    "NumPy array": (plain, call((np.float32([1, 2, 3]), b), one), 10),
    "order of a dict": (keys, call({"b": b, "a": a}, one), 10),
    "equal static value": (twice, call((a, b), one, times=int("2")), 20),
    "shapes": (plain, call((b, a), one), 10),
    "dtype": (plain, call((a, b.astype("int32")), one), 10),
    "Python 1.0": (plain, call((a, b), 1.0), 10),
    "Python 1": (plain, call((a, b), 1), 10),
    "list for tuple": (plain, call([a, b], one), 10),
    "keys of a dict": (keys, call({"a": a, "c": b}, one), 10),
    "by keyword": (plain, call((a, b), scale=one), 10),
    "default spelled out": (plain, call((a, b), one, times=1), 10),
    "new static value": (twice, call((a, b), one, times=3), 30),
    "static 2.0 for 2": (twice, call((a, b), one, times=2.0), 20),
    "matmul precision": (plain, precisely, 10),
    "commitment": (plain, committed, 10),
    "which committed": (committed, call((a, b_on_device), one), 10),
}
table, logs, errors = {}, {}, []
print("what changed         traces  compiles  misses  total")
for change, (first, changed, by_hand) in changes.items():
    total = new_total()
    first(total)
    value, counts, logs[change] = counted("total", lambda: changed(total))
    table[change] = counts
    errors += [abs(float(value) - by_hand), abs(changed(exact) - by_hand)]
    print(f"{change:<20} {counts[0]:6} {counts[1]:9} {counts[2]:7} {value:6g}")

names = list(table)
neither = [table[name] for name in names[:5]]
both = [table[name] for name in names[5:-2]]
bound = [table[name] for name in names[-2:]]
assert max(errors) == 0
assert neither == [[0, 0, 0]] * 5 and both == [[1, 1, 1]] * 11
assert bound == [[0, 1, 0]] * 2  # compiled, not traced, no miss in the log
results = {
    "value_error": max(errors),
    "neither": sum(map(sum, neither)),
    "both_least": min(map(min, both)),
    "both_most": max(map(max, both)),
    "bound_compiles": min(counts[1] for counts in bound),
    "bound_others": sum(counts[0] + counts[2] for counts in bound),
}


# %% committed
def advance(state, batch):
    ran.append("advance")
    return state + batch


step, state, steps = jax.jit(advance), jnp.zeros(3), []
for _ in "123":
    state, counts, _ = counted("advance", lambda: step(state, on_device))
    steps.append(counts)
assert state.tolist() == [3, 6, 9] and state.committed
print("three steps, one committed input:", *steps)
before = len(ran)
with logged() as messages, watch("advance") as seen:
    jax.jit(advance, donate_argnums=0)(state, on_device)  # another option
donating = [len(ran) - before, count(seen, "trace"), count(seen, "compile")]
print("with donation, Python runs, trace events, compiles:", donating)
assert sum(m.startswith("Compiling jit(advance)") for m in messages) == 1
assert steps == [[1, 1, 1], [0, 1, 0], [0, 0, 0]] and donating == [0, 1, 1]
results["step_traces"], results["step_compiles"], _ = map(sum, zip(*steps))


# %% identity
def double(x):
    ran.append("double")
    return 2 * x


def scaled(x, factor):
    ran.append("scaled")
    return factor * x


def squares(x):
    ran.append("squares")
    return (x**2).sum()


class Model:
    def step(self, x):
        return double(x)


model = Model()
gradient = jax.grad(squares)  # 2 * x
loops = {  # what jax.jit gets, how a round makes it, the name that JAX reports
    "double": (lambda: double, "double"),
    "gradient": (lambda: gradient, "squares"),
    "lambda": (lambda: lambda x: double(x), "<lambda>"),
    "model.step": (lambda: model.step, "step"),
    "partial": (lambda: functools.partial(scaled, factor=2), "scaled"),
    "grad(squares)": (lambda: jax.grad(squares), "squares"),
}
rounds = []
print("jitted in 3 rounds  traces  compiles")
for code, (make, name) in loops.items():
    value, counts, _ = counted(name, lambda: [jax.jit(make())(a) for _ in "123"])
    assert [each.tolist() for each in value] == [[2, 4, 6]] * 3
    rounds.append(counts)
    print(f"{code:<19} {counts[0]:6} {counts[1]:9}")
assert rounds == [[1, 1, 1]] * 2 + [[3, 3, 3]] * 4
results |= {"kept": max(map(max, rounds[:2])), "fresh": min(map(min, rounds[2:]))}


# %% weak
def new_halve():
    def halve(state, rate):
        ran.append("halve")
        return rate * state

    return jax.jit(halve)


def train(step, state, rate):
    for _ in range(4):
        state = step(state, rate)
    return state


half = jnp.float32(0.5)
starts = {  # state and rate
    "weak": (1.0, half),
    "array": (jnp.array(1.0), half),
    "strong": (one, half),
    "all_weak": (1.0, 0.5),
}
for name, start in starts.items():
    step = new_halve()
    end, counts, _ = counted("halve", lambda: train(step, *start))
    print(*map(jax.typeof, start), f"end {jax.typeof(end)} {end}", end=", ")
    print(f"traces {counts[0]}, compiles {counts[1]}")
    results |= {f"{name}_end": float(end), f"{name}_traces": counts[0]}
    assert counts[0] == counts[1] == (2 if name in ("weak", "array") else 1)
    assert float(end) == 0.5**4

# %% stale
factor = 2.0
outside = jax.jit(lambda x: factor * x.sum())
argument = jax.jit(lambda x, factor: factor * x.sum())
outside(a), argument(a, factor)  # 2 * 6, and both are compiled now
factor = 3.0
stale, stale_counts, _ = counted("<lambda>", lambda: outside(a))
right, right_counts, _ = counted("<lambda>", lambda: argument(a, factor))
print(f"factor from outside {stale:g}, as an argument {right:g}")
print(f"traces, compiles, misses {stale_counts} and {right_counts}")
assert (stale, right) == (12, 18)  # 3 * 6 is right
assert stale_counts == right_counts == [0, 0, 0]
results |= {"stale": float(stale), "right": float(right)}
results["stale_counts"] = sum(stale_counts)

# %% reasons tags=["varies"]
logs["lambda"] = counted("<lambda>", lambda: jax.jit(lambda x: double(x))(a))[2]

parts = (  # of the log; without paths, addresses, links and seconds
    "TRACING CACHE MISS",
    r"  (?!for|all| ).*?(?=http|, so|$)",  # the reason
    r" {4}\S+(?= id)",  # the function
    r"Compiling .*\)(?= with)",
)
kept = re.compile("|".join(parts))
places = re.compile(r"\w+Sharding|UnspecifiedValue")
shown = "commitment", "Python 1.0", "matmul precision", "new static value"
for change in (*shown, "lambda"):
    print(f"--- {change}")
    for message in logs[change]:
        if "total" in message or "lambda" in message:
            for line in filter(None, map(kept.match, message.splitlines())):
                line = re.sub("<class.*?metadata ", "", line[0])  # of 0.9.2
                print(line, *places.findall(message))

# %% timings tags=["varies"]
timed = {
    "kept_function": jax.jit(double),
    "fresh_lambda": lambda x: jax.jit(lambda x: 2 * x)(x),  # anew at each call
    "warmed_lambda": jax.jit(lambda x: 2 * x),  # once, and warmed up
}
samples = {name: [] for name in timed}
for number in range(22):  # in turns; the first two rounds warm up
    for name in list(timed)[:: 1 if number % 2 else -1]:
        start = time.perf_counter()
        jax.block_until_ready(timed[name](a))
        samples[name].append(time.perf_counter() - start)
measurements = {}
for name, seconds in samples.items():
    fresh = name == "fresh_lambda"
    measurements[name] = {
        "samples": seconds[2:],
        "inputs": (a,),
        "warmup": 2,
        "calls": 20,
        "wait": "each call",
        "excludes": "input construction" + ("" if fresh else ", compilation"),
    }

# %% timeline tags=["varies"]
kinds = ("trace", "lower and compile", "rest of the call")
bars = [{"label": kind, "y": [], "low": [], "high": []} for kind in kinds]
lanes = ["kept function", "fresh lambda", "weak start"]
for lane, start_at in enumerate((one, one, 1.0)):
    step, state, name = new_halve(), start_at, "halve"
    begin = time.perf_counter()
    for _ in range(4):
        if lanes[lane] == "fresh lambda":
            step, name = jax.jit(lambda state, rate: rate * state), "<lambda>"
        with watch(name) as seen:
            start = time.perf_counter() - begin
            state = jax.block_until_ready(step(state, jnp.float32(0.5)))
            end = time.perf_counter() - begin
        traced = start + sum(entry[2] for entry in seen if entry[0] == "trace")
        built = start + sum(entry[2] for entry in seen)  # the stages in a row
        edges = [round(1e3 * t, 2) for t in (start, traced, built, end)]
        for bar, low, high in zip(bars, edges, edges[1:]):
            if high > low:
                bar["y"].append(lane)
                bar["low"].append(low)
                bar["high"].append(high)
    assert float(state) == 0.5**4
assert bars[0]["y"] == [0, 1, 1, 1, 1, 2, 2]  # 1, 4 and 2 traces
visual_data = {
    "kind": "timeline",
    "labels": lanes,
    "xlabel": "milliseconds since the first call",
    "ylabel": "what is called",
    "series": bars,
}

# %% verdict
print("PASS: totals as derived without JAX, counts from two sources each")

# %% exercise-six-calls tags=["solution"]
# Exercise 1: six calls of one compiled function, one after the other.
six = {
    "1": (plain, 10),
    "2": (call((a + 1, b), jnp.float32(7)), 91),
    "3": (call((a, b), 2.0), 20),
    "4": (call((b, a), one), 10),
    "5": (call((a, b), 3.0), 30),
    "6": (committed, 10),
}
new_traces = [1, 0, 1, 1, 0, 0]  # TODO: new traces of each call, six numbers
new_compiles = [1, 0, 1, 1, 0, 1]  # TODO: new compiles of each call

total = new_total()
guesses = zip(six.items(), new_traces, new_compiles, strict=True)
for (number, (a_call, by_hand)), traces, compiles in guesses:
    value, counts, _ = counted("total", lambda: a_call(total))
    assert float(value) == by_hand
    assert [traces, compiles] == counts[:2], f"call {number}"
print(f"exercise 1: traces {new_traces}, compiles {new_compiles}")

# %% exercise-repair tags=["solution"]
# Exercise 2: a loop that traces at every step, and its repair.
rates = np.float32([0.5, 0.25, 0.5, 0.25])


def update(w, rate):
    ran.append("update")
    return w - rate * w


def before(w):
    for rate in rates:
        w = jax.jit(functools.partial(update, rate=rate))(w)
    return w


print("before the repair:", counted("update", lambda: before(64.0))[1])

step = jax.jit(update)  # TODO: compiled once, before the loop
start = jnp.float32(64)  # TODO: 64, of the type that a step returns


def descend(w):
    for rate in rates:
        w = step(w, rate)  # TODO: one step, with this rate
    return w


value, counts, _ = counted("update", lambda: descend(start))
assert float(value) == 9, value  # 64 times 1/2, 3/4, 1/2 and 3/4
assert counts[:2] == [1, 1], counts
print(f"exercise 2: w {value:g}, traces {counts[0]}, compiles {counts[1]}")

# %% exercise-kind tags=["solution"]
# Exercise 3: say beforehand whether a call will trace, and whether compile.


def kind(*args, **kwargs):
    """Two keys: JAX traces, or compiles, again where they differ."""
    leaves, tree = jax.tree.flatten((args, kwargs))  # TODO: leaves and tree
    types = [jax.typeof(leaf) for leaf in leaves]  # TODO: the type of each leaf
    places = [getattr(x, "committed", False) for x in leaves]  # TODO: committed?
    return (tree, types), (tree, types, places)


unseen = names[-5:-2]  # two static values and a setting
for name in table.keys() - set(unseen):
    first, changed, _ = changes[name]
    said = [was != now for was, now in zip(first(kind), changed(kind))]
    assert said == [number > 0 for number in table[name][:2]], name
assert kind(a, jnp.array(1.0))[0] != kind(a, one)[0], "a weak array"
assert kind(a, scale=one)[0] != kind(a, times=one)[0], "names"
assert kind(a, on_device)[1] != kind(a, a)[1], "the second leaf"
print(f"exercise 3: {len(table) - len(unseen)} changes foreseen")
