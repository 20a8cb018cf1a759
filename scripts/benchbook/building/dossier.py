"""A dossier: everything that one run says, as markup. Recorded text is data throughout; see `markup`."""

import json
from collections.abc import Iterator

from benchbook import reading
from benchbook.archive import Stored
from benchbook.building import findings
from benchbook.building.markup import element, folded, pairs, python, text
from benchbook.run import Run, Weather

STARTS = {"cold": "each started fresh", "fork": "forked"}


def sections(stored: Stored, *, served: bool, same: str | None) -> Iterator[tuple[str, str]]:
    """A heading and its markup for each group of the run, in the order of the run file.

    Args:
        stored: The run.
        served: Whether the site holds the run's files, so that they can be linked.
        same: Id of a run on the same page that shows the source which this run executed too.
    """
    run = stored.run
    yield "Identity", _identity(stored)
    yield "Source as it ran", _source(run, same)
    yield "Environment", _environment(run)
    yield "Hardware", _hardware(run)
    yield "Method", _method(run)
    yield "Cells", findings.cells(run)
    yield "Results", pairs("Results", {name: _json(value) for name, value in run.results.items()})
    yield "Measurements", findings.measurements(stored)
    yield "Figures", findings.figures(stored)
    yield "Programs", findings.programs(run)
    yield "Artefacts", findings.artefacts(stored, served=served)


def _identity(stored: Stored) -> str:
    run = stored.run
    named = {"Lesson": run.slug, "Backend": run.backend, "Started": run.started, "Ended": run.ended}
    return pairs("Identity", named | {"Schema": str(run.version), "Id": stored.id, "sha256": stored.digest})


def _source(run: Run, same: str | None) -> str:
    name = f"snippets/{run.slug}.py, sha256 {run.source.sha256}"
    if same is None:
        return folded(name, python(run.source.text))
    shown = element("a", text(f"run {same}"), href=f"#run-{same}")
    return element("p", text(f"{name}: the same as that of "), shown, text(", which shows it."))


def _environment(run: Run) -> str:
    found = run.environment
    versions = {"JAX": found.jax, "jaxlib": found.jaxlib, "Python": found.python}
    system = {"Implementation": found.implementation, "Operating system": found.os}
    return (
        pairs("Software", versions | found.plugins | system)
        + pairs(
            "jax.config values that differ from their defaults",
            {k: _json(v) for k, v in found.config.items()},
        )
        + pairs("Variables that were set", dict(found.flags))
        + folded("Distributions that were imported", pairs("Distributions", dict(found.distributions)))
    )


def _hardware(run: Run) -> str:
    cpu, device = run.hardware.cpu, run.hardware.device
    caches = {f"Cache {name}": size for name, size in cpu.caches.items()}
    memory = None if device.memory_bytes is None else reading.text(device.memory_bytes, "B")
    machine = {
        "Device kind": device.kind,
        "Devices": str(device.count),
        "Platform": device.platform,
        "Device memory": memory,
        "Driver": device.driver,
        "CPU": cpu.model,
        "Architecture": cpu.architecture,
        "Logical cores": str(cpu.logical_cores),
        **caches,
        "RAM": f"{run.hardware.memory_gib} GiB, rounded",
    }
    return (
        pairs("Machine", {name: _known(value) for name, value in machine.items()})
        + pairs("Before the first process", _weather(run.hardware.before))
        + pairs("After the last process", _weather(run.hardware.after))
    )


def _weather(weather: Weather) -> dict[str, str]:
    cores = weather.affinity
    return {
        "Load, one minute": _known(None if weather.load is None else f"{weather.load:.2f}"),
        "Frequency governor": _known(weather.governor),
        "Cores it may use": _known(None if cores is None else " ".join(map(str, cores))),
    }


def _method(run: Run) -> str:
    method = run.method
    clock = method.clock
    return pairs(
        "Method",
        {
            "Processes": f"{method.processes}, {STARTS[method.start]}",
            "Order": method.order,
            "Recorded alone": "yes" if method.alone else "no: others ran, or may have run, at the same time",
            "Persistent compilation cache": "on" if method.compile_cache else "off",
            "Clock": f"{clock.name}, {clock.implementation}",
            "Resolution of the clock": f"{clock.resolution_ns:g} ns, smallest step seen {clock.step_ns} ns",
            "Wall time of each process": ", ".join(reading.text(time, "ns") for time in method.process_ns),
            "Engine": f"benchbook {method.engine}",
            "Digest of the worker": method.program,
        },
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _known(value: str | None) -> str:
    return "not known" if value is None else value
