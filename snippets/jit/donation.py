# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# cold = true
# ///
"""Donate the state of a step, see its memory reused, and time what that saves."""

# %% imports
import json
import os
import platform
import subprocess
import sys
import time
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jax import monitoring

# %% expected
STEPS = 3
start = np.array([0, 1, -2, 6], dtype=np.float32)

# NumPy in float64: the loop, and the formula that it must meet.
looped = start.astype(np.float64)
for _ in range(STEPS):
    looped = 0.5 * looped + 1
exact = 2 - (2 - start.astype(np.float64)) / 2**STEPS
assert looped.tolist() == exact.tolist() == [1.75, 1.875, 1.5, 2.5]  # by hand
print(f"after {STEPS} steps {exact.tolist()}")

# %% donate
ran, events = [], []
monitoring.register_event_duration_secs_listener(
    lambda event, _, **more: events.append((event, more.get("fun_name", "")))
)


def told(stage):
    """How many events of a stage JAX has reported for the step."""
    return sum(stage in event and "step" in name for event, name in events)


def step(x):
    ran.append(x.shape)  # Python runs this line only while JAX traces
    return 0.5 * x + 1


plain = jax.jit(step)
donated = jax.jit(step, donate_argnums=0)


def walk(f, state, steps=STEPS):
    """Steps and rebinds the state; counts outputs in the input's memory."""
    reused = 0
    for _ in range(steps):
        before = state.unsafe_buffer_pointer()
        state = jax.block_until_ready(f(state))
        reused += state.unsafe_buffer_pointer() == before
    return state, reused


donated_state, donated_reused = walk(donated, jnp.array(start))
traces = len(ran)
assert traces == told("jaxpr_trace") == told("backend_compile") == 1
plain_state, plain_reused = walk(plain, jnp.array(start))
assert len(ran) == 1 and told("backend_compile") == 2

error = max(
    float(np.max(np.abs(np.asarray(state, dtype=np.float64) - exact)))
    for state in (plain_state, donated_state)
)
assert error == 0  # all these numbers have an exact form in float32
assert donated_reused == STEPS and plain_reused == 0
print(f"donated {donated_state.tolist()}, reused {donated_reused} of {STEPS}")
print(f"plain   {plain_state.tolist()}, reused {plain_reused} of {STEPS}")
print(f"traces {traces}, programs {told('backend_compile')}")
results = {
    "error": error,
    "donated_reused": donated_reused,
    "plain_reused": plain_reused,
    "traces": traces,
    "programs": told("backend_compile"),
}

# %% bytes
wide = jax.ShapeDtypeStruct((1024,), jnp.float32)  # 4096 bytes
PARTS = ("argument", "output", "temp", "alias")


def planned(f):
    """The bytes that the compiled program asks for, by what they are for."""
    sizes = f.lower(wide).compile().memory_analysis()
    return [getattr(sizes, f"{part}_size_in_bytes") for part in PARTS]


def live(shape):
    """How many buffers hold arrays of a shape that can still be used."""
    alive = [a for a in jax.live_arrays() if a.shape == shape]
    return len({a.unsafe_buffer_pointer() for a in alive})


print("bytes   " + "".join(f"{part:>10}" for part in PARTS) + "  live buffers")
for name, f in (("plain", plain), ("donated", donated)):
    sizes = planned(f)
    x = jnp.zeros(1024)
    after = f(x)  # x still stands for the old array
    alive = live((1024,))
    print(f"{name:<8}" + "".join(f"{n:10d}" for n in sizes) + f"{alive:14d}")
    results |= {f"{name}_alias": sizes[3], f"{name}_live": alive}
    del x, after
assert results["plain_alias"] == 0 and results["donated_alias"] == 4096
assert results["plain_live"] == 2 and results["donated_live"] == 1

# %% sweep tags=["varies"]
try:
    import resource
except ImportError:  # there is none on Windows
    resource = None

WARMUP, CALLS = 3, 6
SIZES = (64, 32, 16, 4)  # MiB of float32


def faults():
    """Page faults of this process so far, without those that read a disk."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt if resource else 0


class Chain:
    """A state that each call steps and rebinds, timed until it is ready."""

    def __init__(self, f, mib):
        self.f, self.samples, self.faults = f, [], []
        self.state = jax.block_until_ready(jnp.zeros(mib * 2**18, jnp.float32))

    def __call__(self):
        before = faults()
        start = time.perf_counter()
        self.state = jax.block_until_ready(self.f(self.state))
        self.samples.append(time.perf_counter() - start)
        self.faults.append(faults() - before)


measurements, faulted = {}, {}
common = {"warmup": WARMUP, "calls": CALLS, "wait": "each call"}
common["excludes"] = "the first state, compilation, checks"
limit = 2 - 2.0 ** (1 - WARMUP - CALLS)  # from 0; exact in float32

for mib in SIZES:  # from large to small: see the text
    if mib == 16:
        jnp.zeros(31 * 2**18, jnp.float32).block_until_ready()  # made and freed
    chains = {"plain": Chain(plain, mib), "donated": Chain(donated, mib)}
    order = list(chains.values())
    for _ in range(WARMUP + CALLS):
        for chain in order:
            chain()
        order.reverse()
    for name, chain in chains.items():
        last = np.asarray(chain.state)
        assert last.min() == last.max() == limit
        samples, key = chain.samples[WARMUP:], f"{name}_{mib}"
        given = {"inputs": f"float32[{last.size}]", "samples": samples}
        measurements[key] = common | given
        faulted[key] = chain.faults[WARMUP:]
        least, most = min(faulted[key]), max(faulted[key])
        ms = 1e3 * np.median(samples)
        print(f"{key:<10} {ms:7.2f} ms, page faults a step {least} to {most}")
    del chains, order, chain, last

sizes = sorted(SIZES)
panel = {"kind": "line", "xlabel": "state in MiB", "xscale": "log"}
panel["references"] = [{"label": "32 MiB", "x": 32}]
above = {"ylabel": "time of a step", "yscale": "log", "series": []}
below = {"ylabel": "page faults of a step", "series": []}
for label, name in (("not donated", "plain"), ("donated", "donated")):
    names, line = [f"{name}_{mib}" for mib in sizes], {"label": label, "x": sizes}
    above["series"].append(line | {"measurement": names})
    middle = [float(np.median(faulted[key])) for key in names]
    below["series"].append(line | {"y": middle})
visual_data = [panel | above, panel | below]

# %% alone tags=["varies"]
CHILD = """
import resource, time, jax, jax.numpy as jnp
jnp.zeros(300 * 2**18).block_until_ready()  # made and freed
found = []
for mib, numbers in ((16, ()), (32, ()), (32, 0)):
    step = jax.jit(lambda x: 0.5 * x + 1, donate_argnums=numbers)
    state, marks = jnp.zeros(mib * 2**18), []
    for _ in range(4):
        state = step(state).block_until_ready()
        usage = resource.getrusage(resource.RUSAGE_SELF)
        marks.append((usage.ru_minflt, time.perf_counter()))
    found.append([[b - a for a, b in zip(m, m[1:])] for m in zip(*marks)])
print(found)
"""
KEEP = {  # for glibc: one heap, nothing mapped, nothing given back
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "999999999",
}
children, pays = {}, {}
if platform.libc_ver()[0] == "glibc":
    for how, more in (("alone", {}), ("kept", KEEP)):
        env = os.environ | {"JAX_PLATFORMS": "cpu"} | more
        command = [sys.executable, "-c", CHILD]
        children[how] = subprocess.Popen(command, env=env, stdout=subprocess.PIPE)
for how, child in children.items():
    found = json.loads(child.communicate()[0])
    for loop, (n, samples) in zip(("plain_16", "plain_32", "donated_32"), found):
        size, key = int(loop[-2:]) * 2**20, f"{how}_{loop}"
        pays[key] = bool(np.median(n) > size / resource.getpagesize() / 2)
        print(f"{key:<16} page faults a step {min(n)} to {max(n)}")
        if loop == "plain_32":
            given = {"inputs": f"float32[{size // 4}]", "samples": samples}
            measurements[key] = common | given | {"warmup": 1, "calls": 3}
    assert not pays[f"{how}_donated_32"]
results["pays"] = pays

# %% old
old = jnp.array(start)
new = donated(old)
try:
    old + 1
except RuntimeError as raised:
    print(f"RuntimeError: {raised}")
deleted = old.is_deleted()
print(f"deleted {deleted}; shape {old.shape} is known")
assert deleted

named = jnp.array(start)
donated(x=named)  # by its name, though donate_argnums has its number
print(f"passed by name: deleted {named.is_deleted()}")
assert named.is_deleted()
results |= {"old_deleted": deleted, "by_name": named.is_deleted()}

# %% offers
offers = {
    "float32[1024]": step,
    "int32[1024]": lambda x: step(x).astype(jnp.int32),
    "bfloat16[1024]": lambda x: step(x).astype(jnp.bfloat16),
    "float32[]": lambda x: step(x).sum(),
}
reused, kept, warned, texts = {}, {}, {}, []
print("output          reused   kept  warned")
for output, f in offers.items():
    x = jax.block_until_ready(jnp.zeros(1024))
    before = x.unsafe_buffer_pointer()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        y = jax.block_until_ready(jax.jit(f, donate_argnums=0)(x))
    reused[output] = y.unsafe_buffer_pointer() == before
    kept[output], warned[output] = not x.is_deleted(), len(said) > 0
    texts += [str(w.message).splitlines()[0] for w in said]
    row = (reused[output], kept[output], warned[output])
    print(f"{output:<15}" + "".join(f"{b!s:>7}" for b in row))
print(*texts, sep="\n")
results |= {"reused": reused, "kept": kept, "warned": warned}
assert warned["float32[]"] and not warned["bfloat16[1024]"]
assert reused["float32[1024]"] and not reused["bfloat16[1024]"]

# %% view
room = np.zeros(1024 + 16, np.float32)
skip = -room.ctypes.data % 64 // 4  # to an address that JAX takes as it is
mine = room[skip : skip + 1024]
one, two, three = (jax.block_until_ready(jnp.zeros(1024)) for _ in range(3))
pairs = {
    "asarray": (one, np.asarray(one)),
    "array": (two, np.array(two)),
    "dropped": (three, np.asarray(three).copy()),  # only the copy is left
    "device_put": (jax.device_put(mine), mine),
}
shares, loses, deleted = {}, {}, {}
print(f"alias bytes of the program: {planned(donated)[3]}")
for name, (x, seen) in pairs.items():
    before = x.unsafe_buffer_pointer()
    shares[name] = seen.ctypes.data == before
    y = jax.block_until_ready(donated(x))
    loses[name] = y.unsafe_buffer_pointer() != before
    deleted[name] = x.is_deleted()
    print(f"{name:<10}  shares memory {shares[name]!s:<5}  ", end="")
    print(f"deleted {deleted[name]!s:<5}  donation lost {loses[name]}")
    assert loses[name] == shares[name] and seen[0] == 0
results |= {"shares": shares, "loses": loses, "deleted": deleted}

# %% verdict
print("PASS: values, reuse, bytes and traces are as derived without JAX")

# %% exercise-update tags=["solution"]
# Exercise 1: donate what an update replaces, rebind it, and know what is gone.


def update(gradient, state):
    speed = 0.5 * state["speed"] + gradient
    return {"weights": state["weights"] - 0.25 * speed, "speed": speed}


weights, speed = jnp.ones(4), jnp.zeros(4)
gradient = jnp.full(4, 2.0)
state = {"weights": weights, "speed": speed}

compiled = jax.jit(update, donate_argnums=1)  # TODO: donate what is replaced
state = compiled(gradient, state)  # TODO: one update
between = state["speed"]
state = compiled(gradient, state)  # TODO: one more
gone = {"weights": True, "speed": True, "gradient": False}  # TODO: deleted?
by_hand = {"weights": -0.25, "speed": 3.0}  # TODO: an entry of each, by hand

arrays = {"weights": weights, "speed": speed, "gradient": gradient}
assert {name: a.is_deleted() for name, a in arrays.items()} == gone
assert gone["weights"] and gone["speed"]  # they were donated, and used
assert between.is_deleted()  # and so was what came between
assert {name: float(a[0]) for name, a in state.items()} == by_hand
print(f"exercise 1: deleted {gone}")

# %% exercise-history tags=["solution"]
# Exercise 2: a history that grows cannot be reused; make one that can.
entered = []


def record(history, index, value):
    entered.append(history.shape)
    return history.at[index].set(value)  # TODO: write value into history


history = jnp.zeros(4)  # TODO: room for all four values
place = history.unsafe_buffer_pointer()
keep = jax.jit(record, donate_argnums=0)
values = [1.0, 1.5, 1.75, 1.875]
for index, value in enumerate(values):
    history = keep(history, jnp.int32(index), jnp.float32(value))
    assert history.unsafe_buffer_pointer() == place  # the same memory each time
    seen = jnp.copy(history).tolist()  # of a copy: to look in place can hold it
    assert seen == values[: index + 1] + [0.0] * (3 - index)

assert len(entered) == 1  # one shape, so one trace
print(f"exercise 2: {history.tolist()} in one buffer, traces {len(entered)}")

# %% exercise-best tags=["solution"]
# Exercise 3: keep the best state of a walk whose states are donated.
forth = jax.jit(lambda x: x + 1, donate_argnums=0)
state = best = None  # of an earlier try
others = live((333,))
state, counts, places = jnp.zeros(333), set(), set()
best, least = jnp.copy(state), 9.0  # TODO: what can be kept, the loss at 0
for _ in range(6):
    state = jax.block_until_ready(forth(state))
    assert not best.is_deleted()  # what was kept outlives the step
    places.add(state.unsafe_buffer_pointer())
    loss = float((state[0] - 3) ** 2)
    if loss < least:
        best, least = jnp.copy(state), loss  # TODO: keep this state, its loss
    counts.add(live((333,)) - others)

assert set(best.tolist()) == {3.0} and set(state.tolist()) == {6.0}
assert isinstance(best, jax.Array) and least == 0
assert counts == {2}  # the state and the best one, at every step
assert len(places) == 1  # no copy moved the state to other memory
print(f"exercise 3: best {best[0]}, buffers alive {counts}")
