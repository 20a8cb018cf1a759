"""Environments: which Python a backend starts, and that one is made once, whole or not at all."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchbook.errors import BenchbookError, UsageError
from benchbook.project import Backend, Project
from benchbook.recording import condition, custody, environment, errand, maker
from benchbook.recording.installer import Installer
from benchbook.recording.interpreter import OWN
from tests import wheels
from tests.processes import appearing, descendants, heeding, left_alive

CPU = Backend("cpu", "cpu")
HEED = "import os, signal; signal.signal(2, signal.SIG_DFL)"  # what runs in the background may ignore it
FAR = Backend("far", "gpu", command=("ssh", "far", "python3"))
OTHER = Path("/usr/bin/python3.11")  # Debian's own
TOKEN = "t0ken-of-the-index"  # noqa: S105  # it opens nothing
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes in /proc")
needs_other = pytest.mark.skipif(
    not OTHER.exists() or OWN == "3.11", reason="no second Python, of 3.11, is here"
)


def command(project: Project, backend: Backend, jax: str | None) -> list[str]:
    """The command, for somebody who expects that nothing is made."""

    def say(line: str) -> None:
        pytest.fail(f"it was said: {line}")

    return environment.command(project, backend, jax, say=say)


def made(
    project: Project, jax: str, *, stopped: Callable[[], bool] = lambda: False
) -> tuple[Path, list[str]]:
    """The environment's folder, and what was said."""
    said: list[str] = []
    (python,) = environment.command(project, CPU, jax, say=said.append, stopped=stopped)
    return Path(python).parents[1], said


def left(project: Project) -> list[str]:
    """What lies in the folder of environments."""
    return sorted(path.name for path in (project.state / "environments").iterdir())


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels, from which alone the real uv installs."""
    for name, value in wheels.settings(tmp_path / "wheels", tmp_path / "cache").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    wheels.release(tmp_path / "wheels", "0.9.2")
    return tmp_path / "wheels"


def fake_uv(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in the place of uv: what it does is written down, the network is never asked."""
    path = folder / "uv"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setattr("uv.find_uv_bin", lambda: str(path))


def test_without_a_command_it_is_this_interpreter(project: Project):
    """The environment that runs the engine has JAX."""
    assert command(project, CPU, None) == [sys.executable]


@pytest.mark.parametrize("jax", [None, "0.9.2"])
def test_a_backends_own_command_wins(project: Project, jax: str | None):
    """Which JAX is over there is asserted by the worker, not made here."""
    assert command(project, FAR, jax) == ["ssh", "far", "python3"]


@pytest.mark.parametrize(
    "jax", ["newest", "", "0.9 2", "../x", "0.9.2; import os", ">=0.9", "-1", "0..9", "1.x"]
)
def test_what_is_no_version_is_wrong_use(project: Project, jax: str):
    """It never reaches uv or a path."""
    with pytest.raises(UsageError, match=r"is no version \(write one like 0\.9\.2\)"):
        command(project, CPU, jax)


def test_only_cpu_environments_are_made(project: Project):
    """For others the message says what to set, and where."""
    with pytest.raises(
        UsageError, match=r"pyproject\.toml: --jax .* CPU only, not for cuda \(give .* JAX 0\.9\.2\)"
    ):
        command(project, Backend("cuda", "gpu"), "0.9.2")


def test_an_environment_is_made_once(
    project: Project, shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The second call finds it and starts no uv; its folder names JAX and Python."""
    folder, said = made(project, "0.9.2")
    assert folder == project.state / f"environments/jax-0.9.2-python-{OWN}"
    assert said == ["making an environment with JAX 0.9.2 (once)"]
    fake_uv(tmp_path, "exit 1", monkeypatch)
    assert command(project, CPU, "0.9.2") == [str(folder / "bin/python")]


def test_an_environment_of_any_python_counts(project: Project, shelf: Path):
    """One that another engine's Python made is used as it is, and the engine's own comes first."""
    folder, _ = made(project, "0.9.2")
    other = folder.with_name("jax-0.9.2-python-3.99")
    folder.rename(other)
    assert command(project, CPU, "0.9.2") == [str(other / "bin/python")]
    other.rename(folder)
    (other / "bin").mkdir(parents=True)
    assert command(project, CPU, "0.9.2") == [str(folder / "bin/python")]


def truncate(folder: Path) -> None:
    """Cuts a file of jaxlib's, in the cache that it is linked from as well."""
    next(folder.glob("lib/*/site-packages/jaxlib/data.bin")).write_bytes(b"x")


def delete(folder: Path) -> None:
    """Deletes a file of jaxlib's that no import reads."""
    next(folder.glob("lib/*/site-packages/jaxlib/data.bin")).unlink()


def replace_version(folder: Path) -> None:
    """Installs another jaxlib by hand."""
    wheels.make(Path(os.environ["UV_FIND_LINKS"]), "jaxlib", "0.9.1")
    words = ["pip", "install", "--quiet", "--python", str(folder / "bin/python"), "jaxlib==0.9.1"]
    from uv import find_uv_bin

    subprocess.run([find_uv_bin(), *words], check=True)


def lose_python(folder: Path) -> None:
    """Takes the base Python away."""
    (folder / "bin/python").unlink()
    (folder / "bin/python").symlink_to("/nowhere/python")


def lose_mark(folder: Path) -> None:
    """What a making that was killed leaves."""
    (folder / ".benchbook-made").unlink()


def crash(folder: Path) -> None:
    """Makes the import end its process, as a library that is not whole does; its length stays."""
    path = next(folder.glob("lib/*/site-packages/jaxlib/__init__.py"))
    size, code = path.stat().st_size, "import os; os.abort()"
    path.unlink()  # uv's cache has the same file
    path.write_text(code + "#" * (size - len(code)))
    for compiled in path.parent.glob("__pycache__/*"):
        compiled.unlink()


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (truncate, r"jaxlib/data\.bin is missing or not whole"),
        (delete, r"jaxlib/data\.bin is missing or not whole"),
        (replace_version, r"it holds jax 0\.9\.2 jaxlib 0\.9\.1"),
        (lose_python, "its Python does not start: No such file"),
        (lose_mark, "its making did not end"),
        (crash, "its JAX is ended by SIGABRT"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_environment_is_made_again(
    project: Project, shelf: Path, damage: Callable[[Path], None], told: str
):
    """What is wrong is said in a line, and the new one is whole."""
    wheels.release(shelf, "0.9.2", code="import jaxlib\n" + "#" * 50)
    wheels.make(shelf, "jaxlib", "0.9.2", code="#" * 50)
    folder, _ = made(project, "0.9.2")
    damage(folder)
    again, said = made(project, "0.9.2")
    assert again == folder
    assert said[-1] == "making an environment with JAX 0.9.2 (once)"
    assert re.search(rf"^jax-0\.9\.2-python-\S+ is of no use: {told}", said[0])
    assert command(project, CPU, "0.9.2") == [str(folder / "bin/python")]


def replaced(folder: Path, code: str) -> None:
    """Puts other code into jaxlib, of the same length, so that it looks whole."""
    path = next(folder.glob("lib/*/site-packages/jaxlib/__init__.py"))
    size = path.stat().st_size
    assert len(code) < size
    path.unlink()  # uv's cache has the same file
    path.write_text(code + "\n" + "#" * (size - len(code) - 1))
    for compiled in path.parent.glob("__pycache__/*"):
        compiled.unlink()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os; os.kill(os.getpid(), 9)", "its JAX is ended by SIGKILL"),
        (f"{HEED}; os.kill(os.getpid(), 2)", "its JAX is ended by SIGINT"),
        ("import os; os.kill(os.getpid(), 15)", "its JAX is ended by SIGTERM"),
        ("import time; time.sleep(600)", "its JAX took longer than 1 s"),
    ],
)
def test_what_may_be_whole_is_not_removed(
    project: Project, shelf: Path, monkeypatch: pytest.MonkeyPatch, code: str, told: str
):
    """A machine that is busy, or somebody who ends processes, says nothing of an environment."""
    wheels.make(shelf, "jaxlib", "0.9.2", code="#" * 100)
    wheels.make(shelf, "jax", "0.9.2", code="import jaxlib\n" + "#" * 50, requires="jaxlib==0.9.2")
    folder, _ = made(project, "0.9.2")
    replaced(folder, code)
    if "sleep" in code:
        monkeypatch.setattr(condition, "PATIENCE", 1.0)
    mark = (folder / ".benchbook-made").stat()
    with pytest.raises(BenchbookError, match=f"^{folder.name} may be of use: {told} \\(end what"):
        made(project, "0.9.2")
    assert (folder / ".benchbook-made").stat() == mark


def test_a_look_at_an_environment_can_be_stopped(project: Project, shelf: Path):
    """At once, and nothing is removed; nor is what is broken when nobody wants another."""
    wheels.make(shelf, "jaxlib", "0.9.2", code="#" * 100)
    wheels.make(shelf, "jax", "0.9.2", code="import jaxlib\n" + "#" * 50, requires="jaxlib==0.9.2")
    folder, _ = made(project, "0.9.2")
    replaced(folder, "import time; time.sleep(600)")
    with pytest.raises(BenchbookError, match="was stopped"):
        made(project, "0.9.2", stopped=lambda: True)
    assert (folder / ".benchbook-made").exists()
    replaced(folder, "raise ImportError")
    with pytest.raises(BenchbookError, match="was stopped"):
        made(project, "0.9.2", stopped=lambda: True)
    assert (folder / ".benchbook-made").exists()


@needs_linux
def test_control_c_in_a_terminal_does_not_reach_a_look(tmp_path: Path):
    """It has a session of its own, and ends with this process."""
    code = "import os; print(os.getsid(0), os.getpgid(0), os.getpgid(os.getppid()))"
    done = errand.run([sys.executable, "-c", code], stopped=lambda: False)
    session, group, above = map(int, done.out.split())
    assert os.getsid(0) not in (session, group, above)
    with pytest.raises(TimeoutError):
        errand.run(["sleep", f"600.{tmp_path.stat().st_ino}"], stopped=lambda: False, patience=0.0)
    assert not [
        pid for pid in descendants(os.getpid()) if "sleep" in Path(f"/proc/{pid}/cmdline").read_text()
    ]


def test_a_link_to_an_environment_is_taken_away_and_not_followed(
    project: Project, shelf: Path, tmp_path: Path
):
    """What lies elsewhere is somebody's; only the link is replaced."""
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "bin").mkdir(parents=True)
    place = project.state / "environments"
    place.mkdir(parents=True)
    (place / f"jax-0.9.2-python-{OWN}").symlink_to(elsewhere)
    folder, _ = made(project, "0.9.2")
    assert not folder.is_symlink()
    assert (elsewhere / "bin").is_dir()


def test_a_release_may_use_the_jaxlib_before(project: Project, shelf: Path):
    """Not every JAX has a jaxlib of its number; which one was installed is kept with the environment."""
    wheels.make(shelf, "jax", "0.9.3", requires="jaxlib<=0.9.3")
    folder, _ = made(project, "0.9.3")
    assert (folder / ".benchbook-made").read_text() == "jax 0.9.3 jaxlib 0.9.2"
    assert command(project, CPU, "0.9.3") == [str(folder / "bin/python")]


@needs_other
def test_a_version_takes_a_python_that_it_has_wheels_for(project: Project, shelf: Path):
    """Where jaxlib has none for the engine's, another Python of this machine is used, and that is said."""
    wheels.release(shelf, "0.4.30", tag="cp311-none-any")
    folder, said = made(project, "0.4.30")
    assert folder.name == "jax-0.4.30-python-3.11"
    assert said[1].startswith(f"JAX 0.4.30 does not fit Python {OWN}: trying ")
    assert said[-1].endswith(": trying 3.11")
    words = [str(folder / "bin/python"), "-c", "import sys; print(*sys.version_info[:2])"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "3 11\n"


@pytest.mark.parametrize(
    ("tag", "mend"),
    [
        ("cp399-cp399-any", r"JAX 0\.4\.30 has wheels for Python 3\.99; here .* \(uv python install 3\.99\)"),
        ("cp39-cp39-any", r"JAX 0\.4\.30 has wheels for Python 3\.9; here .* worker needs Python 3\.11\)"),
    ],
)
def test_what_no_python_here_takes_says_which_would(project: Project, shelf: Path, tag: str, mend: str):
    """The line names the Pythons that jaxlib is for, those that are here, and what to do."""
    wheels.release(shelf, "0.4.30", tag=tag)
    with pytest.raises(BenchbookError, match=mend) as raised:
        made(project, "0.4.30")
    assert OWN in str(raised.value)
    assert left(project) == []


def test_nothing_is_built_from_source(project: Project, shelf: Path):
    """A JAX that is there as source only is refused: its set-up is a program of its own."""
    for wheel in shelf.glob("jax-*"):
        wheel.rename(shelf / "jax-0.9.2.tar.gz")
    with pytest.raises(BenchbookError, match=r"no environment with JAX 0\.9\.2: jax==0\.9\.2 has no usable"):
        made(project, "0.9.2")


def test_a_jax_that_does_not_start_is_no_environment(project: Project, shelf: Path):
    """Installed is not enough: the line says what it said."""
    wheels.release(shelf, "0.9.2", code="raise ImportError('too new a NumPy')")
    with pytest.raises(BenchbookError, match=r"it was installed, but ImportError: too new a NumPy; here"):
        made(project, "0.9.2")
    assert left(project) == []


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (
            "echo 'error: No solution' >&2; echo '  cause: Because there is no version of jax==9.9.9 and you"
            " require it, we can conclude' >&2; exit 1",
            r"^no environment with JAX 9\.9\.9: there is no version of jax==9\.9\.9 and you require it \(ask",
        ),
        (
            "echo 'error: No solution' >&2; echo '  cause: Because jax was not found in the index' >&2\n"
            f"echo >&2; echo 'hint: An index URL (https://{TOKEN}@index.example/simple) could not be asked"
            " due to a lack of valid authentication credentials (401 Unauthorized)' >&2; exit 1",
            r"An index URL \(https://index\.example\) could not be asked .* \(401 Unauthorized\) \(look at",
        ),
        ("kill -9 $$", r"uv pip ended with status 137 and gave no reason \(look at the network"),
        ("exit 2", r"uv pip ended with status 2 and gave no reason"),
        (
            f"echo 'error: Failed to fetch: https://me:{TOKEN}@index.example/{TOKEN}/x?t={TOKEN}' >&2\n"
            f"echo '  cause: error for url (https://{TOKEN}@index.example/simple)' >&2; exit 2",
            r"Failed to fetch: https://index\.example: error for url \(https://index\.example\) \(look",
        ),
        (
            "echo 'error: Failed to install: a.whl' >&2\n"
            "echo '  cause: No space left on device (os error 28)' >&2; exit 2",
            r"Failed to install: a\.whl: No space left on device \(os error 28\) \(make room on that disk\)",
        ),
    ],
)
def test_a_making_that_fails_leaves_nothing_and_tells_one_line(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: str
):
    """Half an environment is never taken for one; uv's last cause is told, and no key to an index."""
    begin = 'for last; do :; done\n[ "$1" = venv ] && { mkdir -p "$5/bin"; exit 0; }\n'
    fake_uv(tmp_path, begin + script, monkeypatch)
    with pytest.raises(BenchbookError, match=told) as raised:
        made(project, "9.9.9")
    assert TOKEN not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert left(project) == []


def test_without_uv_the_mend_is_told(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A missing tool is one line."""
    monkeypatch.setattr("uv.find_uv_bin", lambda: str(tmp_path / "nothing"))
    with pytest.raises(BenchbookError, match=r"JAX 0\.9\.2: uv is not here \(make site installs it\)$"):
        made(project, "0.9.2")


@contextlib.contextmanager
def silent() -> Iterator[int]:
    """The port of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int) -> None:
    """Makes that port the only index, with a token in its address."""
    address = f"http://me:{TOKEN}@127.0.0.1:{port}/simple"
    few = {"UV_HTTP_TIMEOUT": "1", "UV_HTTP_RETRIES": "0", "UV_CACHE_DIR": str(tmp_path / "cache")}
    for name, value in ({"UV_DEFAULT_INDEX": address} | few).items():
        monkeypatch.setenv(name, value)
    for name in ("UV_OFFLINE", "UV_NO_INDEX", "UV_FIND_LINKS", "UV_INDEX"):
        monkeypatch.delenv(name, raising=False)


def test_an_index_that_does_not_answer_is_one_line(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """What was asked and what became of it, without what opens the index; nothing half-made stays."""
    with silent() as port:
        ask(monkeypatch, tmp_path, port)
        with pytest.raises(
            BenchbookError, match=rf"fetch: http://127\.0\.0\.1:{port}: .*timed out"
        ) as raised:
            made(project, "0.9.2")
    assert TOKEN not in str(raised.value)
    assert left(project) == []
    with pytest.raises(BenchbookError, match=r"Connection refused.* \(look at the network, and at the index"):
        made(project, "0.9.2")
    assert left(project) == []


def test_a_making_can_be_stopped(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """What has begun is killed, and what it had written goes."""
    begun = tmp_path / "begun"
    fake_uv(tmp_path, f'mkdir -p "$5/bin"; touch {begun}; exec sleep 1000', monkeypatch)
    with pytest.raises(BenchbookError, match="the making of an environment was stopped"):
        made(project, "0.9.2", stopped=begun.exists)
    assert left(project) == []


MAKE = """
import os, sys
from pathlib import Path
import uv
from benchbook.project import Backend, find
from benchbook.recording import custody, environment, maker
from benchbook.recording.installer import Installer
say = lambda line: print(line, flush=True)
if "FAKE_UV" in os.environ:
    uv.find_uv_bin = lambda: os.environ["FAKE_UV"]
print(*environment.command(find(Path(sys.argv[1])), Backend("cpu", "cpu"), "0.9.2", say=say), flush=True)
"""


@contextlib.contextmanager
def making(project: Project, *, uv: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """Another recorder, which makes an environment; with the uv that is given."""
    words = heeding([sys.executable, "-c", MAKE, str(project.root)])
    env = os.environ | ({} if uv is None else {"FAKE_UV": str(uv)})
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env) as other:
        try:
            yield other
        finally:
            other.kill()


def slow_uv(folder: Path) -> tuple[Path, str]:
    """A uv that does not end, and the word by which its process is found."""
    folder.mkdir()
    path = folder / "uv"
    path.write_text('#!/bin/sh\nmkdir -p "$5/bin"\nsleep 1000 & wait\n')
    path.chmod(0o755)
    return path, str(path)


def test_the_second_recorder_waits_and_finds_it_made(project: Project, shelf: Path):
    """An environment is not made twice, nor taken before it is whole."""
    place = project.state / "environments"
    said: list[str] = []
    with contextlib.ExitStack() as stack:
        with custody.taken(place, say=said.append, stopped=lambda: False) as lock:
            other = stack.enter_context(making(project))
            assert other.stdout.readline() == "waiting for another recorder, which makes an environment\n"
            folder = maker.made(place, "0.9.2", said.append, Installer(lambda: False, lock))
        assert other.stdout.readline() == f"{folder / 'bin/python'}\n"
    assert said == ["making an environment with JAX 0.9.2 (once)"]


@needs_linux
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_uv_ends_with_its_recorder(project: Project, shelf: Path, tmp_path: Path, how: signal.Signals):
    """However that ends; nobody is kept waiting by the dead, and what was half-made is made anew."""
    path, word = slow_uv(tmp_path / "slow")
    with making(project, uv=path) as other:
        appearing(word)
        below = descendants(other.pid)
        other.send_signal(how)
        other.wait()
        assert below
        assert left_alive(below) == []
    folder, said = made(project, "0.9.2")
    assert said[-1] == "making an environment with JAX 0.9.2 (once)"
    assert command(project, CPU, "0.9.2") == [str(folder / "bin/python")]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
@needs_linux
def test_a_full_disk_is_one_line(project: Project, shelf: Path, tmp_path: Path):
    """Nothing half-made stays to fill it further."""
    wheels.make(shelf, "jaxlib", "0.9.2", code="#" * 3_000_000)
    project.state.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(project.state)]
    if subprocess.run(mounting, capture_output=True, check=False).returncode:
        pytest.skip("this container may mount nothing")
    try:
        with pytest.raises(BenchbookError, match=r"No space left on device .*\(make room on that disk\)$"):
            made(project, "0.9.2")
        assert left(project) == []
    finally:
        subprocess.run(["umount", str(project.state)], check=True)


def test_a_state_folder_that_cannot_be_written_is_one_line(project: Project, shelf: Path):
    """Its place is named."""
    project.state.write_text("a file in the way")
    with pytest.raises(
        BenchbookError,
        match=r"^\.benchbook/environments: no environment with JAX 0\.9\.2: .* \(a file, or a link",
    ):
        made(project, "0.9.2")
