"""Instants in order, whoever sets the clock."""

import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchbook.worker import instant
from benchbook.worker.instant import Instants
from tests.recording import snippet_text
from tests.worker.live import COLD, frames, planned, start

PLACES = ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/lib")
FAKETIME = [path for place in PLACES if (path := Path(place) / "faketime/libfaketime.so.1").exists()]


def test_instants_follow_a_clock_that_nobody_sets(monkeypatch: pytest.MonkeyPatch):
    """An hour of the steady clock is an hour, whatever the wall clock says."""
    steady = [10.0]
    monkeypatch.setattr(instant.time, "clock_gettime", lambda _: steady[0])
    kept = Instants()
    first = datetime.fromisoformat(kept.now())
    assert abs(first - datetime.now(UTC)) < timedelta(seconds=5)
    steady[0] += 3600
    assert datetime.fromisoformat(kept.now()) - first == timedelta(hours=1)


@pytest.mark.skipif(not FAKETIME, reason="libfaketime is not here (apt install faketime)")
@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_is_set_while_a_snippet_runs_changes_nothing(tmp_path: Path, days: int):
    """No run ends before it starts, none lasts a year, and no limit of time strikes early or never."""
    (tmp_path / "tmp").mkdir()
    clock, gate = tmp_path / "clock", tmp_path / "gate"
    clock.write_text("+0\n")
    os.mkfifo(gate)
    env = {
        "LD_PRELOAD": str(FAKETIME[0]),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    waits = snippet_text(f"# %% one\nopen({str(gate)!r}).read()\n", more=COLD)
    never = snippet_text("# %% one\nwhile True: pass\n", more=f"{COLD}").replace("= 60", "= 2")
    worker = start(planned(waits, never), tmp_path / "tmp", env=env)
    coming = frames(worker)
    assert next(coming)["type"] == "session"
    with gate.open("w"):  # which waits until the snippet has begun to read
        clock.write_text(f"{days:+d}d\n")
        now = subprocess.run(
            [sys.executable, "-c", "import time; print(time.time())"],
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert abs(float(now) - time.time() - days * 86400) < 100  # the clock was really set
    told = [frame for frame in coming if frame["type"] == "process"]
    assert worker.wait() == 1
    assert sorted(frame["kind"] for frame in told) == ["completed", "timed out"]
    for frame in told:
        began, ended = (datetime.fromisoformat(frame[name]) for name in ("started", "ended"))
        assert timedelta(0) <= ended - began < timedelta(minutes=10)
        assert abs(began - datetime.now(UTC)) < timedelta(minutes=10)
