"""The machine: what is taken by name, and what is never looked at."""

import json
import os
import platform
from importlib import metadata

import pytest

from benchbook.run import Clock, Cpu, Weather
from benchbook.worker import identity, machine

SECRETS = {
    "GITHUB_TOKEN": "t0ken",
    "AWS_SECRET_ACCESS_KEY": "s3cret",
    "HTTPS_PROXY": "http://user:pass@proxy",
    "PYTHONPATH": "/somewhere",
    "PYTHONSTARTUP": "/somewhere/start.py",
    "LOGNAME": "somebody",
    "SSH_AUTH_SOCK": "/run/socket",
    "MY_PATH": "x",
    "PATH_TOKEN": "t0ken",
    "LC_TICKET": "t0ken",
    "TPU_API_TOKEN": "t0ken",
    "CUDA_SECRET": "s3cret",
    "SLURM_JOB_USER": "somebody",
}
INHERITED = {"PATH": "/bin", "HOME": "/h", "LC_ALL": "C.UTF-8", "CUDA_VISIBLE_DEVICES": "0", "TPU_NAME": "t"}


@pytest.fixture
def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that holds what it may and what it may not hand on."""
    for name, value in (SECRETS | INHERITED).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XLA_FLAGS", "--somebodys")
    monkeypatch.setenv("JAX_ENABLE_X64", "1")


@pytest.mark.usefixtures("everything")
def test_tokens_are_dropped_and_paths_are_kept():
    """A snippet inherits what the allow-list names in full, and nothing that only looks alike."""
    env = machine.environment({"JAX_PLATFORMS": "cpu"})
    assert SECRETS.keys().isdisjoint(env)
    assert env | INHERITED == env
    assert env["JAX_PLATFORMS"] == "cpu"


@pytest.mark.usefixtures("everything")
def test_settings_of_jax_come_from_the_backend_alone():
    """A flag that somebody has in a shell changes no run; the backend's own does."""
    assert not {"XLA_FLAGS", "JAX_ENABLE_X64"} & machine.environment({}).keys()
    ours = {"XLA_FLAGS": "--ours", "PATH": "/ours"}
    assert machine.environment(ours) | ours == machine.environment(ours)


def test_what_changes_jax_is_recorded_and_no_folder():
    """Flags of XLA and JAX and numbers of threads; never a path, a home or a token."""
    env = SECRETS | INHERITED | {"XLA_FLAGS": "--a", "JAX_PLATFORMS": "cpu", "OMP_NUM_THREADS": "1"}
    env |= {"JAX_COMPILATION_CACHE_DIR": "/srv/cache"}
    assert machine.flags(env) == {
        "CUDA_VISIBLE_DEVICES": "0",
        "JAX_PLATFORMS": "cpu",
        "OMP_NUM_THREADS": "1",
        "XLA_FLAGS": "--a",
    }
    assert list(machine.flags(env)) == sorted(machine.flags(env))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("--xla_dump_to=/Users/ada/dump --xla_x=1", "--xla_dump_to=(a path) --xla_x=1"),
        ("--xla_gpu_cuda_data_dir=/usr/local/cuda", "--xla_gpu_cuda_data_dir=(a path)"),
        ("--a=~/x,~ada/y", "--a=(a path),(a path)"),
        ("C:\\Users\\ada\\x", "(a path)"),
        ("gs://bucket/cache", "(a path)"),
        ("https://ada:t0ken@proxy/x --b", "(a path) --b"),
        ("'/opt/x' --c", "'(a path)' --c"),
        ("dumps/here ./x ../y a/b 1/2", "dumps/here ./x ../y a/b 1/2"),
        ("--xla_force_host_platform_device_count=8", "--xla_force_host_platform_device_count=8"),
        ("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6,1", "GPU-(an id),1"),
        ("MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/0", "MIG-GPU-(an id)"),
        ("0,1", "0,1"),
        (True, True),
        (None, None),
        (0.5, 0.5),
    ],
)
def test_a_setting_is_recorded_without_its_places(value: object, said: object):
    """Paths, addresses and serial numbers are cut out of a value; what changes JAX stays."""
    assert machine.settings({"jax_name": value}) == {"jax_name": said}


def test_a_setting_that_is_the_address_of_a_host_is_left_out():
    """Among the variables and in jax.config."""
    assert machine.flags({"JAX_COORDINATOR_ADDRESS": "node-7:1234", "JAX_X": "1"}) == {"JAX_X": "1"}
    assert machine.settings({"jax_cross_host_transfer_socket_address": "node-7:1"}) == {}


def test_versions_are_those_that_are_installed():
    """JAX, its library and Python, as the interpreter knows them."""
    found = machine.software()
    assert found["jax"] == metadata.version("jax") == machine.version("jax")
    assert found["jaxlib"] == metadata.version("jaxlib")
    assert found["python"] == platform.python_version()
    assert machine.version("no-such-distribution") is None


@pytest.mark.parametrize(
    ("name", "is_plugin"),
    [
        ("jax-cuda12-plugin", True),
        ("jax-cuda13-pjrt", True),
        ("jax-rocm7-plugin", True),
        ("libtpu", True),
        ("jax-metal", True),
        ("jax", False),
        ("jaxlib", False),
        ("jax-dataloader", False),
        ("my-libtpu", False),
    ],
)
def test_plugins_are_known_by_name(name: str, is_plugin: bool):
    """Other distributions that are about JAX are none."""
    assert (machine.PLUGIN.fullmatch(name) is not None) is is_plugin


def test_facts_fit_the_run_model():
    """Processor, clock and weather are what a run file holds, and know no name of this machine."""
    found = machine.hardware()
    Cpu.model_validate(found["cpu"])
    assert found["memory_gib"] >= 1
    Clock.model_validate(machine.clock())
    weather = machine.weather()
    Weather.model_validate(weather)
    if hasattr(os, "sched_getaffinity"):
        assert weather["affinity"] == sorted(os.sched_getaffinity(0))
    assert identity.told(json.dumps([found, weather])) is None


def test_the_clocks_step_was_seen():
    """It is a positive number of nanoseconds, and far less than a second."""
    assert 1 <= machine.clock()["step_ns"] < 10**8


def test_imported_modules_are_roots_that_came_from_outside():
    """The standard library and the worker itself are not listed."""
    found = machine.imported()
    assert "pytest" in found
    assert {"os", "sys", "benchbook", "__main__"}.isdisjoint(found)
    assert not any("." in name for name in found)


def test_distributions_own_the_modules_that_were_imported():
    """A module's distribution may have another name; one that nobody owns is left out."""
    found = machine.distributions(["yaml", "pytest", "no_such_module"])
    assert {name.lower(): version for name, version in found.items()} == {
        "pyyaml": metadata.version("pyyaml"),
        "pytest": metadata.version("pytest"),
    }


def test_what_is_not_there_is_said_to_be_unknown(monkeypatch: pytest.MonkeyPatch):
    """A system without /proc and /sys is no failure."""
    monkeypatch.setattr(machine, "_read", lambda path: "")
    monkeypatch.setattr(platform, "processor", lambda: "")
    monkeypatch.setattr(platform, "machine", lambda: "")
    assert machine.hardware()["cpu"]["model"] == "unknown"
    assert machine.hardware()["cpu"]["architecture"] == "unknown"
    assert machine.hardware()["cpu"]["caches"] == {}
    assert machine.weather()["governor"] is None
