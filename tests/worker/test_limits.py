"""Limits of memory: whoever passes one ends in one line, and the others have their answers."""

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recording import snippet_text
from tests.worker.live import COLD, QUICK, after, outcomes, planned

MIB = 2**20
CGROUPS = Path("/sys/fs/cgroup")
# What JAX needs to start is well below the limit, and what the snippet asks for well past it.
ALLOWED = 1536 * MIB
GREEDY = f"# %% one\nprint('asks', flush=True)\nkept = [b'x' * {64 * MIB} for _ in range(200)]\n"


@pytest.fixture
def group() -> Iterator[Path]:
    """A memory cgroup of its own, with the limit."""
    old = (CGROUPS / "memory").is_dir()
    place = (CGROUPS / "memory" if old else CGROUPS) / f"benchbook-{uuid.uuid4().hex[:8]}"
    try:
        place.mkdir()
        limit = place / ("memory.limit_in_bytes" if old else "memory.max")
        limit.write_text(str(ALLOWED))
        for name in ("memory.memsw.limit_in_bytes", "memory.swap.max"):
            if (place / name).exists():
                (place / name).write_text(str(ALLOWED) if old else "0")
    except OSError as error:
        if place.is_dir():
            place.rmdir()
        pytest.skip(f"no memory cgroup can be made here (it needs root on Linux): {error}")
    yield place
    place.rmdir()


def test_the_kernel_ends_the_snippet_that_asked_for_too_much(tmp_path: Path, group: Path):
    """Past a real limit it is killed, and not the worker: the others have their answers."""
    later = snippet_text("# %% one\nmeasurements = {}\nprint('fine')\n")
    texts = (snippet_text(GREEDY), snippet_text(QUICK), later)
    told = outcomes(
        planned(*texts, processes=1), tmp_path, command=after(f"echo $$ > '{group / 'cgroup.procs'}'")
    )
    killed = ("killed", "by SIGKILL, most often because memory ran out")
    assert told == [killed, ("completed", ""), ("completed", "")]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system does not keep this limit")
def test_a_limit_of_the_user_is_an_exception_of_the_snippet(tmp_path: Path):
    """`ulimit -v`: Python's MemoryError, or what XLA says of it, in one line."""
    asks = snippet_text(f"# %% one\nkept = bytearray({64 * 1024 * MIB})\n")
    array = f"# %% one\nimport jax.numpy as jnp\njnp.ones({16 * 1024 * MIB}).block_until_ready()\n"
    texts = (asks, snippet_text(array), snippet_text(QUICK, more=COLD))
    told = outcomes(planned(*texts), tmp_path, command=after(f"ulimit -v {32 * MIB}"))
    assert told[0] == ("raised", "MemoryError")
    assert told[2] == ("completed", "")
    kind, detail = told[1]
    assert kind == "raised"
    assert "RESOURCE_EXHAUSTED" in detail or "memory" in detail.lower()
    assert "\n" not in detail
