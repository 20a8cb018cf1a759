"""Whether a recorded median is what somebody would have timed by hand."""

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from pairs import BENCHBOOK, wall

from recording import HEADER, project

PROCESSES = 20
TIMED = """
import json, statistics, time
import jax
import jax.numpy as jnp

{prepare}

for _ in range(20):
    jax.block_until_ready(call())
samples = []
for _ in range(50):
    start = time.perf_counter()
    jax.block_until_ready(call())
    samples.append(time.perf_counter() - start)
"""
SNIPPET = (
    HEADER
    + "# %% timed"
    + TIMED
    + """
measurements = {{
    "call": {{
        "samples": samples, "inputs": inputs, "warmup": 20, "calls": 50,
        "wait": "each call", "excludes": "input construction, first compilation",
    }}
}}
"""
)
KERNELS = {
    "the lesson's compiled loss": """
x = jnp.arange(12, dtype=jnp.float32).reshape(4, 3) / 10
w = jnp.array([1.0, 2.0, -1.0])
y = jnp.ones(4)
inputs = (w, x, y)
loss = jax.jit(lambda w, x, y: jnp.mean((x @ w - y) ** 2))
call = lambda: loss(w, x, y)""",
    "a matmul of about a millisecond": """
a = jnp.ones((456, 456), jnp.float32)
inputs = (a, a)
product = jax.jit(jnp.matmul)
call = lambda: product(a, a)""",
}


def recorded_against_by_hand() -> None:
    """For each kernel: single recorded processes and single hand-timed ones, in turn."""
    for name, prepare in KERNELS.items():
        with tempfile.TemporaryDirectory() as folder_name:
            folder = project(Path(folder_name), [SNIPPET.format(prepare=prepare)])
            script = folder / "by_hand.py"
            ending = "print(json.dumps(statistics.median(samples)))"
            script.write_text(TIMED.format(prepare=prepare) + ending)
            recorded, by_hand = [], []
            for _ in range(PROCESSES):
                by_hand.append(_by_hand(script))
                recorded.append(_recorded(folder))
        _tell(name, recorded, by_hand)


def _by_hand(script: Path) -> float:
    command = [sys.executable, str(script)]
    return float(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))


def _recorded(folder: Path) -> float:
    wall([*BENCHBOOK, "record", "--processes", "1"], cwd=folder)
    (path,) = (folder / ".benchbook" / "runs").rglob("*.json")
    samples = json.loads(path.read_text())["measurements"]["call"]["samples"][0]
    path.unlink()
    return statistics.median(samples) / 1e9


def _tell(name: str, recorded: list[float], by_hand: list[float]) -> None:
    print(f"\n{name}: medians of {PROCESSES} cold processes each, in turn")
    for what, medians in (("recorded", recorded), ("by hand", by_hand)):
        micro = sorted(1e6 * median for median in medians)
        middle = statistics.median(micro)
        print(f"  {what:44s} median {middle:8.2f} us   min {micro[0]:8.2f}   max {micro[-1]:8.2f}")
    inside = min(by_hand) <= statistics.median(recorded) <= max(by_hand)
    print(
        f"  the recorded median lies {'inside' if inside else 'OUTSIDE'} the spread of those by hand;"
        f" ratio of medians {statistics.median(recorded) / statistics.median(by_hand):.3f}",
        flush=True,
    )
