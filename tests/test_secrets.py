"""Secrets: tokens planted in variables, files and names are in nothing that is published or carried."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from benchbook.worker.machine import INHERITED
from tests import planted, tokens
from tests.built import BIN, PROJECT
from tests.planted import World
from tests.recording import snippet_text

# What a snippet finds among its variables, and where the kernel shows those of its process and of the one
# that started it. It is written below the home, where only the test looks for it.
LOOK = """\
# %% look
import json, os
from pathlib import Path

def shown(pid):
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().decode("latin-1")
    except OSError:
        return ""

shows = {"own": shown("self"), "parent": shown(os.getppid()), "values": dict(os.environ)}
path = Path.home() / "seen" / f"{NAME}-{os.getpid()}.json"
path.write_text(json.dumps(shows))
"""
METHOD = '"inputs": (), "warmup": 1, "calls": 2, "wait": "each call", "excludes": "nothing"'
MEASURED = f"""\
# %% one
measurements = {{'m': {{'samples': [1e-5, 2e-5], {METHOD}}}}}
series = [{{'label': 'a', 'measurement': ['m']}}]
visual_data = {{'kind': 'bar', 'labels': ['a'], 'ylabel': 'time', 'series': series}}
"""
CACHED = """\
# %% one
import jax
jax.jit(lambda x: x + 1)(1.0)
jax.config.update('jax_compilation_cache_dir', str(Path.home() / 'cache'))
print('PASS')
"""
DUMPED = """\
# %% one
import re, tempfile, jax, jax.numpy as jnp
from pathlib import Path
text = jax.jit(lambda x: jnp.sin(x) + 1).lower(1.0).compile().as_text()
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / 'program.hlo'
artefacts = {'program': {'path': path, 'type': 'text/plain'}}
"""
STRIPPED = r"path.write_text(re.sub(r', metadata=\{[^{}]*\}', '', text.partition('FileNames')[0]))"
TRACED = """\
# %% one
import gzip, tempfile, jax
from pathlib import Path
folder = tempfile.TemporaryDirectory()
with jax.profiler.trace(folder.name):
    jax.jit(lambda x: x + 1)(1.0).block_until_ready()
path = Path(folder.name) / 'raw.xplane.pb.gz'
path.write_bytes(gzip.compress(next(Path(folder.name).rglob('*.xplane.pb')).read_bytes()))
artefacts = {'raw': {'path': path, 'type': 'application/gzip'}}
"""
TROUBLED = """\
# %% one
import base64, os, platform, runpy
from pathlib import Path
troubled = runpy.run_path(Path.home() / 'lib/troubled.py')
# %% two
"""


def looking(way: str, cells: str, *, more: str = "") -> str:
    """A snippet that looks around first."""
    return snippet_text(LOOK.replace("{NAME}", way) + cells, more=more)


GOOD = {
    "quiet/forked": looking("forked", "# %% one\nresults = {'one': 1}\n"),
    "quiet/cold": looking("cold", CACHED, more="cold = true"),
    "quiet/measured": looking("measured", MEASURED),
    "quiet/dump": snippet_text(f"{DUMPED}{STRIPPED}\n"),
}
# Lessons of this site, whose artefacts are what a profiler wrote, by a list of fields.
LESSONS = {slug: PROJECT.snippet_path(slug).read_text() for slug in ("profiling/traces", "profiling/memory")}
BAD = {  # and what its one line says
    "loud/fails": (f"{TROUBLED}troubled['fail']()\n", "raised: ValueError"),
    "loud/crashes": (
        f"{TROUBLED}print(Path.home(), platform.node(), flush=True)\nos.abort()\n",
        "by SIGABRT",
    ),
    "loud/warns": (
        f"{TROUBLED}troubled['warn']()\n",
        "cell two: invalid: what it printed holds the home path",
    ),
    "loud/environment": (f"{TROUBLED}print(dict(os.environ))\n", "what it printed holds the home path"),
    "loud/encoded": (f"{TROUBLED}print(base64.b64encode(b'x' + bytes(Path.home())))\n", "path, encoded"),
    "loud/host": (f"{TROUBLED}print(platform.node().encode().hex())\n", "this host's name, encoded"),
    "loud/dump": (f"{DUMPED}path.write_text(text)\n", "artefacts['program'] holds "),
    "loud/trace": (TRACED, "artefacts['raw'] holds "),
}
ELSEWHERE = ("quiet/forked", "quiet/cold", "quiet/measured", "loud/fails", "loud/crashes")
COMMANDS = (
    "record", "lessons", "there", "pack", "job", "ingest", "broken", "version", "build", "mkdocs", "check",
    "cite",
)  # fmt: skip
SET_BY_US = {  # or by JAX, when it is imported
    "JAX_DUMP_IR_MODES", "JAX_DUMP_IR_TO", "JAX_PLATFORMS", "OPENBLAS_NUM_THREADS", "PYTHONUTF8",
    "TF_CPP_MIN_LOG_LEVEL", "XLA_FLAGS",
}  # fmt: skip


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Every command, once, in a world where each name, variable and file holds a token."""
    snippets = GOOD | LESSONS | {slug: snippet_text(cells) for slug, (cells, _) in BAD.items()}
    world = planted.make(tmp_path_factory.mktemp("world"), snippets, [*GOOD, *LESSONS])
    project = world.project
    few = ("--processes", "1", "--jobs", "2")
    world.benchbook("record", "record", "--accept", *few, *GOOD, *BAD)
    world.benchbook("lessons", "record", *few, *LESSONS)
    world.benchbook("there", "record", "--backend", "there", *few, *ELSEWHERE)
    world.benchbook("pack", "record", "--pack", "job.py", *few, *ELSEWHERE)
    world.run("job", sys.executable, "job.py", into=project.root / "results.jsonl")
    world.benchbook("ingest", "record", "--ingest", "results.jsonl")
    world.benchbook("broken", "record", "--backend", "broken", "quiet/cold")
    world.benchbook("version", "record", "--jax", "0.9.2", "quiet/forked")
    world.benchbook("build", "build", "--local")
    world.run("mkdocs", BIN / "mkdocs", "build", "--site-dir", "site")
    world.benchbook("check", "check", "--built", "site")
    world.benchbook("cite", "cite", next(project.runs.glob("quiet/forked/*.json")))
    return world


def seen(world: World) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each process of a snippet saw that looked around."""
    for path in sorted((world.home / "seen").iterdir()):
        yield path.name, json.loads(path.read_text())


def test_every_command_ran(world: World):
    """What is looked through below is not empty: each command did its work, and said so."""
    whole = ("lessons", "pack", "build", "mkdocs", "cite")  # in the others something fails, and it is told
    assert world.status == {name: int(name not in whole) for name in COMMANDS}, world.said
    for slug in GOOD:
        assert len(list((world.project.runs / slug).glob("*.json"))) == 1, world.said["record"]
    for slug in LESSONS:
        assert list((world.project.local_runs / slug).glob("*/*")) != [], world.said["lessons"]
    written = [line for name in ("there", "ingest") for line in world.said[name].splitlines()[-30:]]
    assert sum("3 runs written to .benchbook/runs" in line for line in written) == 2
    for name in ("site/quiet/forked/index.html", "site/notebooks/quiet/forked/index.html", "site/bench.csv"):
        assert (world.project.root / name).exists(), world.said["mkdocs"]


def test_no_token_is_in_the_project(world: World):
    """Not in a run, an artefact, a fragment, a page, a notebook, a table, a program to carry or its results.

    Settings that a person wrote hold what was written there.
    """
    own = {"pyproject.toml", ".git/config"}
    hits = tokens.found_below(world.project.root, world.known)
    assert {name: hit for name, hit in hits.items() if name not in own} == {}
    assert own <= set(hits)  # where they are, they are found


@pytest.mark.parametrize("command", COMMANDS)
def test_no_token_is_in_what_a_command_says(command: str, world: World):
    """The folder of the project apart, which a person's own terminal may show."""
    assert world.said[command]
    assert tokens.found(world.said[command].encode(), world.known) == set(), world.said[command]


def test_nothing_is_left_among_temporary_files(world: World):
    """Neither a folder of ours nor what snippets wrote: a raw trace names the host and the home."""
    assert list(world.temporary.iterdir()) == []


@pytest.mark.parametrize("slug", BAD)
def test_what_would_tell_has_no_run_and_one_line(slug: str, world: World):
    """The line says what it holds and where, and nothing is written."""
    if slug == "loud/host" and "host" not in world.known:
        pytest.skip("this user cannot give a process's host another name")
    (line,) = (line for line in world.said["record"].splitlines() if line.startswith(f"{slug}  "))
    assert BAD[slug][1] in line
    assert not (world.project.runs / slug).exists()


def test_a_person_still_learns_why_a_snippet_failed(world: World):
    """Its last lines are shown, with names cut out, whether it ran here, over a command or was carried."""
    for command in ("record", "there", "ingest"):
        assert "ValueError: of below home" in world.said[command]
        assert 'File "~/lib/troubled.py", line 11, in fail' in world.said[command]


@pytest.mark.parametrize("way", ["forked", "cold", "measured"])
def test_a_snippet_sees_variables_by_list(way: str, world: World):
    """Here, over a command, carried and inspected: what the list names, and what we and JAX set."""
    found = [shows["values"] for name, shows in seen(world) if name.startswith(way)]
    assert len(found) == 5  # here and carried, each with its inspection, and over a command
    for values in found:
        assert [name for name in values if not INHERITED.fullmatch(name) and name not in SET_BY_US] == []
        assert planted.PASSED.items() <= values.items()
    assert sum("JAX_DUMP_IR_MODES" in values for values in found) == 2


def test_the_probe_sees_variables_by_list(world: World):
    """The process that asks JAX, before any snippet runs, and where the kernel shows its own."""
    (line,) = (line for line in world.said["broken"].splitlines() if "JAX cannot start" in line)
    names = line.partition("RuntimeError: ")[2].partition(";")[0].split()
    assert planted.PASSED.keys() <= set(names)
    known = {*SET_BY_US, "PYTHONPATH"}
    assert [name for name in names if not INHERITED.fullmatch(name) and name not in known] == []


def test_the_kernel_shows_a_snippet_no_token_either(world: World):
    """Where a forked process, and the one that started any, keeps the variables that it began with."""
    for name, shows in seen(world):
        assert tokens.found(json.dumps(shows).encode(), world.known) <= {"home", "device"}, name
        parts = tokens.found((shows["own"] + shows["parent"]).encode(), world.known)
        assert parts <= ({"home", "device"} if sys.platform == "linux" else set()), name
        if name.startswith("forked") and "JAX_DUMP_IR_MODES" not in shows["values"]:
            for shown in (shows["own"], shows["parent"]):
                left = {entry.partition("=")[0] for entry in shown.split("\0") if entry}
                assert [name for name in left if not INHERITED.fullmatch(name)] == []


def test_a_run_says_that_a_setting_was_a_path_and_not_which(world: World):
    """Of jax.config and of the backend's variables."""
    (path,) = world.project.runs.glob("quiet/cold/*.json")
    assert json.loads(path.read_text())["environment"]["config"] == {"jax_compilation_cache_dir": "(a path)"}
    (path,) = world.project.local_runs.glob("quiet/cold/there-*.json")
    flags = json.loads(path.read_text())["environment"]["flags"]
    fast = "--xla_cpu_enable_fast_math=false"
    assert flags == {"JAX_DUMP_IR_TO": "(a path)", "JAX_PLATFORMS": "cpu", "XLA_FLAGS": fast}
