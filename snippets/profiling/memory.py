# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-4
# timeout = 60
# ///
"""Which bytes are alive at a named point, and which no snapshot can show."""

# %% reader
import gzip


def varint(data, at):
    """A whole number, seven bits a byte, least first; and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:  # the last byte of a number
            return value, at


def fields(message):
    """Yields the number and the value of each field: a whole number, or bytes."""
    at = 0
    while at < len(message):
        tag, at = varint(message, at)
        value, at = varint(message, at)
        if tag & 7 == 2:  # that was a length: the bytes follow
            value, at = message[at : at + value], at + value
        elif tag & 7 != 0:
            raise ValueError(f"pprof has no field of wire type {tag & 7}")
        yield tag >> 3, value


def whole(message, number):
    """The whole numbers of a repeated field, packed into bytes or one by one."""
    found = []
    for key, value in fields(message):
        if key == number and isinstance(value, int):
            found.append(value)
        elif key == number:
            at = 0
            while at < len(value):
                one, at = varint(value, at)
                found.append(one)
    return found


def read_profile(data):
    """Yields each sample: its labels, its values, its functions from the leaf."""
    parts = {number: [] for number in (1, 2, 4, 5, 6)}
    for number, value in fields(gzip.decompress(data)):
        parts.setdefault(number, []).append(value)
    texts = [text.decode() for text in parts[6]]
    kinds = [texts[dict(fields(kind))[1]] for kind in parts[1]]
    entries = map(dict, map(fields, parts[5]))
    functions = {entry[1]: texts[entry.get(2, 0)] for entry in entries}
    places = {}
    for place in parts[4]:  # a place has a line for each function inlined there
        lines = [line for number, line in fields(place) if number == 4]
        names = [functions[dict(fields(line))[1]] for line in lines]
        places[dict(fields(place))[1]] = names
    for sample in parts[2]:
        labels = [dict(fields(v)) for number, v in fields(sample) if number == 3]
        labels = {texts[label[1]]: texts[label.get(2, 0)] for label in labels}
        stack = [name for at in whole(sample, 1) for name in places[at]]
        yield labels, dict(zip(kinds, whole(sample, 2))), stack


# %% inputs
import contextlib
import io
import re
import tempfile
from collections import Counter
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.ad_checkpoint import print_saved_residuals

MIB = 2**20
ROWS, WIDTH, LAYERS = 1024, 256, 8


def place():
    draw = np.random.default_rng(0).standard_normal
    ws = [1.5 / WIDTH**0.5 * draw((WIDTH, WIDTH)) for _ in range(LAYERS)]
    arrays = ws, draw((ROWS, WIDTH))
    return jax.device_put(jax.tree.map(np.float32, arrays))


ws, x = place()
print(f"backend {jax.default_backend()}: {LAYERS} of {ws[0].dtype}", end="")
print(f"{list(ws[0].shape)}, and {x.dtype}{list(x.shape)}")


# %% network
def layer(w, x):
    return jnp.sin(x @ w)


def net(ws, x, layer=layer):
    for w in ws:
        x = layer(w, x)
    return jnp.sum(x)


def net_remat(ws, x):
    return net(ws, x, jax.checkpoint(layer))  # compute its inside again


# %% expected
def by_numpy(ws, x):
    """Loss and gradient in float64, by the chain rule, without JAX."""
    kept = []
    for w in ws:
        kept.append((x, np.cos(x @ w)))  # what the way back will need
        x = np.sin(x @ w)
    loss, back, gradient = x.sum(), np.ones_like(x), []
    for w, (entering, cosine) in zip(ws[::-1], kept[::-1]):
        back = back * cosine
        gradient.append(entering.T @ back)
        back = back @ w.T
    return loss, np.array(gradient[::-1])


exact_loss, exact = by_numpy(*jax.tree.map(np.float64, (ws, x)))


def off(gradient):
    """The largest distance from NumPy's gradient, over its largest entry."""
    found = np.array([np.float64(g) for g in gradient])
    return float(np.max(np.abs(found - exact)) / np.max(np.abs(exact)))


weight = WIDTH * WIDTH * 4 / MIB  # four bytes a number
rows = ROWS * WIDTH * 4 / MIB
inputs = LAYERS * weight + rows
kept = LAYERS * rows + (LAYERS - 1) * rows  # cosines, and sines that go on
assert (weight, rows, inputs, kept) == (0.25, 1, 3, 15)
by_hand = {
    "start": inputs,
    "forward": inputs,
    "vjp": inputs + kept,
    "one name": inputs + kept,
    "no name": inputs,
    "remat": inputs + (LAYERS - 1) * rows,  # inputs of layers only
    "before": inputs,
    "running": inputs + LAYERS * weight,  # the gradient
    "after": inputs + LAYERS * weight,
    "halves": inputs + kept + inputs,
}
print(f"MiB: a weight {weight}, rows {rows}, inputs {inputs}, kept {kept}")

# %% snapshots
live, filed, raw = {}, {}, {}


def snapshot(name):
    """Notes the MiB that are alive now, as two witnesses say it."""
    live[name] = sum(array.nbytes for array in jax.live_arrays()) / MIB
    raw[name] = data = jax.profiler.device_memory_profile()
    spaces = [
        values["space"]
        for labels, values, _ in read_profile(data)
        if labels["kind"] == "buffer"  # the others are programs
    ]
    filed[name] = sum(spaces) / MIB
    said = f"{live[name]:5.1f} MiB in arrays,{filed[name]:5.1f} in the profile"
    return f"{name:<9}{said}"


print(snapshot("start"))
loss = float(net(ws, x))  # forward only; what it made is gone
print(snapshot("forward"))
pull = jax.vjp(net, ws, x)[1]
print(snapshot("vjp"))
gradient, _ = pull(np.float32(1))
errors = {"loss": abs(loss / exact_loss - 1), "vjp": off(gradient)}
del gradient, _
other = pull
del pull
print(snapshot("one name"))
del other
print(snapshot("no name"))
pull = jax.vjp(net_remat, ws, x)[1]
print(snapshot("remat"))
errors["remat"] = off(pull(np.float32(1))[0])
del pull


# %% saved
def saved(f):
    """What JAX says is saved for the way back: how many arrays of each origin."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        print_saved_residuals(f, ws, x)
    lines = said.getvalue().splitlines()
    origin = re.compile(r"\S+ (?:output of|from the|from a|named) '?(\w+)")
    return dict(Counter(origin.match(line)[1] for line in lines))


print("net      ", saved(net))
print("net_remat", saved(net_remat))
assert saved(net) == {"argument": 9, "sin": 7, "cos": 8}
assert saved(net_remat) == {"argument": 9, "sin": 7}

# %% hidden tags=["varies"]
program = jax.jit(jax.grad(net)).lower(ws, x).compile()
errors["jit"] = off(program(ws, x))
snapshot("before")
for _ in range(20):  # until one snapshot ends while the program runs
    out = program(ws, x)
    snapshot("running")
    runs = not out[0].is_ready()
    jax.block_until_ready(out)
    snapshot("after")
    del out
    if runs:
        break
print("MiB", {name: live[name] for name in ("before", "running", "after")})
print("the program still ran when its snapshot ended:", runs)
assert runs or jax.default_backend() != "cpu"  # a fast device may be done first

# %% halves
split = jax.jit(lambda ws, x: jax.vjp(net, ws, x)[1])
pull = split(ws, x)  # now the way back is outside of the program
print(snapshot("halves"))
errors["halves"] = off(pull(np.float32(1))[0])
del pull

assert max(errors.values()) < 1e-4, errors
assert live == filed == by_hand, (live, filed)
apart = max(abs(live[name] - filed[name]) for name in live)
results = {"live": dict(live), "apart": apart, "saved": saved(net)}
results["runs"] = runs
results["largest_error"] = max(errors.values())

# %% alias
alias = jax.device_put(x, jax.devices()[0])  # where it is already
print(snapshot("alias"))
del alias
assert filed["alias"] == inputs and live["alias"] == inputs + rows
results["counted_twice"] = live["alias"] - filed["alias"]


# %% plans tags=["varies"]
def loop(stacked, x, layer=layer):
    def body(x, w):
        return layer(w, x), None

    return jnp.sum(lax.scan(body, x, stacked)[0])


def loop_remat(stacked, x):
    return loop(stacked, x, jax.checkpoint(layer))


stacked = jnp.stack(ws)
programs = {"unrolled": program}
for f, weights in ((net_remat, ws), (loop, stacked), (loop_remat, stacked)):
    planned = jax.jit(jax.grad(f)).lower(weights, x).compile()
    assert off(planned(weights, x)) < 1e-4
    programs[f.__name__] = planned
plans = {}
parts = ("argument", "output", "temp")
print("MiB         argument  output    temp  peak field")
for name, planned in programs.items():
    sizes = planned.memory_analysis()
    plan = [getattr(sizes, f"{part}_size_in_bytes") for part in parts]
    plan.append(sizes.peak_memory_in_bytes)
    plans[name] = plan = [size / MIB for size in plan]
    print(f"{name:<12}" + "{:8.2f}{:8.2f}{:8.2f}{:12.2f}".format(*plan))
print("memory_stats:", jax.local_devices()[0].memory_stats())

# %% measured tags=["varies"]
shapes = jax.eval_shape(lambda *arrays: arrays, stacked, x)  # hold no buffer
del stacked, weights
one = {"warmup": 0, "calls": 1, "wait": "none", "unit": "MiB"}
one["excludes"] = "what no plan holds, such as code"
found = {f"temp_{name}": plan[2] for name, plan in plans.items()}
if jax.default_backend() == "cpu":  # by hand: the cosines of all layers
    assert round(found["temp_loop"] - found["temp_loop_remat"]) == LAYERS * rows
found["needed"] = sum(plans["unrolled"][:3])
found["peak_field"] = plans["unrolled"][3]
found["by_snapshots"] = max(live["before"], live["running"], live["after"])
one["inputs"] = shapes
measurements = {name: one | {"samples": [mib]} for name, mib in found.items()}

# %% figure tags=["varies"]
names = ["start", "vjp", "no name", "remat", "running"]
above = {"kind": "bar", "labels": names, "ylabel": "MiB alive"}
above["series"] = [
    {"label": label, "y": [said[name] for name in names]}
    for label, said in (("live_arrays", live), ("profile", filed))
]
moments = ("before", "running", "after")
columns = [[inputs, live[name] - inputs, 0.0] for name in moments]
columns += [[round(mib, 1) for mib in plan[:3]] for plan in plans.values()]
labels = [*moments, "plan", "plan, remat", "loop", "loop, remat"]
below = {"kind": "stack", "labels": labels, "ylabel": "MiB"}
below["series"] = [
    {"label": name, "y": list(y)}
    for name, y in zip(("arguments", "outputs", "temporaries"), zip(*columns))
]
visual_data = [above, below]


# %% file
def encode(number):
    """The bytes that varint reads."""
    head = []
    while number > 127:
        head.append(number & 127 | 128)
        number >>= 7
    return bytes([*head, number])


def public(data):
    """The same profile; of its texts, only those that read_profile gives."""
    allowed = {"count", "bytes"}
    for labels, values, stack in read_profile(data):
        allowed.update(labels, labels.values(), values, stack)
    body = b""
    for number, value in fields(gzip.decompress(data)):
        if isinstance(value, int):
            body += encode(number << 3) + encode(value)
            continue
        if number == 6 and value.decode() not in allowed:
            value = b""  # the path of a file
        body += encode(number << 3 | 2) + encode(len(value)) + value
    return gzip.compress(body, mtime=0)


folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "vjp.pb.gz"
path.write_bytes(public(raw["vjp"]))
samples = list(read_profile(path.read_bytes()))
assert samples == list(read_profile(raw["vjp"]))
inside = {name: 0 for name in ("place", "net", "layer")}
for labels, values, stack in samples:
    if labels["kind"] == "buffer":
        for name in inside:
            inside[name] += values["space"] / MIB * (name in stack)
print("MiB that were made inside of", inside)
assert inside == {"place": inputs, "net": kept, "layer": kept}
results["inside"] = inside
artefacts = {"vjp": {"path": path, "type": "application/gzip"}}

# %% verdict
snapshot("end")
assert live["end"] == inputs, "something else is kept"
print("PASS: gradients, and live bytes by two witnesses and by hand")

# %% exercise-exp tags=["solution"]
# Exercise 1: another layer; predict what its way back keeps.
import gc


def grow(ws, x):
    for w in ws:
        x = jnp.exp(x @ w)
    return jnp.sum(x)


small = [w / 100 for w in ws[:4]]
gc.collect()  # what earlier tries left
snapshot("exercise")
pull = jax.vjp(grow, small, x)[1]
snapshot("exp")
del pull
predicted = 4.0  # TODO: MiB that vjp adds to small and x

added = live["exp"] - live["exercise"]
assert added == filed["exp"] - filed["exercise"], "two witnesses"
assert added == predicted, "not what vjp added"
print(f"exercise 1: vjp kept {added} MiB")
del small

# %% exercise-policy tags=["solution"]
# Exercise 2: keep the products, and compute every sine and cosine again.
import gc

policies = jax.checkpoint_policies
products = jax.checkpoint(net, policy=policies.dots_saveable)  # TODO: what stays
predicted = 8.0  # TODO: MiB that vjp adds

gc.collect()  # what earlier tries left
snapshot("exercise")
pull = jax.vjp(products, ws, x)[1]
snapshot("products")
error = off(pull(np.float32(1))[0])
del pull
added = live["products"] - live["exercise"]
assert error < 1e-4
assert not {"sin", "cos"} & set(saved(products)), "one of them is kept"
assert sum(saved(products).values()) == 9 + 8, saved(products)
assert added == filed["products"] - filed["exercise"], "two witnesses"
assert added == predicted, "not what vjp added"
print(f"exercise 2: vjp kept {added} MiB")

# %% exercise-made tags=["solution"]
# Exercise 3: who made the bytes? A table from a profile.
def made_in(samples):
    """Bytes of buffers by function: made while it was on the stack."""
    table = {}
    for labels, values, stack in samples:
        amount = values["space"] * (labels["kind"] == "buffer")  # TODO: bytes
        names = set(stack)  # TODO: the functions to which they are added
        for name in names:
            table[name] = table.get(name, 0) + amount
    return table


made = [
    ({"kind": "buffer"}, {"allocations": 2, "space": 10}, ["g", "f"]),
    ({"kind": "buffer"}, {"allocations": 1, "space": 5}, ["f", "f"]),  # recursion
    ({"kind": "executable"}, {"allocations": 1, "space": 7}, ["f"]),
]
assert made_in(made) == {"g": 10, "f": 15}, made_in(made)
table = made_in(read_profile(raw["vjp"]))
assert table["layer"] == table["net"] == 15 * MIB and table["place"] == 3 * MIB
print(f"exercise 3: {table['layer'] / MIB} MiB were made inside of layer")
