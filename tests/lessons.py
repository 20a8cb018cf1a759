"""Lessons for tests that really record: one that compiles, one that measures, one with an artefact."""

COMPILED = """\
# %% inputs
import jax
import jax.numpy as jnp

x = jnp.arange(12.0).reshape(4, 3) / 10

# %% loss
loss = jax.jit(lambda x: jnp.mean(jnp.sin(x) ** 2))
print("loss", loss(x))
results = {"loss": float(loss(x)), "devices": jax.device_count()}
bars = {"label": "a", "y": [results["loss"]]}
visual_data = {"kind": "bar", "labels": ["loss"], "ylabel": "loss", "series": [bars]}
"""
MEASURES = (
    COMPILED
    + """\

# %% time
import os
import time

samples = []
for _ in range(5):
    start = time.perf_counter()
    jax.block_until_ready(loss(x))
    samples.append(time.perf_counter() - start)
method = {"inputs": (x,), "warmup": 2, "calls": 5, "wait": "each call", "excludes": "compilation"}
measurements = {
    "compiled": {"samples": samples, **method},
    "rate": {"samples": [1 / s for s in samples], "unit": "calls/s", **method},
}

# %% process tags=["varies"]
print("process", os.getpid())
"""
)
OTHER = COMPILED.replace("jnp.sin(x)", "jnp.cos(x)")
ARTEFACT = """\
# %% note
from pathlib import Path

Path("sub").mkdir()
Path("sub/note.txt").write_text("kept\\n")
artefacts = {"note": {"path": "sub/note.txt", "type": "text/plain"}}
"""
