"""Environments: which Python a backend starts, and what is refused before anything is made."""

import sys
from pathlib import Path

import pytest

from benchbook.errors import BenchbookError, UsageError
from benchbook.project import Backend, Project
from benchbook.recording import environment

CPU = Backend("cpu", "cpu")
FAR = Backend("far", "gpu", command=("ssh", "far", "python3"))


def command(project: Project, backend: Backend, jax: str | None) -> list[str]:
    """The command, for somebody who expects that nothing is made."""

    def say(line: str) -> None:
        pytest.fail(f"it was said: {line}")

    return environment.command(project, backend, jax, say=say)


def test_without_a_command_it_is_this_interpreter(project: Project):
    """The environment that runs the engine has JAX."""
    assert command(project, CPU, None) == [sys.executable]


@pytest.mark.parametrize("jax", [None, "0.9.2"])
def test_a_backends_own_command_wins(project: Project, jax: str | None):
    """Which JAX is over there is asserted by the worker, not made here."""
    assert command(project, FAR, jax) == ["ssh", "far", "python3"]


@pytest.mark.parametrize("jax", ["newest", "", "0.9 2", "../x", "0.9.2; import os", ">=0.9", "-1"])
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


def fake_uv(folder: Path, script: str) -> Path:
    """A program in the place of uv: what it does is written down, the network is never asked."""
    path = folder / "uv"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_an_environment_is_made_once(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The second call finds it, and its folder names JAX and Python."""
    log = tmp_path / "log"
    script = f'echo "$@" >> {log}\nfor last; do :; done\n[ "$1" = venv ] || exit 0\n'
    script += (
        f'mkdir -p "$last/bin" && echo "#!/bin/sh\nexec {sys.executable} \\"\\$@\\"" > "$last/bin/python"\n'
    )
    script += 'chmod +x "$last/bin/python"'
    monkeypatch.setattr("uv.find_uv_bin", lambda: str(fake_uv(tmp_path, script)))
    said: list[str] = []
    words = [environment.command(project, CPU, "0.9.2", say=said.append) for _ in range(2)]
    place = project.state / f"environments/jax-0.9.2-python-{sys.version_info[0]}.{sys.version_info[1]}"
    assert words == [[str(place / "bin/python")]] * 2
    assert said == ["making an environment with JAX 0.9.2 (once)"]
    first, second = log.read_text().splitlines()
    assert first.startswith("venv ")
    assert second.endswith("jax==0.9.2 jaxlib==0.9.2")


def test_an_environment_that_cannot_be_made_leaves_nothing(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Half an environment is never taken for one, and uv's reason is told in one line."""
    script = 'for last; do :; done\n[ "$1" = venv ] && { mkdir -p "$last/bin"; exit 0; }\n'
    script += "echo 'Resolving' >&2; echo 'Because there is no version of jax==9.9.9' >&2; exit 1"
    monkeypatch.setattr("uv.find_uv_bin", lambda: str(fake_uv(tmp_path, script)))
    with pytest.raises(
        BenchbookError, match=r"^uv pip failed: Because there is no version of jax==9\.9\.9 \("
    ):
        environment.command(project, CPU, "9.9.9", say=lambda line: None)
    assert list((project.state / "environments").iterdir()) == []


def test_without_uv_the_mend_is_told(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A missing tool is one line."""
    monkeypatch.setattr("uv.find_uv_bin", lambda: str(tmp_path / "nothing"))
    with pytest.raises(BenchbookError, match=r"^uv is not here \(make site installs it\)$"):
        environment.command(project, CPU, "0.9.2", say=lambda line: None)
