"""The machine: what a run may say of it. Everything is taken by name; nothing else is looked at."""

import functools
import itertools
import os
import platform
import re
import sys
import time
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

# What a snippet's process inherits. Tokens, proxies and names of people live in variables that are not here.
# Of CUDA's and libtpu's own there is no whole list: those are handed on, except what is named as a secret.
INHERITED = re.compile(
    r"PATH|HOME|LANG|LC_(?:ALL|COLLATE|CTYPE|MESSAGES|MONETARY|NUMERIC|TIME)|TZ|TMPDIR|VIRTUAL_ENV"
    r"|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|(?:CUDA|TPU)_(?!\w*(?:AUTH|CRED|KEY|PASS|SECRET|TOKEN))\w+"
    r"|NVIDIA_VISIBLE_DEVICES|NVIDIA_DRIVER_CAPABILITIES|ROCR_VISIBLE_DEVICES|HIP_VISIBLE_DEVICES"
    r"|LIBTPU_INIT_ARGS|OPENBLAS_CORETYPE|OPENBLAS_L2_SIZE"
)
# What a run records of it, because it changes how JAX behaves; a folder of this machine does not.
RECORDED = re.compile(
    r"(?!JAX_COMPILATION_CACHE_DIR$)(?:XLA_\w+|JAX_\w+|LIBTPU_INIT_ARGS|OPENBLAS_\w+"
    r"|OMP_NUM_THREADS|CUDA_VISIBLE_DEVICES|NVIDIA_TF32_OVERRIDE)"
)
ADDRESS = re.compile(r"address", re.IGNORECASE)  # in a setting's name: it holds names of hosts
# An absolute path, one below a home, or an address, as it stands in the value of a setting.
PLACE = re.compile(r"(?<![\w.)*-])(?:[A-Za-z][\w+.-]*:)?(?:~[\w.-]*)?[/\\][^\s,;'\"]+")
DEVICE = re.compile(r"\b((?:MIG-)?GPU|MIG)-[0-9a-f]{8}[0-9a-f/-]*")
PLUGIN = re.compile(r"(jax-(cuda|rocm|metal|tpu)[a-z0-9-]*|libtpu)", re.IGNORECASE)


def environment(env: dict[str, str]) -> dict[str, str]:
    """This process's variables that pass the allow-list, with the backend's own over them."""
    kept = {name: value for name, value in os.environ.items() if INHERITED.fullmatch(name)}
    return kept | env


def flags(env: dict[str, str]) -> dict[str, str]:
    """The variables that a run records."""
    return settings({name: value for name, value in sorted(env.items()) if RECORDED.fullmatch(name)})


def settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """What a run says of settings: no address of a host, no path, and no serial number of a device."""
    return {name: _unplaced(value) for name, value in values.items() if not ADDRESS.search(name)}


def _unplaced(value: object) -> object:
    if not isinstance(value, str):
        return value
    return DEVICE.sub(r"\1-(an id)", PLACE.sub("(a path)", value))


def software() -> dict[str, Any]:
    """Versions of Python, of the system, and of JAX with its plugins."""
    installed = {(dist.name or "").lower(): dist.version for dist in metadata.distributions()}
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "os": f"{platform.system()} {platform.release().partition('-')[0]}",  # what follows names a build
        "jax": installed.get("jax"),
        "jaxlib": installed.get("jaxlib"),
        "plugins": {name: version for name, version in sorted(installed.items()) if PLUGIN.fullmatch(name)},
    }


def hardware() -> dict[str, Any]:
    """The processor and the memory."""
    return {
        "cpu": {
            "model": _cpu_model(),
            "architecture": platform.machine() or "unknown",
            "logical_cores": os.cpu_count() or 1,
            "caches": _caches(),
        },
        "memory_gib": _memory_gib(),
    }


def clock() -> dict[str, Any]:
    """The clock of ``time.perf_counter`` and the smallest step that it was seen to make, in nanoseconds."""
    info = time.get_clock_info("perf_counter")
    readings = [time.perf_counter_ns() for _ in range(2000)]
    steps = [b - a for a, b in itertools.pairwise(readings) if b > a]
    return {
        "name": "time.perf_counter",
        "implementation": info.implementation,
        "resolution_ns": info.resolution * 1e9,
        "step_ns": max(1, min(steps, default=1)),
    }


def weather() -> dict[str, Any]:
    """What may disturb a measurement, now."""
    governor = _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    affinity = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None
    try:
        load: float | None = round(os.getloadavg()[0], 2)
    except OSError:
        load = None
    return {"load": load, "governor": governor or None, "affinity": affinity}


def devices() -> dict[str, Any]:
    """What JAX chose in this process; initialises its backend when that has not happened.

    Raises:
        Exception: Whatever JAX raises where no backend can be initialised.
    """
    import jax

    found = jax.devices()
    first = found[0]
    stats = getattr(first, "memory_stats", lambda: None)() or {}
    version = str(getattr(first.client, "platform_version", "")).strip().splitlines()
    return {
        "platform": first.platform,
        "kind": first.device_kind,
        "kinds": sorted({device.device_kind for device in found}),
        "count": len(found),
        "memory_bytes": stats.get("bytes_limit"),
        "driver": version[0] if version and first.platform != "cpu" else None,
    }


def distributions(modules: list[str]) -> dict[str, str]:
    """Versions of the distributions that own these top-level modules."""
    names = {name for module in modules for name in _owners().get(module, ())}
    return {name: version(name) or "" for name in sorted(names, key=str.lower)}


@functools.cache  # it reads the list of files of every distribution
def _owners() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


@functools.cache
def version(distribution: str) -> str | None:
    """The version that is installed here, or ``None``."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def imported() -> list[str]:
    """Top-level modules of this process that are neither built in nor of the standard library."""
    roots = {name.partition(".")[0] for name in sys.modules}
    return sorted(roots - sys.stdlib_module_names - {"__main__", "__mp_main__", "benchbook"})


def _cpu_model() -> str:
    text = _read("/proc/cpuinfo")
    match = re.search(r"(?m)^(?:model name|Hardware|cpu model)\s*:\s*(.+)$", text)
    return (match[1].strip() if match else platform.processor()) or platform.machine() or "unknown"


def _caches() -> dict[str, str]:
    found = {}
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index[0-9]")):
        level, kind, size = (_read(str(index / part)) for part in ("level", "type", "size"))
        if level and size:
            found[f"L{level}{ {'Data': 'd', 'Instruction': 'i'}.get(kind, '') }"] = size
    return found


def _memory_gib() -> int:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return 0
    return round(total / 2**30)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
