"""Hosts for tests: an sshd, a network and a Slurm of their own on this machine, which end with the test."""

import getpass
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.processes import descendants, left_alive

PRIVILEGE_SEPARATION = Path("/run/sshd")  # which sshd insists on for root; Debian's service makes it
GRACE = 10  # seconds for a daemon to end after it was asked to
SSHD = """\
ListenAddress {address}
Port {port}
HostKey {folder}/host
PidFile {folder}/sshd.pid
AuthorizedKeysFile {folder}/user.pub
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
SetEnv TMPDIR={folder}/tmp
"""
SSH = """\
Host *
  HostName {address}
  Port {port}
  User {user}
  IdentityFile {folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking yes
  BatchMode yes
"""
SLURM = """\
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
SlurmUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
MpiDefault=none
KillWait=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=1 RealMemory=500 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES State=UP
"""


def tool(name: str, package: str) -> str:
    """Where a program lies; a test that needs one that is not here is skipped."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if path is None:
        pytest.skip(f"{name} is not here: apt install {package}")
    return path


def root_only(what: str) -> None:
    """Skips a test that only root can run."""
    if os.geteuid() != 0:
        pytest.skip(f"{what} needs root")


def soon(holds: Callable[[], bool], what: str, patience: float = 20) -> None:
    """Returns as soon as it holds."""
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, f"not within {patience} s: {what}"
        time.sleep(0.02)  # polling for what another program does when it likes


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody has now."""
    with_them = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [server.getsockname()[1] for server in with_them]
    for server in with_them:
        server.close()
    return ports


@contextmanager
def daemon(
    words: Sequence[str], said: Path, ready: Callable[[], bool]
) -> Iterator["subprocess.Popen[bytes]"]:
    """A daemon that stays a child of the test; in the end it and everything below it is gone."""
    with said.open("wb") as file:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    try:
        soon(lambda: ready() or process.poll() is not None, f"{words[0]} is ready")
        assert process.poll() is None, said.read_text()
        yield process
    finally:
        below = descendants(process.pid)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        for pid in (process.pid, *below):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
        assert left_alive(below) == []


@dataclass(frozen=True)
class Host:
    """An sshd with keys, a client's settings and a TMPDIR of its own.

    Attributes:
        folder: Holds all of it.
        process: Listens; each connection is a child of it.
        prefix: Words before ssh, such as those that enter a network.
    """

    folder: Path
    process: "subprocess.Popen[bytes]"
    prefix: tuple[str, ...] = ()

    def command(self, *words: str, options: Sequence[str] = ()) -> list[str]:
        """The words of a backend there."""
        return [*self.prefix, "ssh", "-F", str(self.folder / "config"), *options, "far", *words]

    def hang_up(self) -> None:
        """Kills the process of every connection."""
        for pid in (pid for pid in descendants(self.process.pid) if _is_sshd(pid)):
            os.kill(pid, signal.SIGKILL)


def _is_sshd(pid: int) -> bool:
    return Path(f"/proc/{pid}/comm").read_text() == "sshd\n"


@contextmanager
def sshd(folder: Path, *, address: str = "127.0.0.1", near: Sequence[str] = (), far: Sequence[str] = ()):
    """An sshd on this machine for who runs the tests.

    Args:
        folder: A new one.
        address: Where it listens.
        near: Words that put a client where the address is reached.
        far: Words that put the sshd where the address is.
    """
    program, user = tool("sshd", "openssh-server"), getpass.getuser()
    (folder / "tmp").mkdir(parents=True)
    if os.geteuid() == 0:
        PRIVILEGE_SEPARATION.mkdir(mode=0o755, exist_ok=True)
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
    (port,) = free_ports(1)
    known = (folder / "host.pub").read_text()
    (folder / "known").write_text(f"[{address}]:{port} {known}")
    (folder / "sshd").write_text(SSHD.format(address=address, port=port, folder=folder))
    (folder / "config").write_text(SSH.format(address=address, port=port, folder=folder, user=user))
    words = [*far, program, "-D", "-e", "-f", str(folder / "sshd")]
    with daemon(words, folder / "said", (folder / "sshd.pid").exists) as process:
        yield Host(folder, process, tuple(near))


@dataclass(frozen=True)
class Network:
    """Two namespaces with a cable between them.

    Attributes:
        near: Words that start a program in the one.
        far: Words that start it in the other.
        address: Of the other.
    """

    near: tuple[str, ...]
    far: tuple[str, ...]
    address: str = "10.0.0.2"

    def cut(self) -> None:
        """Takes the cable away: packets are lost, and nobody is told."""
        subprocess.run([*self.near, "ip", "link", "set", "cable", "down"], check=True)


@contextmanager
def network() -> Iterator[Network]:
    """A network that is of this test only, in which TCP gives up after seconds and not after minutes."""
    ip = tool("ip", "iproute2")
    root_only("a network namespace")
    near, far = names = [f"bench{os.getpid()}{end}" for end in ("near", "far")]
    words = [(ip, "netns", "exec", name) for name in names]
    steps = [
        *([ip, "netns", "add", name] for name in names),
        [ip, "link", "add", "cable", "netns", near, "type", "veth", "peer", "cable", "netns", far],
        [ip, "-n", near, "address", "add", "10.0.0.1/24", "dev", "cable"],
        [ip, "-n", far, "address", "add", "10.0.0.2/24", "dev", "cable"],
        *([ip, "-n", name, "link", "set", device, "up"] for name in names for device in ("lo", "cable")),
        [*words[1], "sh", "-c", "echo 3 > /proc/sys/net/ipv4/tcp_retries2"],
    ]
    try:
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                pytest.skip(f"no network namespace can be made here: {done.stderr.strip()}")
        yield Network(*words)
    finally:
        for name in names:
            subprocess.run([ip, "netns", "delete", name], capture_output=True, check=False)


@dataclass(frozen=True)
class Slurm:
    """A Slurm of one node with one processor, so that a second job waits.

    Attributes:
        folder: Holds its settings and the TMPDIR of its jobs.
    """

    folder: Path

    def words(self, *words: str) -> list[str]:
        """A command of Slurm's, for this one."""
        settings, temporary = self.folder / "slurm.conf", self.folder / "tmp"
        return ["env", f"SLURM_CONF={settings}", f"TMPDIR={temporary}", *words]

    def jobs(self, *options: str) -> list[str]:
        """The numbers of jobs that wait or run."""
        listing = self.words("squeue", "--noheader", "--format=%i", *options)
        return subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split()

    def cancel(self, *jobs: str) -> None:
        """Ends jobs."""
        subprocess.run(self.words("scancel", "--quiet", *jobs), capture_output=True, check=False)

    def idle(self) -> bool:
        """Whether its node waits for a job."""
        asked = self.words("sinfo", "--noheader", "--format=%t")
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout == "idle\n"


@contextmanager
def slurm(folder: Path) -> Iterator[Slurm]:
    """munged, slurmctld and slurmd on loopback."""
    munged, control, node = (
        tool("munged", "munge"),
        tool("slurmctld", "slurm-wlm"),
        tool("slurmd", "slurm-wlm"),
    )
    root_only("slurmd")
    for part in ("state", "spool", "tmp"):
        (folder / part).mkdir(parents=True)
    key, host = folder / "munge.key", socket.gethostname().partition(".")[0]
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o600)
    ports = free_ports(2)
    (folder / "slurm.conf").write_text(SLURM.format(host=host, ports=ports, folder=folder))
    made = Slurm(folder)
    places = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed")]
    munge = [munged, "--foreground", "--force", f"--socket={folder}/munge.sock", *places]
    with (
        daemon(munge, folder / "munged.said", (folder / "munge.sock").exists),
        daemon(made.words(control, "-D"), folder / "control.said", (folder / "slurmctld.pid").exists),
        daemon(made.words(node, "-D"), folder / "node.said", made.idle),
    ):
        try:
            yield made
        finally:
            made.cancel(*made.jobs())
            soon(lambda: made.jobs() == [], "every job has ended")
