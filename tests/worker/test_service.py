"""The service: a worker without room for its files or its answers, or in a locale that is not UTF-8."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchbook.recording import program
from benchbook.worker.wire import decode
from tests.recording import snippet_text
from tests.worker.live import COLD, QUICK, answers, frames, planned, start

ROOT = sys.platform == "linux" and os.geteuid() == 0
MOUNTS = pytest.mark.skipif(not ROOT, reason="mounting a small file system needs root on Linux")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MiB."""
    place = tmp_path / "small"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(place)]
    if subprocess.run(words, check=False, capture_output=True).returncode != 0:
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def refusal(folder: Path, *, command: list[str] | None = None) -> str:
    """Why a worker with this folder for temporary files runs nothing; it ends with 1 and no traceback."""
    worker = start(planned(snippet_text(QUICK)), folder, command=command, stderr=subprocess.PIPE)
    session, end = frames(worker)
    assert worker.stderr is not None
    said = worker.stderr.read().decode()
    assert worker.wait() == 1
    assert end["count"] == 1
    assert said == f"benchbook: backend cpu is not here: {session['refusal']}; snippets not executed: 1\n"
    return session["refusal"] or ""


@MOUNTS
def test_a_full_folder_for_temporary_files_is_one_line(small: Path):
    """Whether there is no room for a folder or none for the worker's code: the place and the mend."""
    with (small / "filling").open("wb", buffering=0) as file:
        file.write(bytes(8 * 2**20))
    assert refusal(small) == f"no space left in {small} (set TMPDIR to a folder with room)"
    assert [path.name for path in small.iterdir()] == ["filling"]


@MOUNTS
def test_a_read_only_folder_for_temporary_files_is_one_line(small: Path):
    """It is not passed over for another one that nobody named."""
    subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
    mend = "(set TMPDIR to a folder that can be)"
    assert refusal(small) == f"nothing can be written in {small}: Read-only file system {mend}"


@pytest.mark.skipif(not ROOT, reason="a user of its own, whose processes are counted, needs root on Linux")
@pytest.mark.parametrize("processes", [1, 2])
def test_a_limit_of_processes_is_one_line(tmp_path: Path, processes: int):
    """Whether the worker itself or its first look at JAX cannot be started: no folder is left."""
    who = f"{54321 + processes}"  # so that tests which run at once are not counted together
    words = ["/usr/bin/env", "setpriv", "--reuid", who, "--clear-groups"]
    words += ["--bounding-set", "-all,+dac_override", "--inh-caps", "-all,+dac_override"]
    words += ["--ambient-caps", "-all,+dac_override", "prlimit", f"--nproc={processes}", sys.executable]
    why = "the system starts no process: Resource temporarily unavailable"
    mend = "(raise the limit of processes, ulimit -u, or try again later)"
    assert refusal(tmp_path, command=words) == f"{why} {mend}"
    assert list(tmp_path.iterdir()) == []


def test_a_worker_without_input_gives_its_snippets_an_empty_one(tmp_path: Path):
    """`python3 job.py <&- > results.jsonl`, as some schedulers start it: forked or cold."""
    reads = "# %% one\nimport sys\nprint(repr(sys.stdin.read()))\n"
    asked = planned(snippet_text(reads), snippet_text(reads, more=COLD))
    (tmp_path / "tmp").mkdir()
    (tmp_path / "job.py").write_text(program.text(asked))
    words = ["sh", "-c", 'exec "$0" "$1" <&-', sys.executable, str(tmp_path / "job.py")]
    env = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run(words, env=env, stdout=subprocess.PIPE, check=True).stdout
    _, *told, _ = (frame for line in done.splitlines() if (frame := decode(line)) is not None)
    assert [frame["cells"][0]["stdout"] for frame in told] == ["''\n"] * 2


@MOUNTS
def test_a_disk_that_fills_up_midway_costs_who_filled_it(small: Path):
    """Its snippet fails in one line, and what it wrote goes with it: the others have their answers."""
    fills = "# %% one\nmeasurements = {}\nwith open('big', 'wb') as file:\n"
    fills += "    while True: file.write(bytes(2**16))\n"
    after = snippet_text("# %% one\nmeasurements = {}\nprint('fine')\n")
    asked = planned(snippet_text(fills), after, processes=1)
    told = [frame for frame in answers(asked, small) if "job" in frame]
    assert [frame["kind"] for frame in told] == ["raised", "completed"]
    assert told[0]["detail"] == "OSError: [Errno 28] No space left on device"


@MOUNTS
def test_a_disk_that_others_filled_midway_is_one_line(small: Path, tmp_path: Path):
    """A process that finds no room for its folder costs its own snippet, with the mend."""
    keep = f"# %% one\nmeasurements = {{}}\nfile = open({str(small / 'other')!r}, 'wb', buffering=0)\n"
    keep += "try:\n    while True: file.write(bytes(2**12))\nexcept OSError: print('full')\n"
    worker = start(planned(snippet_text(keep), snippet_text(keep), processes=1), small)
    told = [frame for frame in frames(worker) if "job" in frame]
    assert worker.wait() == 1
    assert [frame["kind"] for frame in told] == ["completed", "invalid"]
    assert told[1]["detail"] == f"no space left in {small} (set TMPDIR to a folder with room)"


@MOUNTS
def test_answers_that_find_no_room_end_the_worker_in_one_line(small: Path, tmp_path: Path):
    """`python3 job.py > results.jsonl` on a full disk: no traceback, and nothing runs for nobody."""
    (tmp_path / "tmp").mkdir()
    with (small / "results.jsonl").open("wb", buffering=0) as file:
        file.write(bytes(8 * 2**20))
        worker = start(
            planned(snippet_text(QUICK)), tmp_path / "tmp", stdout=file.fileno(), stderr=subprocess.PIPE
        )
        assert worker.stderr is not None
        said = worker.stderr.read().decode()
    assert worker.wait() == 1
    assert said == "benchbook: the worker cannot go on: [Errno 28] No space left on device\n"
    assert list((tmp_path / "tmp").iterdir()) == []


SPEAKS = """\
# %% one
import locale, pathlib, subprocess, sys
pathlib.Path('x').write_text('é→😀')
print(pathlib.Path('x').read_text(), pathlib.Path('x').read_bytes() == 'é→😀'.encode())
print(sys.stdout.encoding, locale.getpreferredencoding(False), sys.getfilesystemencoding())
print(subprocess.run([sys.executable, '-c', 'print("é")'], capture_output=True, text=True).stdout, end='')
open('ü→.txt', 'w').close()
"""
SPOKEN = "é→😀 True\nutf-8 utf-8 utf-8\né\n"


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one locale that is not UTF-8."""
    place = tmp_path_factory.mktemp("locales")
    words = ["localedef", "-i", "de_DE", "-f", "ISO-8859-1", str(place / "de_DE.ISO-8859-1")]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no locale can be made here (apt install locales)")
    return place


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "de_DE.ISO-8859-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "latin-1"},
    ],
    ids=["latin-1", "C", "input and output"],
)
def test_what_a_snippet_does_does_not_depend_on_the_locale(
    tmp_path: Path, locales: Path, env: dict[str, str]
):
    """Files, output, names and programs that it starts are UTF-8, forked or cold."""
    (tmp_path / "tmp").mkdir()
    env = {**env, "LOCPATH": str(locales)}
    asked = planned(snippet_text(SPEAKS), snippet_text(SPEAKS, more=COLD))
    found = answers(asked, tmp_path / "tmp", env=env)
    told = [frame for frame in found if frame["type"] == "process"]
    assert [frame["kind"] for frame in told] == ["completed"] * 2, json.dumps(told)
    assert [frame["cells"][0]["stdout"].lower() for frame in told] == [SPOKEN.lower()] * 2
    utf8 = env["LC_ALL"] == "C.UTF-8"
    expected = ["cold", "fork"] if utf8 and sys.platform == "linux" else ["cold", "cold"]
    assert sorted(frame["start"] for frame in told) == expected
