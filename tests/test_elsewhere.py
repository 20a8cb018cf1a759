"""Recording on other hosts, for real: over ssh, in a network that is cut, through Slurm, by a parcel."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from uv import find_uv_bin

from benchbook import archive
from benchbook.project import Project, find
from benchbook.recording.outcome import Outcome
from benchbook.run import Run
from tests import hosts
from tests.factory import SETTINGS, make_project
from tests.hosts import Host, Slurm
from tests.lessons import ARTEFACT, COMPILED, MEASURES
from tests.processes import appearing, descendants, heeding, left_alive
from tests.recording import record, snippet_text

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="daemons and processes are Linux's here")

ROOT = Path(__file__).parents[1]
TEXTS = {
    "a/forked": snippet_text(COMPILED),
    "a/measured": snippet_text(MEASURES),
    "b/artefact": snippet_text(ARTEFACT),
}
QUICK = snippet_text("# %% one\nprint('fine')\n")
# Where WAITS is set, it stays until it is killed, in a process whose command names the place.
WAITING = """\
# %% wait
import os, subprocess, sys

if "WAITS" in os.environ:
    subprocess.run([sys.executable, "-c", "import time; time.sleep(600)  # " + os.environ["WAITS"]])
"""
SLOW = {"a/quick": QUICK, "b/waiting": snippet_text(WAITING, more="cold = true")}


def made(root: Path, texts: dict[str, str], **backends: dict[str, Any]) -> Project:
    """A project with these snippets and, besides its own, these backends, which are on CPU by default."""
    make_project(root, texts)
    tables = ""
    for name, keys in backends.items():
        env = ", ".join(f"{key} = {json.dumps(value)}" for key, value in keys.pop("env", {}).items())
        tables += f"[tool.benchbook.backends.{name}]\nenv = {{ {env} }}\n"
        tables += "".join(
            f"{key} = {json.dumps(value)}\n" for key, value in ({"platform": "cpu"} | keys).items()
        )
    (root / "pyproject.toml").write_text(SETTINGS + tables)
    return find(root)


@contextmanager
def recording(project: Project, *backends: str) -> Iterator["subprocess.Popen[str]"]:
    """A real `benchbook record` on these backends; what it started is gone in the end, whatever fails."""
    words = [sys.executable, "-m", "benchbook", "record", "--jobs", "1"]
    words += [word for name in backends for word in ("--backend", name)]
    pipe = subprocess.PIPE
    recorder = subprocess.Popen(words, cwd=project.root, stdout=pipe, stderr=pipe, text=True)
    try:
        yield recorder
    finally:
        for pid in (*descendants(recorder.pid), recorder.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        recorder.communicate()


def last_line(recorder: "subprocess.Popen[str]") -> str:
    """The one line on standard error of a recording in which a session failed and another snippet did not."""
    out, err = recorder.communicate(timeout=120)
    assert recorder.returncode == 1, out + err
    (line,) = [line for line in err.splitlines() if line]
    assert "; snippets without a run: 1" in line
    return line


def failure(outcomes: Sequence[Outcome]) -> str:
    """The one line of the one session that failed, of which nothing was written."""
    (outcome,) = outcomes
    assert (outcome.kind, outcome.stored, outcome.slug) == ("failed", None, "")
    (line,) = outcome.detail
    assert "\n" not in line
    return line


def runs(project: Project) -> dict[tuple[str, str], Run]:
    """The runs of this machine that were not accepted, by backend and slug."""
    found = [
        stored.run
        for slug in project.slugs()
        for stored in archive.load_all(project, project.local_runs, slug)
    ]
    return {(run.backend, run.slug): run for run in found}


def without_times(run: Run) -> dict[str, Any]:
    """A run as plain data, without its backend, its times, and what differs from process to process."""
    tree = run.model_dump(mode="json")
    for key in ("backend", "started", "ended"):
        del tree[key]
    for key in ("before", "after"):
        del tree["hardware"][key]
    del tree["method"]["process_ns"], tree["method"]["clock"]["step_ns"]
    for measurement in tree["measurements"].values():
        measurement["samples"] = [len(row) for row in measurement["samples"]]
    for cell in tree["cells"]:
        del cell["duration_ns"]
        if "varies" in cell["tags"]:
            del cell["stdout"]
    return tree


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """An sshd on this machine."""
    with hosts.sshd(tmp_path_factory.mktemp("elsewhere") / "sshd") as host:
        yield host


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    """A Slurm on this machine."""
    with hosts.slurm(tmp_path_factory.mktemp("elsewhere") / "slurm") as cluster:
        yield cluster


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What recording on this machine gives, by slug."""
    project = made(tmp_path_factory.mktemp("here") / "project", TEXTS)
    assert {outcome.kind for outcome in record(project)} == {"new"}
    return {slug: without_times(run) for (_, slug), run in runs(project).items()}


def recorded_alike(project: Project, here: dict[str, Any]) -> None:
    """Records on far, and compares the runs with those of this machine."""
    outcomes = {outcome.slug: outcome for outcome in record(project, backends=("far",))}
    assert {outcome.kind for outcome in outcomes.values()} == {"new"}, outcomes
    found = {slug: run for (_, slug), run in runs(project).items()}
    assert {slug: without_times(run) for slug, run in found.items()} == here
    assert [len(row) for row in found["a/measured"].measurements["compiled"].samples] == [5, 5]
    stored = outcomes["b/artefact"].stored
    assert stored is not None
    assert archive.artefact_path(stored.path, "note.txt").read_bytes() == b"kept\n"


def test_a_run_over_ssh_is_the_run_of_this_machine(host: Host, here: dict[str, Any], tmp_path: Path):
    """Output, results, figures, measurements' methods and files come through; only times differ."""
    project = made(tmp_path / "p", TEXTS, far={"command": host.command(sys.executable)})
    recorded_alike(project, here)
    assert list((host.folder / "tmp").iterdir()) == []


def test_a_host_that_is_slow_to_answer_is_waited_for_as_long_as_it_may(host: Host, tmp_path: Path):
    """Within its patience it records; beyond it there is one line, and the setting to change."""
    slow = ["sh", "-c", 'sleep "$1"; shift; exec "$@"', "sh"]
    project = made(
        tmp_path / "p",
        {"a/quick": QUICK},
        far={"command": [*slow, "1", *host.command(sys.executable)], "patience": 60},
        farther={"command": [*slow, "600", *host.command(sys.executable)], "patience": 1},
    )
    outcomes = {outcome.backend: outcome for outcome in record(project, backends=("far", "farther"))}
    assert outcomes["far"].kind == "new"
    said = failure([outcomes["farther"]])
    assert said.startswith("backend farther: nothing was heard for 1 s; it may be gone or queued")
    assert "patience = 12 in [tool.benchbook.backends.farther]" in said


def old_python() -> str:
    """A Python that the worker does not run on."""
    places = [Path.home() / ".pyenv/versions", Path("/usr/bin"), Path("/usr/local/bin")]
    for minor in (6, 7, 8, 9, 10):
        for place in places:
            for path in (*place.glob(f"3.{minor}.*/bin/python3"), place / f"python3.{minor}"):
                if path.exists():
                    return str(path)
    pytest.skip("no Python older than 3.11 is here")


def without_jax(tmp_path: Path) -> str:
    """A Python that has no JAX."""
    words = [sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "plain")]
    subprocess.run(words, check=True)
    return f"{tmp_path}/plain/bin/python"


def test_a_python_that_cannot_record_says_what_it_lacks(host: Host, tmp_path: Path):
    """None at all, one that is too old, one without JAX: a line each, with no traceback in it."""
    for python, said in [
        ("/nowhere/python3", "status 127 before it had finished: "),
        (old_python(), "benchbook's worker needs Python 3.11 or newer; this is 3."),
        (
            without_jax(tmp_path),
            "is not here: JAX cannot start 'cpu': ModuleNotFoundError: No module named 'jax'",
        ),
    ]:
        project = made(tmp_path / "p", {"a/quick": QUICK}, far={"command": host.command(python)})
        line = failure(record(project, backends=("far",)))
        assert line.startswith("backend far")
        assert said in line
        assert ("is there such a Python?" in line) == ("127" in line)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "User=nobody"], "nobody@127.0.0.1: Permission denied (publickey)"),
        (["-p", "1"], "connect to host 127.0.0.1 port 1: Connection refused"),
        (["-o", "HostName=nowhere.invalid"], "Could not resolve hostname nowhere.invalid"),
        (["-o", "UserKnownHostsFile=/dev/null"], "Host key verification failed."),
    ],
    ids=["refused key", "closed port", "unknown host", "unknown host key"],
)
def test_ssh_that_does_not_connect_says_why(host: Host, tmp_path: Path, options: list[str], said: str):
    """The line has ssh's own last words, and asks nobody for a password."""
    command = host.command(sys.executable, options=options)
    project = made(tmp_path / "p", {"a/quick": QUICK}, far={"command": command})
    line = failure(record(project, backends=("far",)))
    assert line.startswith("backend far: the worker ended with status 255 before it had finished: ")
    assert said in line
    assert "ssh could not connect, or lost the connection" in line


def test_another_jax_than_was_asked_for_is_refused(host: Host, tmp_path: Path):
    """Which JAX is over there is for the worker to say; no environment is made here."""
    project = made(tmp_path / "p", {"a/quick": QUICK}, far={"command": host.command(sys.executable)})
    (outcome,) = record(project, backends=("far",), versions=("0.0.1",))
    assert (outcome.kind, outcome.stored) == ("failed", None)
    assert outcome.detail[0].startswith("backend far is not here: it has JAX ")
    assert list(project.state.glob("environments/*")) == []


def test_a_host_without_the_device_is_refused(host: Host, tmp_path: Path):
    """No GPU over there: one line, and nothing falls back to its CPU."""
    if Path("/dev/nvidia0").exists():
        pytest.skip("this machine has a GPU")
    gpu = {"platform": "gpu", "command": host.command(sys.executable), "env": {"JAX_PLATFORMS": "cuda"}}
    project = made(tmp_path / "p", {"a/quick": QUICK}, far=gpu)
    line = failure(record(project, backends=("far",)))
    assert line.startswith("backend far is not here: JAX cannot start 'cuda': ")
    assert line.endswith("; snippets not executed: 1")


def test_a_host_that_floods_its_output_is_given_up(host: Host, tmp_path: Path):
    """A profile that prints for ever costs one line; one that prints for ever on stderr costs nothing."""
    loud = host.command("yes", "welcome;", sys.executable)
    louder = host.command("yes", "welcome", ">&2", "&", sys.executable)
    project = made(tmp_path / "p", {"a/quick": QUICK}, far={"command": loud}, farther={"command": louder})
    outcomes = {outcome.backend: outcome for outcome in record(project, backends=("far", "farther"))}
    assert failure([outcomes["far"]]).startswith("backend far: more than 1 MiB of its output is no answer: ")
    assert outcomes["farther"].kind == "new"
    assert left_alive(descendants(host.process.pid)) == []


def test_one_host_that_dies_costs_no_other(host: Host, tmp_path: Path):
    """Of three at once one loses its connection: its whole run, and all of the others', are kept."""
    word = str(tmp_path)
    with hosts.sshd(tmp_path / "sshd") as dying:
        project = made(
            tmp_path / "p",
            SLOW,
            far={"command": host.command(sys.executable)},
            dying={"command": dying.command(sys.executable), "env": {"WAITS": word}},
        )
        with recording(project, "dying", "far", "cpu") as recorder:
            appearing(f"# {word}")
            far = descendants(dying.process.pid)
            dying.hang_up()
            line = last_line(recorder)
        assert left_alive(far) == []
    assert line.startswith("backend dying: the worker ended with status 255 before it had finished: ")
    assert sorted(runs(project)) == sorted(
        [("dying", "a/quick"), *((name, slug) for name in ("cpu", "far") for slug in SLOW)]
    )


@pytest.mark.parametrize("heeds", [False, True], ids=["patience", "ServerAliveInterval"])
def test_a_network_that_vanishes_without_a_word_is_noticed(tmp_path: Path, heeds: bool):
    """Patience ends it, or ssh where it was told to ask; nothing stays over there once TCP gives up."""
    word = str(tmp_path)
    asks = ["-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=2"] if heeds else []
    with (
        hosts.network() as network,
        hosts.sshd(tmp_path / "sshd", address=network.address, near=network.near, far=network.far) as host,
    ):
        far = {"command": host.command(sys.executable, options=asks), "env": {"WAITS": word}}
        project = made(tmp_path / "p", SLOW, far=far | {"patience": 300 if heeds else 8})
        with recording(project, "far") as recorder:
            appearing(f"# {word}")
            below = descendants(host.process.pid)
            network.cut()
            line = last_line(recorder)
        assert left_alive(below, patience=60) == []
        assert list((host.folder / "tmp").iterdir()) == []
    said = "Timeout, server 10.0.0.2 not responding." if heeds else "it fell silent for 8 s: its machine or "
    assert line.startswith("backend far: ")
    assert said in line
    assert sorted(runs(project)) == [("far", "a/quick")]


def test_a_run_through_slurm_is_the_run_of_this_machine(cluster: Slurm, here: dict[str, Any], tmp_path: Path):
    """`srun` passes the program in and the frames out; only times differ."""
    command = cluster.words("srun", "-n1", sys.executable)
    recorded_alike(made(tmp_path / "p", TEXTS, far={"command": command}), here)
    hosts.soon(lambda: cluster.jobs() == [], "the job has left the queue")


def test_a_job_that_is_cancelled_is_one_line(cluster: Slurm, tmp_path: Path):
    """What was whole is kept, and nothing stays on the node."""
    word = str(tmp_path)
    command = cluster.words("srun", "-n1", sys.executable)
    project = made(tmp_path / "p", SLOW, far={"command": command, "env": {"WAITS": word}})
    with recording(project, "far") as recorder:
        waiting = appearing(f"# {word}")
        cluster.cancel(*cluster.jobs("--states=RUNNING"))
        line = last_line(recorder)
    assert line.startswith("backend far: the worker ended with status ")
    assert sorted(runs(project)) == [("far", "a/quick")]
    assert left_alive([waiting]) == []


@pytest.mark.parametrize("kind", ["ssh", "ssh and slurm"])
def test_a_recorder_that_is_killed_takes_what_it_started_along(
    kind: str, tmp_path: Path, host: Host, request: pytest.FixtureRequest
):
    """Over there the worker hears that nobody listens, or its job ends: no process and no job stays."""
    word, command = str(tmp_path), host.command(sys.executable)
    if "slurm" in kind:  # srun does not hear it by itself, nor does an ssh that started one
        cluster: Slurm = request.getfixturevalue("cluster")
        setpriv = [hosts.tool("setpriv", "util-linux"), "--pdeathsig", "TERM"]
        srun = cluster.words("srun", "-n1", sys.executable)
        command = [*setpriv, *host.command(*setpriv, *srun)]
    project = made(tmp_path / "p", SLOW, far={"command": command, "env": {"WAITS": word}})
    with recording(project, "far") as recorder:
        below = [appearing(f"# {word}"), *descendants(recorder.pid)]
        recorder.kill()
        assert left_alive(below, patience=40) == []
    assert list((host.folder / "tmp").iterdir()) == []
    if "slurm" in kind:
        hosts.soon(lambda: cluster.jobs() == [], "the job has left the queue")


def test_a_job_that_waits_longer_than_its_patience_is_taken_back(cluster: Slurm, tmp_path: Path):
    """A full queue costs one line that names the setting, and leaves no job in it."""
    command = cluster.words("srun", "-n1", sys.executable)
    project = made(tmp_path / "p", {"a/quick": QUICK}, far={"command": command, "patience": 1})
    with subprocess.Popen(cluster.words("srun", "-n1", "sleep", "600"), stderr=subprocess.DEVNULL) as other:
        try:
            hosts.soon(lambda: cluster.jobs("--states=RUNNING") != [], "a job runs")
            (running,) = cluster.jobs()
            said = failure(record(project, backends=("far",)))
            assert cluster.jobs() == [running]
        finally:
            cluster.cancel(*cluster.jobs())
            other.wait()
    assert said.startswith("backend far: nothing was heard for 1 s; it may be gone or queued")


def older() -> str:
    """A Python 3.11 with JAX 0.9.2 and nothing else; made with uv where it is not here yet."""
    for place in ("environments", "elsewhere"):
        folder = ROOT / ".benchbook" / place / "jax-0.9.2-python-3.11"
        if (folder / ".benchbook-made").exists():
            return str(folder / "bin/python")
    shutil.rmtree(folder, ignore_errors=True)
    python = ["--python", str(folder / "bin/python")]
    for words in (
        ["venv", "--no-python-downloads", "--python", "3.11", str(folder)],
        ["pip", "install", "--no-build", "--compile-bytecode", *python, "jax==0.9.2", "jaxlib==0.9.2"],
    ):
        done = subprocess.run([find_uv_bin(), *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"no environment with Python 3.11 and JAX 0.9.2: {done.stderr.strip()[-200:]}")
    (folder / ".benchbook-made").touch()
    return str(folder / "bin/python")


def benchbook(project: Project, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command."""
    command = [sys.executable, "-m", "benchbook", *words]
    return subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)


def packed(project: Project, folder: Path, *words: str) -> Path:
    """A program that was packed and carried into a folder."""
    folder.mkdir()
    done = benchbook(project, "record", "--pack", "job.py", "--processes", "2", *words)
    assert done.returncode == 0, done.stderr
    return (project.root / "job.py").rename(folder / "job.py")


def carried_out(program: Path, python: str, redirection: str = "> results.jsonl") -> tuple[int, str]:
    """Runs a packed program where nothing of this project is, and returns its status and what it said."""
    words = ["env", "-i", f"TMPDIR={program.parent}", "sh", "-c", f'exec "$0" job.py {redirection}', python]
    done = subprocess.run(words, cwd=program.parent, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def test_a_carried_program_records_on_another_python_and_jax(tmp_path: Path):
    """Python 3.11, JAX 0.9.2 and nothing else: the runs that come back say so, and are accepted."""
    project = made(tmp_path / "p", TEXTS)
    program = packed(project, tmp_path / "there", "--jax", "0.9.2")
    status, said = carried_out(program, older())
    assert (status, len(said.splitlines())) == (0, 1), said
    assert said.startswith("benchbook: backend cpu: ")
    assert sorted(path.name for path in program.parent.iterdir()) == ["job.py", "results.jsonl"]
    results = (program.parent / "results.jsonl").rename(project.root / "results.jsonl")
    for words, folder in (([], project.local_runs), (["--accept"], project.runs)):
        done = benchbook(project, "record", "--ingest", results.name, *words)
        assert done.returncode == 0, done.stderr
        for slug in TEXTS:
            (stored,) = archive.load_all(project, folder, slug)
            environment = stored.run.environment
            assert environment.python.startswith("3.11.")
            assert (environment.jax, environment.jaxlib) == ("0.9.2", "0.9.2")
            assert stored.run.programs or slug == "b/artefact"
    assert archive.artefact_path(stored.path, "note.txt").read_bytes() == b"kept\n"


def test_a_carried_program_that_cannot_record_says_so_in_one_line(tmp_path: Path):
    """Another JAX, a Python that is too old, and an output that is closed or full: no traceback."""
    project = made(tmp_path / "p", {"a/quick": QUICK})
    program = packed(project, tmp_path / "there", "--jax", "0.0.1")
    here = sys.executable
    for python, redirection, line in [
        (here, "> results.jsonl", "benchbook: backend cpu is not here: it has JAX "),
        (old_python(), "> results.jsonl", "benchbook's worker needs Python 3.11 or newer; this is 3."),
        (here, ">&-", "benchbook: standard output or error is closed: Bad file descriptor (give"),
        (here, "> /dev/full", "benchbook: the worker cannot go on: "),
    ]:
        status, said = carried_out(program, python, redirection)
        assert status == 1
        assert said.startswith(line)
        assert len(said.splitlines()) == 1, said
    assert sorted(path.name for path in program.parent.iterdir()) == ["job.py", "results.jsonl"]


def test_a_carried_program_that_is_interrupted_keeps_whole_runs(tmp_path: Path):
    """After Control-C what had been recorded is taken in, and the cut is told."""
    word = str(tmp_path)
    project = made(tmp_path / "p", SLOW, far={"env": {"WAITS": word}})
    program = packed(project, tmp_path / "there", "--backend", "far", "--jobs", "1")
    results = project.root / "results.jsonl"
    with results.open("wb") as file:
        words = {"cwd": program.parent, "env": {"TMPDIR": str(program.parent)}, "start_new_session": True}
        running = subprocess.Popen(
            heeding([sys.executable, "job.py"]), stdout=file, stderr=subprocess.PIPE, text=True, **words
        )
        try:
            waiting = appearing(f"# {word}")
            os.killpg(running.pid, signal.SIGINT)
            _, said = running.communicate(timeout=60)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    assert (running.returncode, said) == (130, "benchbook: ended by SIGINT; what was answered is whole\n")
    assert left_alive([waiting]) == []
    assert list(program.parent.iterdir()) == [program]
    done = benchbook(project, "record", "--ingest", "results.jsonl")
    assert done.returncode == 1
    assert "results.jsonl: cut short: whole runs are kept" in done.stderr
    assert sorted(runs(project)) == [("far", "a/quick")]


def test_a_carried_program_may_be_run_twice(tmp_path: Path):
    """Each time it gives whole results: two runs of one snippet, which agree."""
    project = made(tmp_path / "p", {"a/quick": QUICK})
    program = packed(project, tmp_path / "there")
    for number, kind in enumerate(("new", "reproduced"), 1):
        assert carried_out(program, sys.executable, f"> {number}.jsonl")[0] == 0
        done = benchbook(project, "record", "--ingest", str(program.parent / f"{number}.jsonl"), "--accept")
        assert done.returncode == 0, done.stderr
        assert f"1 {kind}; 1 run written" in done.stdout
    assert len(archive.load_all(project, project.runs, "a/quick")) == 2
