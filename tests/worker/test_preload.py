"""The preload: JAX is imported once where forking is safe, and else not at all."""

import subprocess
import sys
from typing import Any

import pytest

CHECK = """\
import os, sys
from benchbook.worker.preload import preload
before = dict(os.environ)
print(preload({plan!r}), "jax" in sys.modules, sorted(set(os.environ) - set(before)))
"""


def preloading(*, fork: bool, platform: str = "cpu", cache: str | None = None) -> str:
    """Whether children may be forked, whether JAX is here, and the variables that are new."""
    plan: dict[str, Any] = {
        "jobs": [{"fork": False}, {"fork": fork}],
        "expected": {"platform": platform},
        "compile_cache": cache,
    }
    words = [sys.executable, "-c", CHECK.format(plan=plan)]
    return subprocess.run(words, env={}, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("asked", [{"fork": False}, {"fork": True, "platform": "gpu"}])
def test_what_is_not_forked_finds_the_worker_as_it_was(asked: dict[str, Any]):
    """No job that forks, or a device that does not outlive a fork: nothing is imported, nothing is set."""
    assert preloading(**asked) == "False False []"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing is forked")
def test_where_forking_is_safe_jax_is_there_and_its_cache_is_set():
    """One import serves every child, and the cache is asked to store programs this small."""
    with_cache, without = preloading(fork=True, cache="folder"), preloading(fork=True)
    for said in (with_cache, without):
        assert said.startswith("True True [")
        assert "'OPENBLAS_NUM_THREADS'" in said
    for name in ("'JAX_COMPILATION_CACHE_DIR'", "'JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES'"):
        assert name in with_cache
        assert name not in without
