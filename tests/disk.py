"""Disks for tests: small, real, mounted below a temporary folder, and unmounted whatever happens."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

MEBIBYTES = 4


@dataclass(frozen=True)
class Disk:
    """A mounted file system.

    Attributes:
        root: Where it is mounted.
    """

    root: Path

    def fill(self) -> None:
        """Leaves no room for another byte."""
        with (self.root / "filler").open("ab", buffering=0) as file:
            for size in (65536, 4096, 1):
                try:
                    while file.write(bytes(size)):
                        pass
                except OSError:
                    continue

    def clear(self) -> None:
        """Makes room again."""
        (self.root / "filler").unlink()

    def forbid(self) -> None:
        """Refuses every write from now on, as it is for root too."""
        subprocess.run(["mount", "-o", "remount,ro", self.root], check=True)

    def allow(self) -> None:
        """Takes writes again."""
        subprocess.run(["mount", "-o", "remount,rw", self.root], check=True)


@contextmanager
def small(root: Path) -> Iterator[Disk]:
    """A tmpfs of few MiB."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("mounting a file system takes root, on Linux")
    root.mkdir()
    with _mounted(["mount", "-t", "tmpfs", "-o", f"size={MEBIBYTES}m,mode=755", "tmpfs", root], root):
        yield Disk(root)


@contextmanager
def careless(root: Path) -> Iterator[Disk]:
    """One that takes File and file for one name: exFAT, as on memory cards, in user space."""
    needed = ("mkfs.exfat", "mount.exfat-fuse", "losetup")
    missing = [name for name in needed if shutil.which(name) is None]
    if sys.platform != "linux" or os.geteuid() != 0 or missing or not Path("/dev/fuse").exists():
        pytest.skip(f"it takes root, FUSE, and Debian's exfatprogs and exfat-fuse; missing: {missing}")
    root.mkdir()
    image = root.with_suffix(".image")
    with image.open("wb") as file:
        file.truncate(64 * 1024 * 1024)
    subprocess.run(["mkfs.exfat", image], check=True, capture_output=True)
    said = subprocess.run(["losetup", "-f", "--show", image], check=False, capture_output=True, text=True)
    if said.returncode:
        pytest.skip(f"there is no loop device: {said.stderr.strip()}")
    device = said.stdout.strip()
    try:
        with _mounted(["mount.exfat-fuse", device, root], root):
            yield Disk(root)
    finally:
        subprocess.run(["losetup", "-d", device], check=True)


@contextmanager
def _mounted(command: list[str | Path], root: Path) -> Iterator[None]:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", root], check=True)
