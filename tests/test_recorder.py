"""The recorder, with real processes: outcomes, methods, backends, and programs."""

import errno
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchbook import archive
from benchbook.errors import UsageError
from benchbook.project import Backend, Project, find
from benchbook.recording import environment, plan, recorder
from benchbook.recording.outcome import Outcome
from benchbook.recording.plan import Options
from tests.factory import SETTINGS, make_project
from tests.lessons import ARTEFACT, COMPILED, MEASURES, OTHER
from tests.processes import appearing, descendants, left_alive
from tests.recording import Noting, record, run_of, snippet_text

ROOT = Path(__file__).parents[1]
OTHERS = """\
[tool.benchbook.backends.cpu8]
platform = "cpu"
device-kind = "cpu"
count = 8
env = { XLA_FLAGS = "--xla_force_host_platform_device_count=8" }
[tool.benchbook.backends.cpu3]
platform = "cpu"
count = 3
[tool.benchbook.backends.odd]
platform = "cpu"
device-kind = "TPU .*"
"""
TEXTS = {
    "a/forked": snippet_text(COMPILED),
    "a/cold": snippet_text(COMPILED, more="cold = true"),
    "a/measured": snippet_text(MEASURES),
    "a/other": snippet_text(OTHER),
    "b/artefact": snippet_text(ARTEFACT),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with snippets of every kind and backends that are not as they seem."""
    root = tmp_path_factory.mktemp("recorder") / "project"
    make_project(root, TEXTS)
    (root / "pyproject.toml").write_text(SETTINGS + OTHERS)
    return find(root)


@pytest.fixture(scope="module")
def unaccepted(project: Project) -> dict[str, Outcome]:
    """The first recording of all snippets, without --accept."""
    outcomes = {outcome.slug: outcome for outcome in record(project)}
    assert not project.runs.exists()
    return outcomes


@pytest.fixture(scope="module")
def accepted(project: Project, unaccepted: dict[str, Outcome]) -> dict[str, Outcome]:
    """All snippets again, with --accept."""
    return {outcome.slug: outcome for outcome in record(project, accept=True)}


def edited(project: Project, slug: str, old: str, new: str) -> Callable[[], None]:
    """Changes a snippet; the returned function changes it back."""
    path = project.snippet_path(slug)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return lambda: path.write_text(text) and None


def test_a_first_run_is_new(project: Project, unaccepted: dict[str, Outcome]):
    """Every snippet has its outcome, its run is whole and lies in `.benchbook/`."""
    assert sorted(unaccepted) == sorted(TEXTS)
    for slug, outcome in unaccepted.items():
        assert (outcome.kind, outcome.detail) == ("new", ())
        assert archive.load_all(project, project.local_runs, slug) == [outcome.stored]


def test_an_accepted_run_is_a_reference_run(project: Project, accepted: dict[str, Outcome]):
    """It is executed afresh, it is new where no reference run was, and it lies in docs/runs."""
    for slug, outcome in accepted.items():
        assert outcome.kind == "new"
        assert archive.load_all(project, project.runs, slug) == [outcome.stored]


def test_without_accept_nothing_is_written_to_docs(project: Project, accepted: dict[str, Outcome]):
    """A run that reproduces the reference run says which, and changes no page."""
    before = sorted(project.docs.rglob("*"))
    (outcome,) = record(project, "a/forked")
    reference = accepted["a/forked"].stored
    assert reference is not None
    assert (outcome.kind, outcome.detail) == ("reproduced", (f"run {reference.id}",))
    assert sorted(project.docs.rglob("*")) == before


def test_an_edited_snippet_has_changed_and_the_change_is_shown(
    project: Project, accepted: dict[str, Outcome]
):
    """Results, text and figure are named with what they were, and programs say that the snippet moved."""
    restore = edited(project, "a/forked", "jnp.sin(x)", "jnp.cos(x)")
    listener = Noting()
    try:
        (outcome,) = record(project, "a/forked", listener=listener)
    finally:
        restore()
    reference = accepted["a/forked"].stored
    assert reference is not None
    assert outcome.kind == "changed"
    against, *changes = outcome.detail
    assert against == f"against run {reference.id}"
    assert changes[0].startswith("cell loss: stdout: 'loss 0.")
    assert changes[1].startswith("result loss: 0.")
    assert changes[2].startswith("figure loss: ")
    assert changes[3:] == ["the snippet has changed since"]
    assert archive.load_all(project, project.runs, "a/forked") == [reference]
    assert (listener.began, listener.advanced) == (
        [(f"cpu, JAX {run_of(accepted, 'a/forked').environment.jax}", 1)],
        1,
    )


def test_what_measures_runs_cold_alone_and_in_every_process(unaccepted: dict[str, Outcome]):
    """The method says how many processes, one after another, and that nothing ran beside them."""
    run = run_of(unaccepted, "a/measured")
    method = run.method
    assert (method.start, method.alone, method.processes, len(method.process_ns)) == ("cold", True, 2, 2)
    assert method.order == "one after another"
    measured = run.measurements["compiled"]
    assert (measured.unit, measured.inputs, measured.calls) == ("ns", ["float32[4,3]"], 5)
    assert [len(row) for row in measured.samples] == [5, 5]
    assert measured.samples[0] != measured.samples[1]
    assert all(isinstance(sample, int) for row in measured.samples for sample in row)
    assert run.measurements["rate"].unit == "calls/s"


def test_what_does_not_measure_runs_once(unaccepted: dict[str, Outcome]):
    """Forked on Linux, cold where it says so or where forking is not safe."""
    forked, cold = (run_of(unaccepted, slug).method for slug in ("a/forked", "a/cold"))
    assert (forked.processes, cold.processes) == (1, 1)
    assert forked.start == ("fork" if sys.platform == "linux" else "cold")
    assert cold.start == "cold"


def test_forked_and_cold_runs_are_the_same_to_the_bit(unaccepted: dict[str, Outcome]):
    """Sharing an import changes no digit of what a snippet prints, leaves or draws."""
    forked, cold, measured = (run_of(unaccepted, slug) for slug in ("a/forked", "a/cold", "a/measured"))
    for other in (cold, measured):
        assert other.results == forked.results
        assert other.figures == forked.figures
        for a, b in zip(forked.cells, other.cells, strict=False):
            assert (a.name, a.stdout, a.stderr) == (b.name, b.stdout, b.stderr)


def test_a_run_says_what_it_ran_on(project: Project, unaccepted: dict[str, Outcome]):
    """Versions, device, flags and source are of this machine and this file; nothing else of it is there."""
    run = run_of(unaccepted, "a/forked")
    text = project.snippet_path("a/forked").read_text()
    assert run.source.text == text
    assert run.source.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert run.environment.distributions["jax"] == run.environment.jax
    assert run.environment.distributions["jaxlib"] == run.environment.jaxlib
    assert set(run.environment.distributions) >= {"jax", "jaxlib", "numpy"}
    assert "pydantic" not in run.environment.distributions
    assert run.environment.flags["JAX_PLATFORMS"] == "cpu"
    device = run.hardware.device
    assert (device.platform, device.kind, device.count) == ("cpu", "cpu", 1)
    assert run.started <= run.ended
    assert run.method.clock.name == "time.perf_counter"
    assert str(project.root) not in text + json.dumps(run.model_dump(mode="json"))


def test_program_hashes_are_the_programs(accepted: dict[str, Outcome]):
    """Two recordings of one program hash alike wherever its file lies, other programs differ."""
    hashes = {}
    for slug in ("a/forked", "a/cold", "a/other"):
        programs = run_of(accepted, slug).programs
        assert programs
        hashes[slug] = {program.name: (program.stablehlo, program.hlo) for program in programs}
        assert all(None not in pair for pair in hashes[slug].values())
    assert hashes["a/forked"] == hashes["a/cold"]
    lambdas = [name for name in hashes["a/other"] if "lambda" in name]
    assert lambdas
    for name in lambdas:
        assert hashes["a/forked"][name][0] != hashes["a/other"][name][0]
        assert hashes["a/forked"][name][1] != hashes["a/other"][name][1]


def test_programs_are_hashed_only_for_runs_that_are_kept(unaccepted: dict[str, Outcome]):
    """The extra process runs with --accept and --pack, and not else."""
    assert run_of(unaccepted, "a/forked").programs is None


def test_the_inspection_leaves_no_trace_in_the_run(
    unaccepted: dict[str, Outcome], accepted: dict[str, Outcome]
):
    """Flags that write programs out belong to a process of their own; runs do not show them."""
    for slug in ("a/forked", "a/cold"):
        with_it, without = run_of(accepted, slug), run_of(unaccepted, slug)
        assert with_it.environment == without.environment
        assert with_it.results == without.results


def test_artefacts_lie_beside_the_run_with_digest_and_size(accepted: dict[str, Outcome]):
    """The file is carried back whole."""
    stored = accepted["b/artefact"].stored
    assert stored is not None
    entry = stored.run.artefacts["note"]
    data = archive.artefact_path(stored.path, entry.path).read_bytes()
    assert data == b"kept\n"
    assert (entry.path, entry.type, entry.size) == ("note.txt", "text/plain", 5)
    assert entry.sha256 == hashlib.sha256(data).hexdigest()


def test_cpu8_has_eight_devices(project: Project):
    """The flags of a backend reach JAX before it starts, and the count is recorded."""
    (outcome,) = record(project, "a/forked", backends=("cpu8",))
    assert outcome.stored is not None, outcome
    run = outcome.stored.run
    assert (run.backend, run.hardware.device.count, run.results["devices"]) == ("cpu8", 8, 8)
    assert run.environment.flags["XLA_FLAGS"] == "--xla_force_host_platform_device_count=8"


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        (
            "cpu3",
            "backend cpu3 is not here: JAX chose 1 x cpu (cpu), not 3 (correct count"
            " in [tool.benchbook.backends.cpu3], or choose devices there,"
            " as with CUDA_VISIBLE_DEVICES in its env)",
        ),
        ("odd", "backend odd is not here: JAX chose 1 x cpu (cpu), not a TPU .*"),
    ],
)
def test_a_backend_that_is_not_what_it_says_is_refused(project: Project, backend: str, said: str):
    """Another number or kind of devices is no run, and nothing is written."""
    before = sorted(project.state.rglob("*.json"))
    (outcome,) = record(project, "a/forked", "a/cold", backends=(backend,))
    assert (outcome.slug, outcome.kind) == ("", "failed")
    assert outcome.detail == (f"{said}; snippets not executed: 2",)
    assert sorted(project.state.rglob("*.json")) == before


def test_one_backend_that_is_not_here_costs_no_other(project: Project, accepted: dict[str, Outcome]):
    """Sessions are apart: the next one runs."""
    gone = replace(project.backend("cpu"), name="gone", command=("nowhere/python3",))
    project = replace(project, backends={**project.backends, "gone": gone})
    outcomes = {
        outcome.backend: outcome for outcome in record(project, "b/artefact", backends=("gone", "cpu"))
    }
    assert outcomes["gone"].kind == "failed"
    assert "cannot start nowhere/python3" in outcomes["gone"].detail[0]
    assert outcomes["cpu"].kind == "reproduced"


def elsewhere(project: Project, **commands: Sequence[str]) -> Project:
    """The project with more backends: this machine behind these commands, each with its name in ``HERE``."""
    far = {
        name: replace(project.backend("cpu"), name=name, command=tuple(command), env={"HERE": name})
        for name, command in commands.items()
    }
    return replace(project, backends={**project.backends, **far})


def small(folder: Path, **texts: str) -> Project:
    """A project of its own with snippets of one cell."""
    return make_project(
        folder / "p", {f"a/{name}": snippet_text(f"# %% a\n{text}") for name, text in texts.items()}
    )


def test_several_hosts_are_recorded_at_once(tmp_path: Path):
    """Each host waits for the other to start: one after another, neither would ever begin."""
    project = small(tmp_path, one="print('fine')\n")
    meet = 'touch "$0"; until [ -e "$1" ]; do sleep 0.05; done; shift; exec "$@"'
    here, there = str(tmp_path / "here"), str(tmp_path / "there")
    project = elsewhere(
        project,
        near=["sh", "-c", meet, here, there, sys.executable],
        far=["sh", "-c", meet, there, here, sys.executable],
    )
    listener = Noting()
    outcomes = record(project, backends=("near", "far"), listener=listener)
    assert sorted((outcome.backend, outcome.kind) for outcome in outcomes) == [
        ("far", "new"),
        ("near", "new"),
    ]
    assert sorted(listener.ended) == sorted(name for name, _ in listener.began)
    assert sorted(name.partition(",")[0] for name in listener.ended) == ["far", "near"]


def test_a_session_that_fails_is_told_while_others_go_on(tmp_path: Path):
    """At once, and again among the outcomes; one that fails last, or alone, is among the outcomes only."""

    class Heeding(Noting):
        def say(self, line: str) -> None:
            super().say(line)
            (tmp_path / "told").touch()

    wait = 'for i in $(seq 600); do [ -e "$0" ] && break; sleep 0.05; done; exec "$@"'
    project = elsewhere(
        small(tmp_path, one="print('fine')\n"),
        near=["sh", "-c", wait, str(tmp_path / "told"), sys.executable],
        far=["sh", "-c", "echo gone >&2; exit 3"],
    )
    listener = Heeding()
    outcomes = {
        outcome.backend: outcome for outcome in record(project, backends=("near", "far"), listener=listener)
    }
    assert listener.said == list(outcomes["far"].detail)
    assert "backend far: the worker ended with status 3" in listener.said[0]
    assert outcomes["near"].kind == "new"
    alone = Noting()
    assert record(project, backends=("far",), listener=alone)[0].kind == "failed"
    assert alone.said == []


def test_what_is_named_twice_is_recorded_once():
    """A backend as well as a version; their order stays."""
    options = Options(backends=("far", "cpu", "far"), versions=(None, "0.9.2", None, "0.9.2"))
    assert (options.backends, options.versions) == (("far", "cpu"), (None, "0.9.2"))


def test_sessions_of_one_host_follow_one_another(tmp_path: Path):
    """What two backends call by the same words is one machine, which they share in turn."""
    project = small(tmp_path, one="print('fine')\n")
    alone = 'mkdir "$0" || exit 9; "$@"; status=$?; rmdir "$0"; exit $status'
    command = ["sh", "-c", alone, str(tmp_path / "held"), sys.executable]
    outcomes = record(elsewhere(project, near=command, far=command), backends=("near", "far"))
    assert [(outcome.backend, outcome.kind) for outcome in outcomes] == [("near", "new"), ("far", "new")]


def test_a_host_that_vanishes_costs_what_it_had_not_answered(tmp_path: Path):
    """Its whole runs are kept, one line counts the others, and the other hosts go on."""
    dies = "import os\nif os.environ['HERE'] == 'far': os.kill(os.getppid(), 9)\n"
    project = small(tmp_path, fine="print('fine')\n", kills=dies, late="print('late')\n")
    project = elsewhere(project, near=["env", sys.executable], far=[sys.executable])
    outcomes = record(project, backends=("far", "near"), parallel=1)
    failed = [outcome for outcome in outcomes if outcome.kind == "failed"]
    assert [(outcome.slug, outcome.backend) for outcome in failed] == [("", "far")]
    (line,) = failed[0].detail
    assert line.startswith("backend far: the worker ended with status ")
    assert "before it had finished" in line
    assert "; snippets without a run: 2 (" in line
    kept = {outcome.backend: [] for outcome in outcomes}
    for outcome in outcomes:
        if outcome.stored is not None:
            assert archive.load_all(project, project.local_runs, outcome.slug)
            kept[outcome.backend].append(outcome.slug)
    assert kept == {"far": ["a/fine"], "near": ["a/fine", "a/kills", "a/late"]}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ZeroDivisionError("by\nnothing"),
            "backend far: a mistake of its own: ZeroDivisionError: by; snippets without a run: 1 "
            "(BENCHBOOK_TRACEBACK=1 shows where)",
        ),
        (
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "there"),
            f"there: backend far: {os.strerror(errno.ENOSPC)}; snippets without a run: 1 "
            "(make room there, and do it again)",
        ),
        (UsageError("x"), "backend far: x; snippets without a run: 1"),
    ],
)
def test_what_nobody_foresaw_costs_one_host_and_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
):
    """A thread of its own is no place where an error gets lost."""
    make = environment.command

    def failing(project: Project, backend: Backend, *rest: Any, **options: Any) -> list[str]:
        if backend.name == "far":
            raise error
        return make(project, backend, *rest, **options)

    monkeypatch.setattr(environment, "command", failing)
    project = elsewhere(small(tmp_path, one="print('fine')\n"), far=["far"])
    outcomes = {outcome.backend: outcome for outcome in record(project, backends=("far", "cpu"))}
    assert outcomes["far"].detail == (said,)
    assert outcomes["cpu"].kind == "new"


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_closing_the_iterator_ends_every_session(tmp_path: Path):
    """A reader who goes takes all workers, children and grandchildren of all hosts along."""
    slow = f"import os\nos.system('sleep 600 # {tmp_path}/' + os.environ['HERE'])\n"
    project = small(tmp_path, fine="print('fine')\n", slow=slow)
    project = elsewhere(project, near=["env", sys.executable], far=[sys.executable])
    before = descendants(os.getpid())
    options = Options(backends=("near", "far"), parallel=2)
    coming = recorder.record(project, plan.choose(project, []), options, Noting())
    assert next(coming).slug == "a/fine"
    for name in ("near", "far"):
        appearing(f"{tmp_path}/{name}")
    below = [pid for pid in descendants(os.getpid()) if pid not in before]
    assert len(below) >= 6
    coming.close()
    assert left_alive(below) == []


@pytest.mark.parametrize(("version", "said"), [("newest", "is no version"), ("0.0.1", "it has JAX ")])
def test_a_version_that_is_not_there_is_refused(project: Project, version: str, said: str):
    """A word is no version; a backend's own Python that has another JAX is not the one asked for."""
    if version != "newest":
        cpu = replace(project.backend("cpu"), command=(sys.executable,))
        project = replace(project, backends={"cpu": cpu})
    (outcome,) = record(project, "a/forked", versions=(version,))
    assert (outcome.kind, outcome.stored) == ("failed", None)
    assert said in outcome.detail[0]


def test_another_jax_on_another_platform_needs_a_command(project: Project):
    """Environments are made for CPU only, and the mend says so."""
    (outcome,) = record(project, "a/forked", backends=("cuda",), versions=("0.9.2",))
    assert outcome.kind == "failed"
    assert "give that backend a command that starts a Python with JAX 0.9.2" in outcome.detail[0]


def made_environment() -> tuple[Path, str]:
    """An environment of another JAX that this checkout has, and its version."""
    name = f"python-{sys.version_info[0]}.{sys.version_info[1]}"
    for folder in sorted((ROOT / ".benchbook/environments").glob(f"jax-*-{name}")):
        words = [folder / "bin/python", "-c", "import jax, jaxlib; print(jax.__version__)"]
        if (folder / ".benchbook-made").exists():
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return folder, done.stdout.strip()
    pytest.skip("no environment of another JAX was made here: benchbook record --jax VERSION makes one")


def test_another_jax_is_recorded_and_compared(project: Project, accepted: dict[str, Outcome]):
    """A made environment is used as it is; its run names its JAX, and is compared with what there is."""
    folder, version = made_environment()
    place = project.state / "environments"
    place.mkdir(exist_ok=True)
    (place / folder.name).symlink_to(folder)
    listener = Noting()
    (outcome,) = record(project, "a/forked", versions=(version,), listener=listener)
    assert outcome.stored is not None, outcome
    assert outcome.stored.run.environment.jax == outcome.jax == version
    assert outcome.kind in ("reproduced", "changed")
    assert [
        line for line in listener.said if not line.startswith("backend ")
    ] == []  # but for a worker's notes


def test_a_minimum_jax_skips(project: Project):
    """A snippet that needs a newer JAX is no failure on an older one, and starts nothing."""
    restore = edited(project, "a/forked", "# timeout = 60", '# timeout = 60\n# minimum-jax = "99.0"')
    listener = Noting()
    try:
        (outcome,) = record(project, "a/forked", versions=("0.9.2",), listener=listener)
    finally:
        restore()
    assert outcome == Outcome("a/forked", "cpu", "0.9.2", "skipped", ("needs JAX 99.0 or newer",))
    assert listener.began == []


def test_the_compile_cache_touches_forked_runs_only(project: Project, unaccepted: dict[str, Outcome]):
    """The method says so, results stay, and no folder of this machine is in the run, even below the home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(project.root))
        outcomes = record(project, "a/forked", "a/cold", compile_cache=True)
    runs = {outcome.slug: outcome.stored.run for outcome in outcomes if outcome.stored}
    assert sorted(runs) == ["a/cold", "a/forked"], outcomes
    forked = sys.platform == "linux"
    assert {slug: run.method.compile_cache for slug, run in runs.items()} == {
        "a/forked": forked,
        "a/cold": False,
    }
    assert any((project.state / "compiled").iterdir()) is forked
    assert not any("CACHE" in name for name in runs["a/cold"].environment.flags)
    assert "JAX_COMPILATION_CACHE_DIR" not in runs["a/forked"].environment.flags
    for slug, run in runs.items():
        assert run.results == run_of(unaccepted, slug).results
