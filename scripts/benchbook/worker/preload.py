"""The preload: JAX imported once in the worker, so that the processes forked from it need not."""

import locale
import os
import sys
from pathlib import Path

from benchbook.worker.wire import Plan


def preload(plan: Plan) -> bool:
    """Imports JAX here; False where no job wants it, or where forking would not be safe.

    Forking is safe on Linux's CPU, before any backend exists and while there is one thread.
    Changes ``os.environ`` for this process and the forked ones.
    """
    if not any(job["fork"] for job in plan["jobs"]):
        return False
    if sys.platform != "linux" or plan["expected"]["platform"] != "cpu" or not _reads_utf8():
        return False
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # with more, importing NumPy starts threads
    if plan["compile_cache"]:
        os.environ.update(_cache_variables(plan["compile_cache"]))
    try:
        import jax  # noqa: F401  # for the children
        from jax._src import xla_bridge

        initialised = xla_bridge.backends_are_initialized()
    except Exception:
        return False  # the probe, which then starts cold, will say what is wrong
    return not initialised and len(list(Path("/proc/self/task").iterdir())) == 1


def _reads_utf8() -> bool:
    """Whether files that name no encoding are read here as they are in a process that starts cold."""
    return bool(sys.flags.utf8_mode) or locale.getencoding().lower() == "utf-8"


def _cache_variables(folder: str) -> dict[str, str]:
    """JAX's persistent cache, storing everything: its default thresholds store nothing this small."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(Path(folder).expanduser()),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
