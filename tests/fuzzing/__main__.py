"""The driver: fuzzes targets, one process each, and says what came of it.

``python -m tests.fuzzing [TARGET ...] --minutes 1 --jobs 1``; it needs the extra ``fuzz`` of pyproject.toml.
A fault ends its target's campaign, and the input is kept in a file: ``--repeat FILE`` takes it once more.
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.fuzzing.targets import TARGETS

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / ".benchbook" / "corpus"
SLOWEST = 20  # seconds for one input
MEMORY = 1024  # MiB
MEMORY_DISK = "/dev/shm"  # noqa: S108 - only a faster place, where there is one
BEGAN = re.compile(r"CPU seconds before the first input: ([\d.]+)")
COUNTED = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
COVERED = re.compile(r"cov: (\d+)")
EXCEPTION = re.compile(r"=== Uncaught Python exception: ===\n(.*?)(?:\n==\d+==|\Z)", re.DOTALL)
KEPT = re.compile(r"Test unit written to (\S+)")
ROW = "{:<12}{:>12}{:>10}{:>10}  {}"


@dataclass(frozen=True, slots=True)
class Campaign:
    """What came of one.

    Attributes:
        target: Its name.
        inputs: How many were tried.
        seconds: How long it computed: other work on the machine does not count.
        covered: Branches of ours that were reached.
        fault: What went wrong, or empty.
        kept: The file with the input that did.
    """

    target: str
    inputs: int
    seconds: float
    covered: int
    fault: str = ""
    kept: str = ""

    def __str__(self) -> str:
        """A row of the table."""
        rate = round(self.inputs / self.seconds) if self.seconds else 0
        return ROW.format(self.target, self.inputs, rate, self.covered, self.kept or "no fault")


def fuzz(name: str, minutes: float) -> Campaign:
    """Runs one campaign to its end or its first fault."""
    folder = CORPUS / name
    folder.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={round(60 * minutes)}", f"-timeout={SLOWEST}", f"-rss_limit_mb={MEMORY}"]
    options += [f"-artifact_prefix={folder}-fault-", "-verbosity=1"]
    command = [sys.executable, "-m", "tests.fuzzing.single", name, str(folder), *options]
    status, said, spent = _ended(command)
    covered = [int(number) for number in COVERED.findall(said)]
    counted = COUNTED.search(said)
    kept = KEPT.search(said)
    fault = "" if status == 0 else _reason(said)
    place = kept[1] if kept else ("see above" if fault else "")
    return Campaign(name, int(counted[1]) if counted else 0, spent, max(covered, default=0), fault, place)


def _ended(command: Sequence[str]) -> tuple[int, str, float]:
    """Status and words of a campaign, and the CPU seconds that it took for its inputs."""
    with (
        tempfile.TemporaryFile() as file,
        tempfile.TemporaryDirectory(dir=MEMORY_DISK if os.access(MEMORY_DISK, os.W_OK) else None) as place,
        subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {"TMPDIR": place}, stdout=file, stderr=file
        ) as child,
    ):
        _, raw, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(raw)
        file.seek(0)
        said = file.read().decode("utf-8", "replace")
    before = BEGAN.search(said)
    return child.returncode, said, used.ru_utime + used.ru_stime - (float(before[1]) if before else 0.0)


def _reason(said: str) -> str:
    found = EXCEPTION.search(said)
    return found[1].strip() if found else "\n".join(said.splitlines()[-20:])


def run(names: Sequence[str], minutes: float, jobs: int) -> Iterator[Campaign]:
    """Campaigns, so many at once, each as it ends."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda name: fuzz(name, minutes), names)


def main() -> int:
    """Fuzzes what was asked for; 1 if there was a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description="Fuzzes targets.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each target")
    parser.add_argument("--jobs", type=int, default=1, help="targets at once")
    parser.add_argument("--repeat", type=Path, metavar="FILE", help="take one input, and fuzz nothing")
    asked = parser.parse_args()
    unknown = set(asked.targets) - set(TARGETS)
    if unknown or (asked.repeat and len(asked.targets) != 1):
        parser.error(f"name {'one target' if asked.repeat else 'targets'} of: {', '.join(TARGETS)}")
    if asked.repeat:
        TARGETS[asked.targets[0]].take(asked.repeat.read_bytes())
        return 0
    if importlib.util.find_spec("atheris") is None:
        parser.error("atheris is not here (make fuzz installs it; it has wheels for Linux on x86-64 only)")
    found = []
    print(ROW.format("target", "inputs", "per CPU s", "branches", "fault"), flush=True)
    for campaign in run(asked.targets or list(TARGETS), asked.minutes, asked.jobs):
        found.append(campaign)
        print(campaign, campaign.fault, sep="\n" if campaign.fault else "", flush=True)
    total, faults = (
        sum(campaign.inputs for campaign in found),
        sum(bool(campaign.fault) for campaign in found),
    )
    print(f"{total} inputs; {faults} faults")
    return int(any(campaign.fault for campaign in found))


if __name__ == "__main__":
    sys.exit(main())
