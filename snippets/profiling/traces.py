# /// script
# requires-python = ">=3.11"
# dependencies = ["jax"]
# [tool.benchbook]
# tolerance = 1e-5
# timeout = 60
# cold = true
# ///
"""Capture what ran when, find a known gap in it, and publish the recording."""

# %% inputs
import collections
import gzip
import json
import random
import tempfile
import time
import warnings
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.profiler import ProfileData, StepTraceAnnotation

warnings.filterwarnings("ignore", message="builtin type")  # of ProfileData
N, STEPS, NAP = 1024, 5, 0.015
shapes = []


@jax.jit
def step(x):
    shapes.append(x.shape)  # Python runs this line only while JAX traces
    return (x @ x) @ (x @ x)


full, small = (jnp.full((n, n), 1 / n, "float32") for n in (N, N // 2))
value = step(full).block_until_ready()  # compiled before any capture
print(f"backend {jax.default_backend()}: {value.dtype}{list(value.shape)}")

# %% expected
exact = np.full((N, N), 1 / N)  # float64, in NumPy
assert ((exact @ exact) @ (exact @ exact) == exact).all()
distance = float(np.abs(value - exact).max())
assert distance < 1e-6
results = {"distance": distance}


# %% capture
def train(wait, nap=0.0, last=None):
    """Runs the steps, and naps after step 1.

    Returns:
        The output and the seconds of the nap, by a clock around it.
    """
    y, slept = full, 0.0
    for number in range(STEPS):
        if last is not None and number == STEPS - 1:
            y = last
        with StepTraceAnnotation("train", step_num=number):
            y = step(y)
            if wait:
                y.block_until_ready()
        if nap and number == 1:
            start = time.perf_counter()
            time.sleep(nap)  # in no annotation
            slept = time.perf_counter() - start
    return y, slept


def options(python):
    chosen = jax.profiler.ProfileOptions()
    chosen.python_tracer_level = int(python)  # an event for each Python call?
    return chosen


results["python_default"] = jax.profiler.ProfileOptions().python_tracer_level


def captured(run):
    """What run returns, and the events of its trace, read from both files."""
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder, profiler_options=options(python=False)):
            output = run()
        jax.block_until_ready(output)  # too late for the capture
        events = read_xplane(folder)
        assert events == read_json(folder)
    return output, events


# %% read
ARGS = ("step_num", "hlo_op", "hlo_module", "run_id")  # the allow-list


def kind(name, args):
    """What an event is; None for all others."""
    if "step_num" in args:
        return "step"
    if "hlo_op" in args:
        return "op"
    if name == "backend_compile_and_load":
        return "compile"
    return "call" if name.startswith("PjitFunction(") else None


def kept(found):
    """The events of a kind, by their start, in microseconds since the first."""
    events, threads, runs, ends, zero = [], {}, {}, {}, None
    found.sort(key=lambda e: (e[0], -e[1]))  # what holds another comes first
    for start, dur, thread, name, args in found:
        if kind(name, args) is None:
            continue
        if kind(name, args) == "call":
            if start < ends.get(thread, start):
                continue  # a call inside a call
            ends[thread] = start + dur
        args = {key: str(args[key]) for key in ARGS if key in args}
        if "run_id" in args:  # counted from 1
            args["run_id"] = str(runs.setdefault(args["run_id"], len(runs) + 1))
        tid = threads.setdefault(thread, len(threads) + 1)
        zero = start if zero is None else zero
        event = {"name": name, "ts": round(start - zero, 3), "dur": round(dur, 3)}
        events.append(event | {"tid": tid, "args": args})
    return events


def read_xplane(folder):
    """The events of *.xplane.pb, by jax.profiler.ProfileData."""
    data = ProfileData.from_file(str(next(Path(folder).rglob("*.xplane.pb"))))
    found = []
    for plane in data.planes:
        for line in plane.lines:
            thread = plane.name, line.name
            for e in line.events:
                times = e.start_ns / 1e3, e.duration_ns / 1e3
                found.append((*times, thread, e.name, dict(e.stats)))
    return kept(found)


def read_json(folder):
    """The events of *.trace.json.gz, by the standard library alone."""
    with gzip.open(next(Path(folder).rglob("*.trace.json.gz"))) as file:
        rows = [e for e in json.load(file)["traceEvents"] if e.get("ph") == "X"]
    columns = "ts", "dur", "tid", "name"
    return kept([(*(e[key] for key in columns), e.get("args", {})) for e in rows])


def spans(events, wanted):
    """Start and end of each event of a kind."""
    chosen = [e for e in events if kind(e["name"], e["args"]) == wanted]
    return [(e["ts"], round(e["ts"] + e["dur"], 3)) for e in chosen]


def executions(events):
    """Start of the first op and end of the last, of each execution."""
    ops = [e for e in events if kind(e["name"], e["args"]) == "op"]
    runs, seen = collections.defaultdict(list), collections.Counter()
    for e, span in zip(ops, spans(events, "op")):
        seen[e["name"]] += 1  # replaces a missing run_id, if nothing loops
        runs[e["args"].get("run_id", seen[e["name"]])].append(span)
    return [(min(run)[0], max(end for _, end in run)) for run in runs.values()]


def gaps(spans):
    """The end of each and the start of the next."""
    return [(before[1], after[0]) for before, after in zip(spans, spans[1:])]


def busy(gap, spans):
    """How much of a gap lies within spans that follow each other."""
    first, last = gap
    return sum(max(0, min(end, last) - max(start, first)) for start, end in spans)


def lengths(spans):
    """Seconds of each."""
    return [(end - start) / 1e6 for start, end in spans]


# %% captures
def wait_once():
    y, _ = train(wait=False, nap=NAP)
    return y.block_until_ready()


traced = len(shapes)
(_, slept), each = captured(lambda: train(wait=True, nap=NAP, last=small))
traced = len(shapes) - traced
_, once = captured(wait_once)
_, never = captured(lambda: train(wait=False))

counts = {}
for name, events in {"each": each, "once": once, "never": never}.items():
    found = {of: len(spans(events, of)) for of in ("step", "call", "compile")}
    print(f"wait {name:<5} {found}")
    counts[name] = found | {"execution": len(executions(events))}
    results |= {f"{of}s_{name}": number for of, number in found.items()}
    assert found["step"] == found["call"] == STEPS
steps = spans(each, "step")
for compiled, _ in spans(each, "compile"):
    at = (n for n, (start, end) in enumerate(steps) if start <= compiled < end)
    results["compiled_in"] = next(at, None)
    print(f"compiled in step {results['compiled_in']}: {shapes[-1]}")
after = int(np.argmax(lengths(gaps(steps))))
longest = gaps(steps)[after]
share = busy(longest, executions(each)) / (longest[1] - longest[0])
print(f"longest gap between steps: after step {after}, {share:.0%} computed in")
for name in ("each", "once"):
    results[f"executions_{name}"] = counts[name]["execution"]
lost = counts["never"]["execution"] < STEPS
print(f"executions lost without a wait: {lost}")
results |= {"new_shapes": traced, "nap_after": after, "lost_never": lost}
results["nap_share"] = share
assert after == 1 and traced == 1
assert results["compiles_each"] == 1, "did a persistent cache have the program?"
assert results["executions_each"] == results["executions_once"] == STEPS


# %% inside
@jax.jit
def marked(x):
    with jax.profiler.TraceAnnotation("inside", step_num=0):
        return 2 * x


ones, inside = jnp.ones(8), []
for _ in range(2):
    value, events = captured(lambda: marked(ones))
    assert value.tolist() == [2] * 8
    inside.append(len(spans(events, "step")))
print(f"annotation inside jit: {inside[0]} event, then {inside[1]}")
results |= {"inside_first": inside[0], "inside_later": inside[1]}

# %% publish
folder = tempfile.TemporaryDirectory()  # until the process ends
PERFETTO = Path(folder.name, "steps.trace.json.gz")
XPROF = Path(folder.name, "steps.xplane.pb")


def chrome(captures):
    """Each capture as a process, in the format of Chrome's traces."""
    rows = []
    for pid, (name, events) in enumerate(captures.items(), 1):
        rows.append({"ph": "M", "pid": pid, "name": "process_name"})
        rows[-1]["args"] = {"name": name}
        for event in events:
            tid = 10 * pid + event["tid"]  # one number, one thread
            rows.append(event | {"ph": "X", "pid": pid, "tid": tid})
    return {"traceEvents": rows}


def xspace(events):
    """One capture as XProf reads it: names are numbers, and have a table."""
    tables = {"event_metadata": {}, "stat_metadata": {}}
    lines = collections.defaultdict(str)

    def number(table, name):
        return tables[table].setdefault(name, len(tables[table]) + 1)

    for e in events:
        text = f"metadata_id: {number('event_metadata', e['name'])}"
        text += f" offset_ps: {e['ts'] * 1e6:.0f}"
        text += f" duration_ps: {e['dur'] * 1e6:.0f}"
        marks = {"_r": "1"} if "step_num" in e["args"] else {}  # XProf's step
        for key, arg in (e["args"] | marks).items():
            value = f"str_value: {json.dumps(arg)}"
            value = f"int64_value: {arg}" if arg.isdigit() else value
            key = number("stat_metadata", key)
            text += f" stats {{ metadata_id: {key} {value} }}"
        lines[e["tid"]] += f" events {{ {text} }}"
    text = 'name: "/host:CPU"'
    for tid, held in lines.items():
        text += f' lines {{ id: {tid} name: "thread {tid}" {held} }}'
    for table, names in tables.items():
        for name, key in names.items():
            value = f"{{ id: {key} name: {json.dumps(name)} }}"
            text += f" {table} {{ key: {key} value {value} }}"
    return ProfileData.text_proto_to_serialized_xspace(f"planes {{ {text} }}")


TITLES = "wait in each step", "wait once, at the end", "no wait"
public = dict(zip(TITLES, (each, once, never)))
PERFETTO.write_bytes(gzip.compress(json.dumps(chrome(public)).encode(), mtime=0))
XPROF.write_bytes(xspace(each))
assert read_xplane(folder.name) == each  # written, and read again
artefacts = {
    "perfetto": {"path": PERFETTO, "type": "application/gzip"},
    "xprof": {"path": XPROF, "type": "application/octet-stream"},
}

# %% lanes tags=["varies"]
with gzip.open(PERFETTO) as file:  # what is drawn is what is published
    rows = json.load(file)["traceEvents"]
LANES = {"step": 0, "call": 1, "op": 2, "compile": 1}
visual_data = []
for pid, title in enumerate(public, 1):
    events = [e for e in rows if e["pid"] == pid and e["ph"] == "X"]
    series = []
    for of, lane in LANES.items():
        if found := executions(events) if of == "op" else spans(events, of):
            low, high = np.round(np.array(found).T / 1e3, 3).tolist()
            series.append({"label": of.replace("op", "execution")})
            series[-1] |= {"y": [lane] * len(found), "low": low, "high": high}
    panel = {"kind": "timeline", "title": title, "series": series}
    panel["labels"] = ["steps", "Python's calls", "executions, on threads"]
    panel |= {"xlabel": "milliseconds since the first step", "ylabel": "events"}
    visual_data.append(panel)
for name, events in {"each": each, "once": once, "never": never}.items():
    seen = f"executions {counts[name]['execution']}, their operations"
    print(f"wait {name:<5} {seen} {len(spans(events, 'op'))}")

# %% overhead tags=["varies"]
tiny = jax.jit(lambda x: 2 * x + 1)
few = jnp.arange(8.0)
assert tiny(few).tolist() == [1, 3, 5, 7, 9, 11, 13, 15]  # by hand


def chore():
    """Python between the calls of a program: here it does nothing."""


def timed():
    """The seconds of 30 chores and one completed call."""
    start = time.perf_counter()
    for _ in range(30):
        chore()
    tiny(few).block_until_ready()
    return time.perf_counter() - start


samples = {"untraced": [], "traced": [], "traced_python": []}
for _ in range(10):
    for name in random.sample(list(samples), 3):
        with tempfile.TemporaryDirectory() as target:
            if name != "untraced":
                chosen = options(python=name == "traced_python")
                jax.profiler.start_trace(target, profiler_options=chosen)
            seconds = [timed() for _ in range(25)]
            if name != "untraced":
                jax.profiler.stop_trace()
        samples[name] += seconds[5:]

# %% timings tags=["varies"]
ran, nap = executions(once), gaps(spans(once, "step"))[1]
samples |= {
    "nap_by_clock": [slept],
    "nap_in_trace": lengths([longest]),
    "nap_once": lengths([nap]),
    "nap_computed": [busy(nap, ran) / 1e6],
    "idle_each": lengths(gaps(executions(each))[:3:2]),
    "idle_once": lengths(gaps(ran)),
    "call": lengths(spans(once, "call")),
    "execution": lengths(ran),
}
for name, part in samples.items():
    print(f"{name:<18}{1e3 * np.median(part):.3g} ms")
one = {"wait": "each call", "excludes": "capture start and stop, compilation"}
of_steps = {"inputs": (full,), "warmup": 1}
of_tiny = {"inputs": (few,), "warmup": 5}
measurements = {}
for name, part in samples.items():
    about = of_steps if len(part) <= STEPS else of_tiny
    measurements[name] = one | about | {"samples": part, "calls": len(part)}
for name in ("nap_once", "nap_computed", "idle_once", "call", "execution"):
    measurements[name]["wait"] = "once at the end"

# %% verdict
print("PASS: both readers found the nap, the steps, the compilation")


# %% exercise-steps tags=["solution"]
# Exercise 1: in which steps was something compiled?
def compiled_in(steps, compiles):
    found = []
    for number, start, end in steps:
        inside = any(start <= at < end for at, _ in compiles)  # TODO: here?
        if inside:
            found.append(number)
    return found


warm = [(7, 0, 10), (8, 12, 20), (9, 21, 30), (10, 33, 40)]
for compiles, by_hand in (
    ([(12, 14), (15, 19), (30.5, 32), (39, 39.5)], [8, 10]),
    ([(19.5, 20.5)], [8]),  # goes on after its step
    ([(20.5, 22)], []),  # was begun before the step
    ([(12, 12.5), (30, 31)], [8]),
    ([], []),
):
    found = compiled_in(warm, compiles)
    assert found == by_hand, f"{compiles}: {found}, not {by_hand}"
print("exercise 1: the steps as by hand")


# %% exercise-idle tags=["solution"]
# Exercise 2: the longest stretch in which no thread ran anything.
def longest_idle(spans):
    longest, busy_until = 0, min(start for start, _ in spans)
    for start, end in sorted(spans):
        longest = max(longest, start - busy_until)  # TODO: idle before this span
        busy_until = max(busy_until, end)  # TODO: the threads are busy until here
    return longest


for threads, by_hand in (
    ([(0, 10), (15, 20), (22, 30)], 5),
    ([(12, 20), (0, 10)], 2),
    ([(0, 100), (10, 20), (103, 110)], 3),  # one long, one short within it
    ([(0, 10), (5, 30), (30, 40)], 0),
    ([(50, 60), (64, 70), (61, 62)], 2),
):
    found = longest_idle(threads)
    assert found == by_hand, f"{threads}: {found}, not {by_hand}"
print("exercise 2: idle stretches as by hand")


# %% exercise-whole tags=["solution"]
# Exercise 3: did a capture see every execution of a program to its end?
def whole(calls, runs):
    ops = collections.Counter(runs)  # TODO: how many ops each run has
    most = max(ops.values(), default=0)
    return list(ops.values()).count(most) == calls  # TODO: the verdict


for calls, runs, by_hand in (
    (2, [1, 1, 2, 2], True),
    (2, [1, 1, 2], False),  # the second was cut off
    (4, [1, 1, 2, 2], False),
    (3, [], False),
    (3, [7, 8, 9], True),
    (3, [1, 2, 2, 3, 3, 3], False),
    (2, [1, 1, 2, 3], False),
    (1, [1, 1, 2, 2], False),
):
    found = whole(calls, runs)
    assert found == by_hand, f"{calls} calls, {runs}: {found}, not {by_hand}"
if jax.default_backend() == "cpu":
    for events, by_hand in ((once, True), (never, False)):
        runs = [e["args"]["run_id"] for e in events if "run_id" in e["args"]]
        assert whole(STEPS, runs) == by_hand, f"{STEPS} calls, {runs}"
print("exercise 3: whole with a wait, cut off without one")
