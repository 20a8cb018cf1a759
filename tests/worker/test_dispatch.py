"""The dispatcher: order, probes, failures and ends, with real workers."""

import signal
import sys
from pathlib import Path

import pytest

from benchbook.recording import program
from tests.processes import appearing, left_alive
from tests.recording import snippet_text
from tests.worker.live import COLD, QUICK, answers, frames, planned, start

FAILS = "# %% one\nmeasurements = {}\nprint('before')\nraise ValueError('no')\n"


def test_what_may_run_together_comes_first_and_failures_cost_their_own_job(tmp_path: Path):
    """After a process failed, its others are abandoned and not inspected; every frame is counted."""
    asked = planned(snippet_text(FAILS), snippet_text(QUICK), inspect=True)
    assert [job["alone"] for job in asked["jobs"]] == [True, False]
    session, *others, end = answers(asked, tmp_path)
    assert (session["type"], session["refusal"]) == ("session", None)
    assert sorted((frame["type"], frame["job"]) for frame in others[:2]) == [
        ("inspection", 1),
        ("process", 1),
    ]
    assert [(frame["job"], frame["process"], frame["kind"]) for frame in others[2:]] == [
        (0, 0, "raised"),
        (0, 1, "abandoned"),
        (0, 2, "abandoned"),
    ]
    assert others[2]["cells"][0]["stdout"] == "before\n"
    assert others[2]["alone"] is True
    assert end["count"] == 1 + len(others)


def test_the_session_explains_itself(tmp_path: Path):
    """A carried result says what was asked and where it ran, without values of the environment."""
    asked = planned(
        snippet_text(QUICK, more=COLD), env={"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}
    )
    session = answers(asked, tmp_path)[0]
    assert session["plan"]["jobs"][0]["text"] == asked["jobs"][0]["text"]
    assert session["plan"]["jobs"][0]["cells"] == ["one"]
    assert session["plan"]["env"] == ["JAX_PLATFORMS", "XLA_FLAGS"]
    assert session["plan"]["program"] == program.digest()
    assert session["machine"]["device"]["count"] == 2


def fake_jax(folder: Path, text: str) -> dict[str, str]:
    """Variables under which a fresh Python finds this in the place of JAX."""
    (folder / "jax").mkdir(parents=True)
    (folder / "jax/__init__.py").write_text(text)
    return {"PYTHONPATH": str(folder)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("raise RuntimeError('no chip\\nand more')", "JAX cannot start 'cpu': RuntimeError: no chip"),
        (
            "raise RuntimeError('no chip (set JAX_PLATFORMS= to choose another)')",
            "JAX cannot start 'cpu': RuntimeError: no chip",
        ),
        ("import os; os._exit(3)", "JAX did not start: it ended with status 3"),
        ("import os; os.abort()", "JAX did not start: it ended with status -6"),
    ],
)
def test_a_jax_that_does_not_start_is_a_refusal(tmp_path: Path, text: str, said: str):
    """One line in the place of a traceback or a crash, no advice to fall back, and no snippet runs."""
    env = fake_jax(tmp_path / "fake", text)
    (tmp_path / "tmp").mkdir()
    session, end = answers(planned(snippet_text(QUICK, more=COLD), env=env), tmp_path / "tmp")
    assert session["refusal"] == said
    assert end["count"] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_that_is_asked_to_end_leaves_nothing(tmp_path: Path, how: signal.Signals):
    """Its children, what they started, and its folder go with it."""
    (tmp_path / "tmp").mkdir()
    command = f"import time; time.sleep(600)  # grandchild {tmp_path}"
    cells = f"# %% one\nimport subprocess, sys\nsubprocess.run([sys.executable, '-c', {command!r}])\n"
    worker = start(planned(snippet_text(cells, more=COLD)), tmp_path / "tmp")
    assert next(frames(worker))["type"] == "session"
    grandchild = appearing(f"grandchild {tmp_path}")
    worker.send_signal(how)
    worker.wait()
    assert left_alive([grandchild]) == []
    assert list((tmp_path / "tmp").iterdir()) == []
